#include "data/grammar/grammar.h"

#include <fmt/format.h>

namespace softalign::data {

std::string Grammar::at(std::size_t line) const { return fmt::format("{}:{}: ", file, line); }

std::string form_name(const Grammar& grammar, const Rule& rule, const FormName& form,
                      const std::vector<std::size_t>& assignment) {
  std::string name;
  for (const FormName::Part& part : form.parts) {
    if (!name.empty()) name += '.';
    if (part.variable == Argument::none) {
      name += part.name;
    } else {
      name += grammar.features[rule.variables[part.variable].feature].values[assignment[part.variable]];
    }
  }
  return name;
}

std::size_t form_index(const Grammar& grammar, const Rule& rule, const Item& item,
                       const std::vector<std::size_t>& values, Side side) {
  const WordClass& words = grammar.classes[item.symbol];
  if (item.form.parts.empty()) return 0;  // check_form has checked that this is the only form
  return words.form_names[side].at(form_name(grammar, rule, item.form, values));
}

}  // namespace softalign::data
