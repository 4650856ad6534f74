// These functions handle names that users type. They find the most similar known name, and write the error message for
// an unknown name. Choice is a table of values by name. The names of enums have their own tables (autograd/names.h).
//
//   const Choice<Rule> rules("rule", {{"union", join}, {"intersection", meet}});
//   rules.at("union")     join
//   rules.at("both")      std::invalid_argument: unknown rule 'both'; known are: union, intersection
//   rules.names()         union, intersection: for a list of choices on a command line
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace softalign::data {

// Returns the optimal string alignment distance of a and b, which is the number of edits that turn a into b. An edit
// adds, removes or changes a letter, or swaps two neighbours. In the code, d[i][j] is the distance between the first i
// letters of a and the first j letters of b.
inline std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

// Returns the known name that is most similar to `name`. Capitals do not matter. A name is similar if at most a third
// of its letters differ. It is also similar if one of both names contains the other, and the shorter one has at least
// four letters, as in "hidden-size" and "hidden". Returns "" if no name is similar.
inline std::string nearest(std::string name, const std::vector<std::string>& known) {
  const auto lower = [](std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  name = lower(name);
  std::string best;
  double least = 1;  // smallest number of different letters, in thirds of the length
  for (const std::string& candidate : known) {
    const std::string other = lower(candidate);
    const std::string &shorter = name.size() < other.size() ? name : other, &longer = &shorter == &name ? other : name;
    double part = 3. * static_cast<double>(edit_distance(name, other)) / static_cast<double>(longer.size() + 1);
    if (shorter.size() > 3 && longer.find(shorter) != std::string::npos) part = std::min(part, 0.9);
    if (part >= least) continue;
    least = part;
    best = candidate;
  }
  return best;
}

// Returns "; did you mean rnnsearch?" if a name in `known` or `also` is similar, and otherwise "". `also` has other
// names of the known things.
inline std::string did_you_mean(const std::string& name, std::vector<std::string> known,
                                const std::vector<std::string>& also = {}) {
  constexpr std::size_t longest = 100;  // nobody mistypes a longer name, and comparing long names takes time
  known.insert(known.end(), also.begin(), also.end());
  const std::string meant = name.size() > longest ? "" : nearest(name, known);
  if (meant.empty()) return "";
  const bool is_other_name = std::find(also.begin(), also.end(), meant) != also.end();
  return "; did you mean " + meant + (is_other_name ? ", which is another name of one of these?" : "?");
}

// Returns the message for an unknown name. The message lists the known names, and suggests the most similar name in
// `known` and `also`.
inline std::string unknown_name(const std::string& what, const std::string& name, const std::vector<std::string>& known,
                                const std::vector<std::string>& also = {}) {
  constexpr std::size_t shown = 100;  // the message shows at most so many bytes of the name
  const std::string beginning = name.size() > shown ? name.substr(0, shown) + "..." : name;
  std::string text = "unknown " + what + " '" + beginning + "'; known are";
  for (std::size_t i = 0; i < known.size(); ++i) text.append(i == 0 ? ": " : ", ").append(known[i]);
  return text + did_you_mean(name, known, also);
}

// Throws std::invalid_argument with the message of unknown_name if `name` is not known.
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

  // Throws std::invalid_argument for an unknown name. The message lists the known names.
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

}  // namespace softalign::data
