#include "autograd/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace softalign::autograd {

Params::Params(const Random& random) : registry_(std::make_shared<Registry>(Registry{random, {}})) {}

Params Params::without_numbers() {
  Params params{Random(0)};
  params.registry_->have_numbers = false;
  return params;
}

Params Params::operator/(const std::string& scope) const {
  Params inner = *this;
  inner.prefix_ += scope + "/";
  return inner;
}

Var Params::declare(const std::string& name, const Shape& shape, const Initialiser& initialise) const {
  const std::string full = prefix_ + name;
  const auto same = [&](const Parameter& p) { return p.name == full; };
  if (std::any_of(registry_->parameters.begin(), registry_->parameters.end(), same))
    throw std::invalid_argument(fmt::format("parameter {} is declared twice", full));
  Array value = Array::without_numbers(shape);
  if (registry_->have_numbers) {
    value = Array(shape);
    Random random = registry_->random.split(full);
    initialise(value, random);
  }
  registry_->parameters.push_back({full, variable(std::move(value))});
  return registry_->parameters.back().var;
}

const std::vector<Parameter>& Params::all() const { return registry_->parameters; }

std::size_t Params::count() const {
  std::size_t n = 0;
  for (const Parameter& p : all()) n += p.var.value().size();
  return n;
}

void Params::zero_grad() const {
  for (const Parameter& p : all()) p.var.zero_grad();
}

}  // namespace softalign::autograd
