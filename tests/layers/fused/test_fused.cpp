// Compares the values and gradients of every fused op with its composed definition, and both with central differences.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "autograd/gradcheck.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/threads/openmp.h"
#include "autograd/var.h"
#include "tests/catch.h"
#include "tests/compare.h"
#include "tests/layers/fused/fused_cases.h"

namespace {

using namespace fused_cases;
using compare::random_array;

struct Row {
  std::string_view op;
  Cases (*cases)();
};
constexpr std::array table{Row{"lstm", lstm_cases},
                           Row{"gru", gru_cases},
                           Row{"additive_scores", additive_scores_cases},
                           Row{"dot_scores", dot_scores_cases},
                           Row{"gaussian_window", gaussian_window_cases},
                           Row{"weighted_sum", weighted_sum_cases},
                           Row{"output_cross_entropy", output_cross_entropy_cases},
                           Row{"attention", attention_cases},
                           Row{"layer_norm", layer_norm_cases},
                           Row{"convolution_2d", convolution_2d_cases},
                           Row{"addressing", addressing_cases},
                           Row{"memory_write", memory_write_cases}};
static_assert(table.size() == fused_op_names.size(), "a fused op without a row here is a fused op without a test");

// The fast kernels of an op, in addition to its composed definition.
std::vector<Kernels> fast_forms(std::string_view op) {
  const bool tiled = std::find(tiled_op_names.begin(), tiled_op_names.end(), op) != tiled_op_names.end();
  return tiled ? std::vector{Kernels::fused, Kernels::tiled} : std::vector{Kernels::fused};
}
std::string text(Kernels form) {
  return form == Kernels::fused ? " fused" : form == Kernels::tiled ? " tiled" : " composed";
}

Cases cases_of(std::string_view op) {
  for (const Row& row : table)
    if (row.op == op) return row.cases();
  return {};
}

// The value, and the gradients of a fixed random weighted sum of the value by every input.
std::vector<Array> value_and_gradients(const Case& c, Kernels form) {
  const Chosen chosen(form);
  const Var y = c.f(c.inputs);
  std::vector<Array> result{y.value().clone()};
  Random random(99);
  backward(sum(y * constant(random_array(y.shape(), random))));
  for (const Var& x : c.inputs) {
    result.push_back(compare::gradient(x));
    x.zero_grad();
  }
  return result;
}

}  // namespace

TEST_CASE("every fused op has its row in the table, in alphabetical order") {
  for (std::size_t i = 0; i < table.size(); ++i) CHECK(table[i].op == fused_op_names[i]);
}

// Tiled attention: Dao et al. 2022, algorithm 1, appendix B.4.
TEST_CASE("fused and tiled ops equal composed ones in values and all gradients") {
  const double tolerance = sizeof(Real) == 8 ? 1e-9 : 1e-4;
  for (const char* op : fused_op_names) {
    const Cases cases = cases_of(op);
    CHECK(!cases.empty());
    for (const Case& c : cases) {
      const auto composed = value_and_gradients(c, Kernels::composed);
      for (const Kernels form : fast_forms(op)) {
        INFO(op << c.name << text(form));
        const auto fast = value_and_gradients(c, form);
        for (std::size_t i = 0; i < fast.size(); ++i) {
          INFO((i == 0 ? "value" : "gradient of input " + std::to_string(i - 1)));
          CHECK(compare::relative_error(fast[i], composed[i]) < tolerance);
        }
      }
    }
  }
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("gradients of the fused ops and of their definitions equal central differences") {
  for (const char* op : fused_op_names) {
    std::vector<Kernels> forms = fast_forms(op);
    forms.push_back(Kernels::composed);
    for (const Case& c : cases_of(op))
      for (const Kernels form : forms) {
        std::size_t elements = 0;
        for (const Var& x : c.inputs) elements += x.value().size();
        if (elements > 20000) continue;  // the large cases only test several threads
        INFO(op << c.name << text(form));
        const Chosen chosen(form);
        const GradcheckResult check = gradcheck(c.f, c.inputs, {.samples = 40});
        CHECK((check.checked > 0) == (elements > 0));
        CHECK(check.worst < 1e-6);
        if (!check.ok) FAIL_CHECK(check.report);
      }
  }
}
#endif

TEST_CASE("ops without a GEMM give the same bits on one thread and on two") {
  const int before = omp_get_max_threads();
  for (const char* op :
       {"additive_scores", "dot_scores", "gaussian_window", "weighted_sum", "layer_norm", "addressing", "memory_write"})
    for (const Case& c : cases_of(op)) {
      INFO(op << c.name);
      omp_set_num_threads(1);
      const auto one = value_and_gradients(c, Kernels::fused);
      omp_set_num_threads(2);
      const auto two = value_and_gradients(c, Kernels::fused);
      for (std::size_t i = 0; i < one.size(); ++i) CHECK(compare::same_bits(one[i], two[i]));
    }
  omp_set_num_threads(before);
}

TEST_CASE("constants among the inputs of a fused op get no gradient") {
  Random random(4);
  for (const char* op : fused_op_names)
    for (const Case& c : cases_of(op)) {
      if (c.inputs.size() < 2) continue;
      for (std::size_t wanted = 0; wanted < c.inputs.size(); ++wanted) {
        INFO(op << c.name << ", input " << wanted << " alone");
        Inputs inputs;
        for (std::size_t i = 0; i < c.inputs.size(); ++i)
          inputs.push_back(i == wanted ? c.inputs[i] : constant(c.inputs[i].value()));
        backward(sum(c.f(inputs)));
        for (std::size_t i = 0; i < inputs.size(); ++i)
          if (i != wanted) CHECK(!inputs[i].grad().defined());
        c.inputs[wanted].zero_grad();
      }
    }
}
