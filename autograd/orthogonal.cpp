#include "autograd/orthogonal.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

// LAPACK's QR as OpenBLAS brings it.
extern "C" {
int openblas_get_num_threads();
void openblas_set_num_threads(int threads);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work, const int* lwork,
             int* info);
void dorgqr_(const int* m, const int* n, const int* k, double* a, const int* lda, const double* tau, double* work,
             const int* lwork, int* info);
}

namespace softalign::autograd {
namespace {

// BLAS has one thread while this lives: how LAPACK rounds depends on how many it finds, and not on their number alone.
class OneBlasThread {
 public:
  OneBlasThread() : before_(openblas_get_num_threads()) { openblas_set_num_threads(1); }
  ~OneBlasThread() { openblas_set_num_threads(before_); }
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;

 private:
  int before_;
};

}  // namespace

Array random_orthogonal(std::size_t size, Random& random) {
  const int n = static_cast<int>(size), work_size = 64 * n;
  std::vector<double> a(size * size), tau(size), work(static_cast<std::size_t>(work_size));
  for (double& v : a) v = random.normal();
  Array q({size, size});
  const OneBlasThread same_bits_on_any_number;
  int info = 0;
  dgeqrf_(&n, &n, a.data(), &n, tau.data(), work.data(), &work_size, &info);
  std::vector<double> sign(size);
  for (std::size_t j = 0; j < size; ++j) sign[j] = a[j * size + j] < 0 ? -1 : 1;  // of R's diagonal
  if (info == 0) dorgqr_(&n, &n, &n, a.data(), &n, tau.data(), work.data(), &work_size, &info);
  if (info != 0) throw std::runtime_error("random_orthogonal: LAPACK's QR failed");
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) q[i * size + j] = static_cast<Real>(sign[j] * a[j * size + i]);
  return q;
}

}  // namespace softalign::autograd
