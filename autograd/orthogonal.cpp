#include "autograd/orthogonal.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#ifndef SOFTALIGN_WITHOUT_BLAS
// OpenBLAS exports these functions. dgeqrf_ and dorgqr_ are LAPACK's QR factorisation.
extern "C" {
int openblas_get_num_threads();
void openblas_set_num_threads(int threads);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work, const int* lwork,
             int* info);
void dorgqr_(const int* m, const int* n, const int* k, double* a, const int* lda, const double* tau, double* work,
             const int* lwork, int* info);
}
#endif

namespace softalign::autograd {
namespace {

// orthogonalise replaces a column-major matrix (n, n) by the Q of its QR factorisation. It returns the signs of R's
// diagonal.
#ifdef SOFTALIGN_WITHOUT_BLAS

// reflect computes the Householder reflection x <- x - 2 v (v . x) for a unit vector v.
void reflect(const std::vector<double>& v, double* x) {
  double product = 0;
  for (std::size_t i = 0; i < v.size(); ++i) product += v[i] * x[i];
  for (std::size_t i = 0; i < v.size(); ++i) x[i] -= 2 * product * v[i];
}

// Reflection k maps the part of column k on and below the diagonal to a multiple of the first unit vector. Q is the
// product of all reflections.
std::vector<double> orthogonalise(std::vector<double>& a, std::size_t n) {
  std::vector<double> sign(n);
  std::vector<std::vector<double>> reflections(n);
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<double> v(a.data() + k * n + k, a.data() + (k + 1) * n);
    const auto length = [&] {
      double squares = 0;
      for (const double x : v) squares += x * x;
      return std::sqrt(squares);
    };
    sign[k] = v[0] < 0 ? 1 : -1;  // the opposite sign of v[0], so that no digits cancel
    v[0] -= sign[k] * length();
    if (const double norm = length(); norm > 0)
      for (double& x : v) x /= norm;
    for (std::size_t j = k + 1; j < n; ++j) reflect(v, a.data() + j * n + k);
    reflections[k] = std::move(v);
  }
  std::fill(a.begin(), a.end(), 0);
  for (std::size_t j = 0; j < n; ++j) a[j * n + j] = 1;
  for (std::size_t k = n; k-- > 0;)
    for (std::size_t j = k; j < n; ++j) reflect(reflections[k], a.data() + j * n + k);
  return sign;
}

#else

// While a OneBlasThread exists, BLAS has one thread. With several threads, their number alone does not determine how
// LAPACK rounds.
class OneBlasThread {
 public:
  OneBlasThread() : before_(openblas_get_num_threads()) { openblas_set_num_threads(1); }
  ~OneBlasThread() { openblas_set_num_threads(before_); }
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;

 private:
  int before_;
};

std::vector<double> orthogonalise(std::vector<double>& a, std::size_t size) {
  const int n = static_cast<int>(size), work_size = 64 * n;
  std::vector<double> tau(size), work(static_cast<std::size_t>(work_size)), sign(size);
  const OneBlasThread same_bits_on_any_number;
  int info = 0;
  dgeqrf_(&n, &n, a.data(), &n, tau.data(), work.data(), &work_size, &info);
  for (std::size_t j = 0; j < size; ++j) sign[j] = a[j * size + j] < 0 ? -1 : 1;
  if (info == 0) dorgqr_(&n, &n, &n, a.data(), &n, tau.data(), work.data(), &work_size, &info);
  if (info != 0) throw std::runtime_error("random_orthogonal: LAPACK's QR failed");
  return sign;
}

#endif

}  // namespace

Array random_orthogonal(std::size_t size, Random& random) {
  std::vector<double> a(size * size);
  for (double& v : a) v = random.normal();
  const std::vector<double> sign = orthogonalise(a, size);
  Array q({size, size});
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) q[i * size + j] = static_cast<Real>(sign[j] * a[j * size + i]);
  return q;
}

}  // namespace softalign::autograd
