#include "data/alignment/em/posteriors.h"

#include <cmath>
#include <utility>

namespace softalign::data {
namespace {

// Lattice has the forward and backward variables of one pair. A state is (j, linked or not): either e_i comes from f_j,
// or e_i comes from the empty word and f_j is remembered. Row i of alpha sums to 1.
// scale[i] = p(e_i | e_1 .. e_{i-1}, f)
struct Lattice {
  std::size_t m, n;
  const Transitions& A;              // p(a_i = j | a_{i-1} = j')
  std::vector<double> linked, none;  // (m, n)  alpha of each kind of state
  std::vector<double> beta;          // (m, n)  beta, which is equal for both kinds
  std::vector<double> scale;         // (m)

  Lattice(const Transitions& A_, const std::vector<double>& t, std::size_t m_)
      : m(m_), n(A_.words()), A(A_), linked(m * n), none(m * n), beta(m * n, 1), scale(m) {
    forward(t);
    backward(t);
  }

  void forward(const std::vector<double>& t) {
    // If the first word comes from the empty word, the remembered position is uniform.
    std::vector<double> before(n, 1 / static_cast<double>(n)), reached = A.first();
    for (std::size_t i = 0; i < m; ++i) {
      const double* e = &t[i * (n + 1)];
      double *l = &linked[i * n], *o = &none[i * n], sum = 0;
      for (std::size_t j = 0; j < n; ++j) {
        l[j] = reached[j] * e[j + 1];
        o[j] = A.p0() * before[j] * e[0];
        sum += l[j] + o[j];
      }
      for (std::size_t j = 0; j < n; ++j) {
        l[j] /= sum;
        o[j] /= sum;
        before[j] = l[j] + o[j];
      }
      scale[i] = sum;
      A.forward(before, reached);
    }
  }

  // beta_i(j') = ( sum_j p(j | j') t(e_{i+1} | f_j) beta_{i+1}(j) + p0 t(e_{i+1} | f_0) beta_{i+1}(j') ) / scale
  void backward(const std::vector<double>& t) {
    std::vector<double> next(n);
    for (std::size_t i = m - 1; i-- > 0;) {
      const double* e = &t[(i + 1) * (n + 1)];
      for (std::size_t j = 0; j < n; ++j) next[j] = e[j + 1] * beta[(i + 1) * n + j];
      A.backward(next, &beta[i * n]);
      for (std::size_t j = 0; j < n; ++j) {
        beta[i * n + j] = (beta[i * n + j] + A.p0() * e[0] * beta[(i + 1) * n + j]) / scale[i + 1];
      }
    }
  }
};

}  // namespace

Posteriors posteriors(std::vector<double> delta, const std::vector<double>& t, std::size_t m, std::size_t n) {
  Posteriors result{std::move(delta), 0, {}};
  for (std::size_t i = 0; i < m; ++i) {
    double* p = &result.p[i * (n + 1)];  // delta(a_i = j) before the two loops, p(a_i = j | e, f) after them
    double sum = 0;
    for (std::size_t j = 0; j <= n; ++j) sum += p[j] *= t[i * (n + 1) + j];
    for (std::size_t j = 0; j <= n; ++j) p[j] /= sum;
    result.log_likelihood += std::log(sum);
  }
  return result;
}

Posteriors posteriors(const Transitions& A, const std::vector<double>& t, std::size_t m, CountJumps count_jumps) {
  const std::size_t n = A.words();
  const Lattice lattice(A, t, m);
  Posteriors result{std::vector<double>(m * (n + 1)), 0, {std::vector<double>(2 * n - 1), std::vector<double>(n)}};
  std::vector<double> from(n), next(n);
  for (std::size_t i = 0; i < m; ++i) {
    double* p = &result.p[i * (n + 1)];
    const double *linked = &lattice.linked[i * n], *none = &lattice.none[i * n], *beta = &lattice.beta[i * n];
    for (std::size_t j = 0; j < n; ++j) {
      p[j + 1] = linked[j] * beta[j];
      p[0] += none[j] * beta[j];
      if (i == 0) result.jumps.first[j] = p[j + 1];
    }
    result.log_likelihood += std::log(lattice.scale[i]);
    if (i == 0 || count_jumps == CountJumps::no) continue;
    // p(a_{i-1} at j', a_i = j | e, f) = alpha_{i-1}(j') p(j | j') t(e_i | f_j) beta_i(j) / scale_i
    for (std::size_t j = 0; j < n; ++j) next[j] = t[i * (n + 1) + j + 1] * beta[j] / lattice.scale[i];
    for (std::size_t k = 0; k < n; ++k) from[k] = lattice.linked[(i - 1) * n + k] + lattice.none[(i - 1) * n + k];
    A.count(from.data(), next, result.jumps.jumps);
  }
  return result;
}

}  // namespace softalign::data
