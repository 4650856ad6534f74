// What the rest of the project asks of autograd/kernels, in its plainest form: products by BLAS, memory from the
// system, one thread. A build with -DSOFTALIGN_KERNELS=OFF finds this header under the name of each header of that
// folder. Models and their gradients are the same up to rounding; training and decoding are slower.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "autograd/array.h"
#include "autograd/grid.h"
#include "autograd/ops/address.h"
#include "autograd/ops/mask.h"
#include "autograd/ops/steps.h"
#include "autograd/params.h"
#include "autograd/random.h"
#include "autograd/var.h"

namespace softalign::autograd {

// --- gemm.h, products.h ---

struct Matrix {
  const Real* data = nullptr;
  std::size_t rows = 0, columns = 0, stride = 0;  // as stored
  bool transposed = false;
};
Matrix matrix(const Array& a);  // every axis but the last as rows
Matrix t(Matrix a);
enum class Into { overwrite, add };
void gemm(const Matrix& a, const Matrix& b, Real* c, std::size_t c_stride, Into into);
void gemm(const Matrix& a, const Matrix& b, Array& c, Into into);

inline Matrix factor_of(const Var&, const Matrix& b, std::size_t) { return b; }
void multiply(const Var& x, const Var& W, Array& y, Into into);           // y (+)= x W
void add_product_to(const Var& x, const Matrix& a, const Matrix& b);      // dx += a b
void add_product_grad(const Var& W, const Array& x, const Array& dy);     // dW += x' dy
void add_product_gradients(const Var& x, const Var& W, const Array& dy);  // dx += dy W'    dW += x' dy
Array repeated(const Array& row, const Shape& shape);                     // rows (.., K), each of them `row`

// --- log_sum_exp.h, orthogonal.h, int8_weights.h ---

Real largest(const Real* x, std::size_t n);
Array log_sum_exp(const Array& x);                       // (R, V) -> (R)
Array random_orthogonal(std::size_t n, Random& random);  // by Gram and Schmidt's method
inline void set_int8(bool) {}
inline bool int8() { return false; }

// --- parallel_for.h, shards.h, thread_trials.h, blas.h ---

inline constexpr std::size_t parallel_from = std::numeric_limits<std::size_t>::max();
template <class Work>
void parallel_for(std::size_t begin, std::size_t end, bool, const Work& work) {
  for (std::size_t i = begin; i < end; ++i) work(i);
}
inline std::size_t worthwhile_shards(const Params&, int) { return 1; }
inline void run_workers(std::size_t workers, const std::function<void(std::size_t)>& work) {
  for (std::size_t i = 0; i < workers; ++i) work(i);
}
inline void run_shards(const Params&, std::size_t shards, const std::function<void(std::size_t)>& work) {
  run_workers(shards, work);
}
struct ThreadTrials {
  explicit ThreadTrials(std::size_t) {}
  void run(double, const std::function<void()>& step) { step(); }
  bool given_up() const { return false; }
};
inline void set_threads(int) {}
inline int threads() { return 1; }
inline std::string describe_blas() { return "BLAS, without autograd/kernels"; }
inline std::vector<std::string> blas_warnings() { return {}; }
inline void choose_blas_kernel() {}
inline void flush_denormals() {}
inline constexpr std::size_t blas_buffer_bytes = std::size_t{128} << 20;

// --- memory.h ---

struct MemoryLimit {
  std::size_t bytes = std::numeric_limits<std::size_t>::max();
  std::string of = "this machine";
  bool addresses = false;
};
const MemoryLimit& memory_limit();
inline double taken_bytes() { return 0; }
inline std::string describe_refusal(const std::bad_alloc& error) { return error.what(); }
std::string format_bytes(double bytes);
struct PoolStatistics {
  std::size_t asked_bytes = 0, most_asked_bytes = 0, large_bytes = 0, system_calls = 0;
};
inline PoolStatistics pool_statistics() { return {}; }
inline void pool_forget_most() {}

// --- fused/*.h: nobody calls these, because every op is composed (autograd/kernels.h) ---

namespace fused {
template <class... Arguments>
LSTMSequence lstm(const Arguments&...);
template <class... Arguments>
Var gru(const Arguments&...);
template <class... Arguments>
Var additive_scores(const Arguments&...);
template <class... Arguments>
Var dot_scores(const Arguments&...);
template <class... Arguments>
Var gaussian_window(const Arguments&...);
template <class... Arguments>
Var weighted_sum(const Arguments&...);
template <class... Arguments>
Var output_cross_entropy(const Arguments&...);
template <class... Arguments>
Var attention_weights(const Arguments&...);
template <class... Arguments>
Var attention_context(const Arguments&...);
template <class... Arguments>
Var tiled_attention(const Arguments&...);
template <class... Arguments>
Var linear_attention(const Arguments&...);
template <class... Arguments>
Var layer_norm(const Arguments&...);
template <class... Arguments>
Var convolution_2d(const Arguments&...);
template <class... Arguments>
Var address(const Arguments&...);
template <class... Arguments>
Var memory_write(const Arguments&...);
}  // namespace fused

}  // namespace softalign::autograd
