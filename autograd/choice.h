// Choice: one value out of a few, by name. The only table of the names, and the one wording of the error.
//
//   const Choice<GRUForm> forms("GRU", {{"gru", GRUForm::cho}, {"gru-pytorch", GRUForm::pytorch}});
//   forms.at("gru")       GRUForm::cho
//   forms.at("elman")     std::invalid_argument: unknown GRU 'elman'; known are: gru, gru-pytorch
//   forms.names()         gru, gru-pytorch: for a list of choices on a command line
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "autograd/nearest.h"

namespace softalign::autograd {

// The words for a name that is none of these, with the one that may be meant; that may be one of `also` too.
inline std::string unknown_name(const std::string& what, const std::string& name, const std::vector<std::string>& known,
                                std::vector<std::string> also = {}) {
  constexpr std::size_t shown = 100;  // bytes of a name
  const std::string beginning = name.size() > shown ? name.substr(0, shown) + "..." : name;
  std::string text = "unknown " + what + " '" + beginning + "'; known are";
  for (std::size_t i = 0; i < known.size(); ++i) text.append(i == 0 ? ": " : ", ").append(known[i]);
  also.insert(also.begin(), known.begin(), known.end());
  return text + did_you_mean(name, also);
}

// std::invalid_argument in these words if it is none.
inline void check_name(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw std::invalid_argument(unknown_name(what, name, known));
}

template <class Value>
class Choice {
 public:
  Choice(std::string what, const std::vector<std::pair<std::string, Value>>& entries) : what_(std::move(what)) {
    for (const auto& [name, value] : entries) {
      names_.push_back(name);
      values_.push_back(value);
    }
  }

  const std::vector<std::string>& names() const { return names_; }

  // std::invalid_argument for any other name, listing the known ones.
  const Value& at(const std::string& name) const {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name) return values_[i];
    throw std::invalid_argument(unknown_name(what_, name, names_));
  }

 private:
  std::string what_;
  std::vector<std::string> names_;
  std::vector<Value> values_;
};

}  // namespace softalign::autograd
