#include "autograd/gradcheck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "autograd/var.h"

namespace softalign::autograd {
namespace {

constexpr std::size_t reported = 10;

struct Difference {
  std::string place;
  double analytic, numeric, error;
};

// Weighted has L = sum w y and the magnitude sum |w y|, both in double precision.
struct Weighted {
  double sum = 0, magnitude = 0;
};
Weighted weighted(const Var& y, const Array& w) {
  Weighted L;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double term = static_cast<double>(y.value()[i]) * static_cast<double>(w[i]);
    L.sum += term;
    L.magnitude += std::abs(term);
  }
  return L;
}

// elements chooses the elements of an input that gradcheck checks: all of them, or a sample. Most rows of an embedding
// are untouched, so half of a sample comes from the touched rows.
std::vector<std::size_t> elements(const Var& x, const Ids& touched, const GradcheckOptions& options, Random& random) {
  const std::size_t size = x.value().size();
  std::vector<std::size_t> chosen;
  if (options.samples == 0 || options.samples >= size) {
    for (std::size_t j = 0; j < size; ++j) chosen.push_back(j);
    return chosen;
  }
  const std::size_t width = size / x.dim(0);  // axis 0 exists, because a scalar returned above
  for (std::size_t k = 0; k < options.samples; ++k) {
    if (k % 2 == 0 && !touched.empty())
      chosen.push_back(static_cast<std::size_t>(touched[random.below(touched.size())]) * width + random.below(width));
    else chosen.push_back(random.below(size));
  }
  return chosen;
}

GradcheckResult check(const std::vector<Parameter>& inputs, const std::function<Var()>& f,
                      const GradcheckOptions& options) {
  for (const Parameter& p : inputs) p.var.zero_grad();
  Random random = Random(options.seed).split("gradcheck");
  const Var y = f();
  Array w(y.shape());
  for (Real& v : w.span()) v = static_cast<Real>(random.normal());
  const Weighted L = weighted(y, w);
  if (y.needs_grad()) backward(y, w);

  std::vector<Array> analytic(inputs.size());
  std::vector<Ids> touched(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Var& x = inputs[i].var;
    analytic[i] = x.grad().defined() ? x.grad().clone() : zeros_like(x.value());
    if (grad_is_sparse(x)) touched[i] = touched_rows(x);
    x.zero_grad();
  }

  const NoGrad no_grad;
  const double smallest = std::pow(std::numeric_limits<Real>::epsilon(), 2.0 / 3) * std::max(1.0, L.magnitude);
  const Weighted again = weighted(f(), w);
  if (!(std::abs(again.sum - L.sum) <= smallest))
    throw std::invalid_argument(fmt::format(
        "gradcheck: two calls of the function gave {} and {}; seed its randomness inside it", L.sum, again.sum));
  GradcheckResult result;
  std::vector<Difference> wrong;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Array& x = inputs[i].var.value();
    const auto set = [&](std::size_t j, Real v) { inputs[i].var.mutable_value()[j] = v; };
    for (const std::size_t j : elements(inputs[i].var, touched[i], options, random)) {
      const Real before = x[j];
      const Real h = static_cast<Real>(options.step) * std::max(Real(1), std::abs(before));
      const Real up = before + h, down = before - h;  // rounding makes up - down differ from 2h
      set(j, up);
      const double above = weighted(f(), w).sum;
      set(j, down);
      const double below = weighted(f(), w).sum;
      set(j, before);

      const double a = analytic[i][j], n = (above - below) / (static_cast<double>(up) - static_cast<double>(down));
      const double error = std::abs(a - n) / std::max({std::abs(a), std::abs(n), smallest / options.tolerance});
      ++result.checked;
      result.worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(result.worst, error);
      if (!(error <= options.tolerance))
        wrong.push_back({fmt::format("{} {} at {}", inputs[i].name, to_string(x.shape()), j), a, n, error});
    }
  }
  if (wrong.empty()) return result;
  result.ok = false;
  std::stable_sort(wrong.begin(), wrong.end(), [](const Difference& a, const Difference& b) {
    return std::isnan(a.error) ? !std::isnan(b.error) : a.error > b.error;
  });
  result.report = fmt::format("{} of {} gradients are wrong (tolerance {:g}); worst first:\n", wrong.size(),
                              result.checked, options.tolerance);
  for (std::size_t k = 0; k < std::min(reported, wrong.size()); ++k)
    result.report += fmt::format("  {}: analytic {:.9g}, numeric {:.9g}, error {:.2g}\n", wrong[k].place,
                                 wrong[k].analytic, wrong[k].numeric, wrong[k].error);
  return result;
}

}  // namespace

GradcheckResult gradcheck(const std::function<Var(const std::vector<Var>&)>& f, const std::vector<Var>& inputs,
                          const GradcheckOptions& options) {
  std::vector<Parameter> wanted;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].needs_grad()) wanted.push_back({fmt::format("input {}", i), inputs[i]});
  if (wanted.empty()) throw std::invalid_argument("gradcheck: no input needs a gradient; make them with variable()");
  return check(
      wanted, [&] { return f(inputs); }, options);
}

GradcheckResult gradcheck(const Params& params, const std::function<Var()>& f, const GradcheckOptions& options) {
  return check(params.all(), f, options);
}

}  // namespace softalign::autograd
