// softalign.autograd: variables, operations, gradients and optimisers.
#include <fmt/format.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/operators.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/python/bindings.h"
#include "apps/python/engine_call.h"
#include "autograd/gradcheck.h"
#include "autograd/ops/distances.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "autograd/optimise/clip.h"
#include "autograd/optimise/optimiser.h"
#include "autograd/params.h"
#include "autograd/var.h"
#include "layers/attention/scores.h"
#include "layers/recurrent/lstm.h"

namespace softalign::python {

namespace {

namespace ag = autograd;
using ag::Array;
using ag::Real;
using ag::Shape;
using ag::Var;
using Numbers = py::array_t<Real, py::array::c_style | py::array::forcecast>;

Shape shape_of(const std::vector<std::size_t>& dims) { return Shape(std::span(dims.data(), dims.size())); }

Array array_of(const py::object& value) {
  const Numbers numbers = Numbers::ensure(value);
  if (!numbers) {
    PyErr_Clear();
    throw py::type_error("an array of numbers is expected, or lists of numbers of equal length");
  }
  const std::vector<std::size_t> dims(numbers.shape(), numbers.shape() + numbers.ndim());
  Array array(shape_of(dims));
  std::copy(numbers.data(), numbers.data() + numbers.size(), array.data());
  return array;
}

py::object numbers_of(const Array& array) {
  if (!array.defined()) return py::none();
  const std::vector<std::size_t> dims(array.shape().begin(), array.shape().end());
  py::array_t<Real> numbers(dims);
  std::copy(array.data(), array.data() + array.size(), numbers.mutable_data());
  return numbers;
}

// Returns the argument of an op: a variable, or numbers as a constant.
Var var_of(const py::object& value) {
  if (py::isinstance<Var>(value)) return value.cast<Var>();
  return ag::constant(array_of(value));
}

std::vector<Var> vars_of(const py::iterable& values) {
  std::vector<Var> vars;
  for (const py::handle value : values) vars.push_back(var_of(py::reinterpret_borrow<py::object>(value)));
  return vars;
}

// Returns the number of an axis from 0. Negative numbers count from the last axis, as in numpy.
std::size_t axis_of(const Var& x, long axis) {
  const long rank = static_cast<long>(x.shape().rank());
  if (axis < -rank || axis >= rank)
    throw py::index_error(fmt::format("axis {} is out of range for an array with {} axes", axis, rank));
  return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

ag::Axes axes_of(const Var& x, const py::object& axis) {
  if (axis.is_none()) return {};
  if (py::isinstance<py::int_>(axis)) return {axis_of(x, axis.cast<long>())};
  ag::Axes axes;
  for (const long one : axis.cast<std::vector<long>>()) axes.push_back(axis_of(x, one));
  return axes;
}

ag::Ids ids_of(const py::object& value) {
  const py::array any = py::array::ensure(value);
  if (!any) PyErr_Clear();
  const char kind = any ? any.dtype().kind() : 'O';
  if (kind != 'i' && kind != 'u') throw py::type_error("whole numbers are expected");
  const auto numbers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(any);
  ag::Ids ids;
  for (py::ssize_t i = 0; i < numbers.size(); ++i) {
    if (numbers.data()[i] != static_cast<ag::Id>(numbers.data()[i]))
      throw py::value_error(fmt::format("the number {} is too large", numbers.data()[i]));
    ids.push_back(static_cast<ag::Id>(numbers.data()[i]));
  }
  return ids;
}

ag::Keep keep(bool keep_dims) { return keep_dims ? ag::Keep::yes : ag::Keep::no; }

// Returns x[i], where i is a whole number, a slice, or a tuple of them.
Var item(Var x, const py::object& index) {
  const py::tuple parts = py::isinstance<py::tuple>(index) ? index.cast<py::tuple>() : py::make_tuple(index);
  std::size_t axis = 0;
  for (const py::handle part : parts) {
    if (axis >= x.shape().rank()) throw py::index_error("there are more indices than axes");
    const std::size_t size = x.dim(axis);
    if (py::isinstance<py::slice>(part)) {
      std::size_t begin = 0, end = 0, step = 0, count = 0;
      if (!py::reinterpret_borrow<py::slice>(part).compute(size, &begin, &end, &step, &count))
        throw py::error_already_set();
      if (step != 1) throw py::index_error("slices must have step 1");
      x = slice(x, axis, begin, begin + count);
      ++axis;
    } else if (py::isinstance<py::int_>(part)) {
      const long i = part.cast<long>(), n = static_cast<long>(size);
      if (i < -n || i >= n) throw py::index_error(fmt::format("index {} is out of range 0..{}", i, n - 1));
      const auto at = static_cast<std::size_t>(i < 0 ? i + n : i);
      std::vector<std::size_t> dims(x.shape().begin(), x.shape().end());
      dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
      x = reshape(slice(x, axis, at, at + 1), shape_of(dims));
    } else {
      throw py::type_error(
          "an index must be a whole number, a slice or a tuple of them; gather() takes a list of rows");
    }
  }
  return x;
}

// Calls work() in the engine, without the GIL. Ops are short, so they do less than in_engine().
template <class Work>
auto op(const Work& work) {
  const py::gil_scoped_release without_gil;
  const EngineLock lock;
  return work();
}

using Unary = Var (*)(Var);
using Binary = Var (*)(Var, Var);

void add_unary(py::module_& m, const char* name, Unary function) {
  m.def(name, [function](const py::object& x) {
    const Var its = var_of(x);
    return op([&] { return function(its); });
  });
}

// Adds an operator between a variable and a variable or numbers, in both orders.
void add_binary(py::class_<Var>& var, const std::string& name, Binary function) {
  var.def(("__" + name + "__").c_str(), [function](const Var& a, const py::object& b) {
    const Var other = var_of(b);
    return op([&] { return function(a, other); });
  });
  var.def(("__r" + name + "__").c_str(), [function](const Var& b, const py::object& a) {
    const Var other = var_of(a);
    return op([&] { return function(other, b); });
  });
}

// NoGrad is the context manager of no_grad().
class NoGrad {
 public:
  void enter() { held_.emplace_back(std::make_unique<ag::NoGrad>()); }
  void exit() { held_.pop_back(); }

 private:
  std::vector<std::unique_ptr<ag::NoGrad>> held_;
};

// Parameters are the named parameters of a model. `scope` precedes every name.
struct Parameters {
  ag::Params params;
};

ag::Initialiser initialiser_of(const py::object& how, std::size_t blocks) {
  if (!py::isinstance<py::str>(how)) {
    const Array given = array_of(how);
    return [given](Array& to, ag::Random&) {
      if (!(given.shape() == to.shape()))
        throw std::invalid_argument(fmt::format("the initial value has the shape {}, and the parameter has {}",
                                                to_string(given.shape()), to_string(to.shape())));
      std::copy(given.data(), given.data() + given.size(), to.data());
    };
  }
  const std::string name = how.cast<std::string>();
  if (name == "zeros") return layers::zeros();
  if (name == "ones") return layers::ones();
  if (name == "glorot") return layers::glorot(blocks);
  if (name == "orthogonal") return layers::orthogonal(blocks);
  if (name == "normal") return layers::normal(1);
  throw py::value_error(
      fmt::format("unknown initialiser {}; known are: zeros, ones, glorot, orthogonal, normal, or an "
                  "array",
                  name));
}

// Optimiser keeps the parameters alive that it changes.
struct Optimiser {
  Parameters parameters;
  ag::Optimiser optimiser;

  double step(double learning_rate, double clip) {
    return op([&] {
      const double norm = ag::clip_by_global_norm(parameters.params, clip);
      optimiser.step(learning_rate);
      return norm;
    });
  }
};

std::unique_ptr<Optimiser> make_optimiser(const Parameters& parameters, const std::string& kind, double momentum,
                                          double rho, double beta1, double beta2, double epsilon, double weight_decay) {
  const std::optional<ag::OptimiserKind> named = ag::value_named<ag::OptimiserKind>(kind);
  if (!named) throw py::value_error(fmt::format("unknown optimiser {}; known are: sgd, adadelta, adam, adamw", kind));
  ag::OptimiserOptions options;
  options.kind = *named, options.momentum = momentum, options.rho = rho, options.beta1 = beta1, options.beta2 = beta2;
  options.epsilon = epsilon, options.weight_decay = weight_decay;
  return std::unique_ptr<Optimiser>(new Optimiser{parameters, ag::Optimiser(parameters.params, options)});
}

// Returns (ok, worst error, number of checked elements, report).
py::tuple gradcheck(const py::function& f, const std::vector<Var>& inputs, const std::optional<double>& tolerance,
                    std::size_t samples, std::uint64_t seed) {
  ag::GradcheckOptions options;
  if (tolerance) options.tolerance = *tolerance;
  options.samples = samples, options.seed = seed;
  const auto call = [&](const std::vector<Var>& x) {
    const py::gil_scoped_acquire gil;
    const py::object y = f(*py::cast(x));
    if (!py::isinstance<Var>(y)) throw py::type_error("the function of gradcheck must return a Var");
    return y.cast<Var>();
  };
  const ag::GradcheckResult result = op([&] { return ag::gradcheck(call, inputs, options); });
  return py::make_tuple(result.ok, result.worst, result.checked, result.report);
}

void add_var(py::module_& m) {
  py::class_<Var> var(m, "Var");
  var.def_property(
         "value", [](const Var& x) { return numbers_of(x.value()); },
         [](const Var& x, const py::object& value) {
           const Array given = array_of(value);
           if (!ag::is_leaf(*x.node())) throw py::value_error("only a variable or constant can get a new value");
           if (!(given.shape() == x.shape()))
             throw py::value_error(fmt::format("the new value has the shape {}, and the variable has {}",
                                               to_string(given.shape()), to_string(x.shape())));
           op([&] { std::copy(given.data(), given.data() + given.size(), x.mutable_value().data()); });
         })
      .def_property_readonly("grad", [](const Var& x) { return numbers_of(x.grad()); })
      .def_property_readonly("shape",
                             [](const Var& x) {
                               py::tuple dims(x.shape().rank());
                               for (std::size_t i = 0; i < x.shape().rank(); ++i) dims[i] = x.dim(i);
                               return dims;
                             })
      .def_property_readonly("op", [](const Var& x) { return std::string(x.op()); })
      .def_property_readonly("needs_grad", &Var::needs_grad)
      .def("zero_grad", &Var::zero_grad)
      .def("item", [](const Var& x) { return x.value().item(); })
      .def("__getitem__", [](const Var& x, const py::object& index) { return item(x, index); })
      .def("__len__",
           [](const Var& x) {
             if (x.shape().rank() == 0) throw py::type_error("a Var without axes has no length");
             return x.dim(0);
           })
      .def("__neg__", [](const Var& x) { return op([&] { return -x; }); });
  add_binary(var, "add", [](Var a, Var b) { return std::move(a) + std::move(b); });
  add_binary(var, "sub", [](Var a, Var b) { return std::move(a) - std::move(b); });
  add_binary(var, "mul", [](Var a, Var b) { return std::move(a) * std::move(b); });
  add_binary(var, "truediv", [](Var a, Var b) { return a / b; });
  add_binary(var, "matmul", [](Var a, Var b) {
    return a.shape().rank() == 3 && b.shape().rank() == 3 ? ag::batched_matmul(a, b) : ag::matmul(a, b);
  });
  var.attr("__array_priority__") = 1000;  // numpy then leaves `array * var` to Var
  var.attr("__array_ufunc__") = py::none();
  m.def("variable", [](const py::object& value) { return ag::variable(array_of(value)); });
  m.def("constant", [](const py::object& value) { return ag::constant(array_of(value)); });
  m.def("detach", [](const Var& x) { return ag::detach(x); });
}

void add_ops(py::module_& m) {
  add_unary(m, "exp", [](Var x) { return ag::exp(std::move(x)); });
  add_unary(m, "log", [](Var x) { return ag::log(x); });
  add_unary(m, "tanh", [](Var x) { return ag::tanh(std::move(x)); });
  add_unary(m, "sigmoid", [](Var x) { return ag::sigmoid(std::move(x)); });
  add_unary(m, "relu", [](Var x) { return ag::relu(std::move(x)); });
  add_unary(m, "square", [](Var x) { return ag::square(x); });
  add_unary(m, "softplus", [](Var x) { return ag::softplus(x); });
  m.def("softmax", [](const py::object& x, const py::object& mask) {
    const Var its = var_of(x);
    const Array kept = mask.is_none() ? Array() : array_of(mask);
    return op([&] { return kept.defined() ? ag::softmax(its, kept) : ag::softmax(its); });
  });
  m.def("log_softmax", [](const py::object& x, const py::object& mask) {
    const Var its = var_of(x);
    const Array kept = mask.is_none() ? Array() : array_of(mask);
    return op([&] { return kept.defined() ? ag::log_softmax(its, kept) : ag::log_softmax(its); });
  });
  m.def("sum", [](const py::object& x, const py::object& axis, bool keep_dims) {
    const Var its = var_of(x);
    const ag::Axes axes = axes_of(its, axis);
    return op([&] { return ag::sum(its, axes, keep(keep_dims)); });
  });
  m.def("mean", [](const py::object& x, const py::object& axis, bool keep_dims) {
    const Var its = var_of(x);
    const ag::Axes axes = axes_of(its, axis);
    return op([&] { return ag::mean(its, axes, keep(keep_dims)); });
  });
  m.def("max", [](const py::object& x, long axis, bool keep_dims) {
    const Var its = var_of(x);
    const std::size_t its_axis = axis_of(its, axis);
    return op([&] { return ag::max(its, its_axis, keep(keep_dims)); });
  });
  m.def("matmul", [](const py::object& a, const py::object& b) {
    const Var x = var_of(a), y = var_of(b);
    return op(
        [&] { return x.shape().rank() == 3 && y.shape().rank() == 3 ? ag::batched_matmul(x, y) : ag::matmul(x, y); });
  });
  m.def("affine", [](const py::object& x, const py::object& W, const py::object& b) {
    const Var vx = var_of(x), vW = var_of(W), vb = var_of(b);
    return op([&] { return ag::affine(vx, vW, vb); });
  });
  m.def("reshape", [](const py::object& x, const std::vector<std::size_t>& shape) {
    return ag::reshape(var_of(x), shape_of(shape));
  });
  m.def("transpose", [](const py::object& x, const std::optional<std::vector<std::size_t>>& axes) {
    const Var its = var_of(x);
    return op([&] { return axes ? ag::transpose(its, *axes) : ag::transpose(its); });
  });
  m.def("concat", [](const py::iterable& xs, long axis) {
    const std::vector<Var> vars = vars_of(xs);
    if (vars.empty()) throw py::value_error("concat needs at least one array");
    const std::size_t its = axis_of(vars.front(), axis);
    return op([&] { return ag::concat(vars, its); });
  });
  m.def("stack", [](const py::iterable& xs) {
    const std::vector<Var> vars = vars_of(xs);
    if (vars.empty()) throw py::value_error("stack needs at least one array");
    return op([&] { return ag::stack(vars); });
  });
  m.def("gather", [](const py::object& x, const py::object& ids) {
    const Var its = var_of(x);
    const ag::Ids rows = ids_of(ids);
    return op([&] { return ag::gather(its, rows); });
  });
  m.def("dropout", [](const py::object& x, double p, std::uint64_t seed) {
    const Var its = var_of(x);
    ag::Random random(seed);
    return op([&] { return ag::dropout(its, p, random); });
  });
  m.def("cross_entropy", [](const py::object& logits, const py::object& targets, double smoothing, ag::Id ignore) {
    const Var its = var_of(logits);
    const ag::Ids ids = ids_of(targets);
    return op([&] { return ag::cross_entropy(its, ids, {smoothing, ignore}); });
  });
}

void add_learning(py::module_& m) {
  m.def("backward", [](const Var& y, const py::object& dy) {
    const Array given = dy.is_none() ? Array() : array_of(dy);
    if (given.defined() && !(given.shape() == y.shape()))
      throw py::value_error(fmt::format("backward: the gradient has the shape {}, and the variable has {}",
                                        to_string(given.shape()), to_string(y.shape())));
    op([&] { given.defined() ? ag::backward(y, given) : ag::backward(y); });
  });
  m.def("gradcheck", gradcheck);
  py::class_<NoGrad>(m, "NoGrad").def(py::init<>()).def("enter", &NoGrad::enter).def("exit", &NoGrad::exit);
  py::class_<Parameters>(m, "Parameters")
      .def(py::init([](std::uint64_t seed) { return Parameters{ag::Params(ag::Random(seed))}; }))
      .def("scope", [](const Parameters& p, const std::string& name) { return Parameters{p.params / name}; })
      .def(
          "declare",
          [](const Parameters& p, const std::string& name, const std::vector<std::size_t>& shape, const py::object& how,
             std::size_t blocks) { return p.params.declare(name, shape_of(shape), initialiser_of(how, blocks)); })
      .def("all",
           [](const Parameters& p) {
             py::list all;
             for (const ag::Parameter& one : p.params.all()) all.append(py::make_tuple(one.name, one.var));
             return all;
           })
      .def("count", [](const Parameters& p) { return p.params.count(); })
      .def("zero_grad", [](const Parameters& p) { p.params.zero_grad(); });
  py::class_<Optimiser>(m, "Optimiser").def(py::init(&make_optimiser)).def("step", &Optimiser::step);
}

// The layers of the course, for comparison with the same layers in Python.
void add_layers(py::module_& m) {
  m.def("lstm", [](const Var& x, const Var& W, const Var& U, const Var& b) {
    return op([&] {
      if (x.shape().rank() != 3) throw std::invalid_argument("lstm: x must have the axes (S, B, E)");
      const std::size_t S = x.dim(0), B = x.dim(1), H = U.dim(0);
      const Var zero = ag::constant(ag::zeros({B, H}));
      return layers::lstm({b, {{x, W}}}, U, {zero, zero}, {S, B}).h;
    });
  });
  m.def("additive_scores", [](const Var& q, const Var& k, const Var& v) {
    return op([&] {
      if (k.shape().rank() != 3) throw std::invalid_argument("additive_scores: k must have the axes (S, B, A)");
      return layers::additive_scores(q, k, v, {}, {}, ag::all_rows(k.dim(1)));
    });
  });
}

}  // namespace

void add_autograd(py::module_& m) {
  py::module_ engine = m.def_submodule("autograd");
  add_var(engine);
  add_ops(engine);
  add_learning(engine);
  add_layers(engine);
}

}  // namespace softalign::python
