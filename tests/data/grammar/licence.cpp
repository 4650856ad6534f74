#include "tests/data/grammar/licence.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "data/io/unicode.h"

using namespace softalign;
using namespace data;

namespace testing {
namespace {

struct Bond {  // a link to source word `source`
  size_t source = 0;
  bool sure = true;
  auto operator<=>(const Bond&) const = default;
};
struct TargetWord {
  std::string plain, before_vowel;
  std::set<Bond> bonds;
  auto operator<=>(const TargetWord&) const = default;
};
// One parse of a span of the source: the values still possible for each feature, and the translation.
struct Reading {
  std::vector<Values> features;
  std::vector<TargetWord> target;
  auto operator<=>(const Reading&) const = default;
};
using Readings = std::set<Reading>;

bool single(Values values) { return values != 0 && (values & (values - 1)) == 0; }

bool vowel_first(const std::string& word, const Phonology& phonology) {
  if (std::count(phonology.exceptions.begin(), phonology.exceptions.end(), word)) return false;
  return decode_utf8(phonology.vowels).find(decode_utf8(word).front()) != std::u32string::npos;
}

// Applies elision and contraction to words with their links.
std::vector<TargetWord> joined(std::vector<TargetWord> words, const Phonology& phonology) {
  std::vector<TargetWord> changed;
  for (size_t i = 0; i < words.size(); ++i) {
    TargetWord word = words[i];
    if (i + 1 < words.size() && vowel_first(words[i + 1].plain, phonology)) {
      if (!word.before_vowel.empty()) word.plain = word.before_vowel;
      if (phonology.elisions.count(word.plain)) word.plain = phonology.elisions.at(word.plain).before_vowel;
    }
    word.before_vowel.clear();
    const auto pair = changed.empty() ? phonology.contractions.end()
                                      : std::find_if(phonology.contractions.begin(), phonology.contractions.end(),
                                                     [&](const Contraction& contraction) {
                                                       return contraction.first == changed.back().plain &&
                                                              contraction.second == word.plain;
                                                     });
    if (pair == phonology.contractions.end()) {
      changed.push_back(word);
    } else {
      changed.back().plain = pair->joined;
      changed.back().bonds.insert(word.bonds.begin(), word.bonds.end());
    }
  }
  return changed;
}

// The state of matching one rule with a span of the source.
struct Match {
  std::vector<Values> domains;             // possible values of the rule's variables
  std::map<size_t, size_t> lexemes;        // lexeme by number
  std::map<size_t, std::set<Bond>> bonds;  // by number: source words that carry the number
  std::map<size_t, std::vector<TargetWord>> phrases;
};

class Parser {
 public:
  Parser(const Grammar& grammar, Tokens source) : grammar_(grammar), source_(std::move(source)) {}

  const Readings& readings(size_t category, size_t begin, size_t end) {
    const auto key = std::make_tuple(category, begin, end);
    if (const auto found = chart_.find(key); found != chart_.end()) return found->second;
    Readings all;
    for (const size_t number : grammar_.categories[category].rules) {
      const Rule& rule = grammar_.rules[number];
      Match match;
      for (const Variable& variable : rule.variables) match.domains.push_back(variable.allowed);
      follow(rule, 0, begin, end, match, all);
    }
    return chart_[key] = std::move(all);
  }

 private:
  // Matches the rule's source items from `item` on with source words begin .. end-1.
  void follow(const Rule& rule, size_t item, size_t begin, size_t end, const Match& match, Readings& found) {
    const std::vector<Item>& items = rule.sides[source_side];
    if (item == items.size()) {
      if (begin == end) complete(rule, match, found);
      return;
    }
    if (end - begin < items.size() - item) return;
    const Item& next = items[item];
    switch (next.kind) {
      case Item::Kind::word:
        if (source_[begin] == next.word.plain) take(rule, item, begin, 1, end, match, found);
        break;
      case Item::Kind::table:
        for (const auto& [name, spelling] : grammar_.tables[next.symbol].forms) {
          Match with = match;
          if (spelling.plain == source_[begin] && bind_form(rule, next.form, name, with)) {
            take(rule, item, begin, 1, end, with, found);
          }
        }
        break;
      case Item::Kind::lexeme:
        follow_lexeme(rule, item, begin, end, match, found);
        break;
      case Item::Kind::phrase:
        for (size_t middle = begin + 1; middle + (items.size() - item - 1) <= end; ++middle) {
          if (item + 1 == items.size() && middle != end) continue;
          for (const Reading& reading : readings(next.symbol, begin, middle)) {
            Match with = match;
            if (!bind_arguments(next.arguments, reading.features, with)) continue;
            with.phrases[next.marks[0].number] = reading.target;
            follow(rule, item + 1, middle, end, with, found);
          }
        }
        break;
    }
  }

  void take(const Rule& rule, size_t item, size_t begin, size_t words, size_t end, Match match, Readings& found) {
    for (const Mark& mark : rule.sides[source_side][item].marks) {
      for (size_t i = 0; i < words; ++i) match.bonds[mark.number].insert({begin + i, mark.sure});
    }
    follow(rule, item + 1, begin + words, end, match, found);
  }

  void follow_lexeme(const Rule& rule, size_t item, size_t begin, size_t end, const Match& match, Readings& found) {
    const Item& next = rule.sides[source_side][item];
    const WordClass& words = grammar_.classes[next.symbol];
    const size_t number = next.marks[0].number;
    for (size_t i = 0; i < words.lexemes.size(); ++i) {
      if (match.lexemes.count(number) && match.lexemes.at(number) != i) continue;
      for (const auto& [name, form] : words.form_names[source_side]) {
        const Spellings& spellings = words.lexemes[i].forms[source_side][form];
        if (begin + spellings.size() > end) continue;
        const bool same =
            std::equal(spellings.begin(), spellings.end(), source_.begin() + static_cast<long>(begin),
                       [](const Spelling& spelling, const std::string& word) { return spelling.plain == word; });
        Match with = match;
        with.lexemes[number] = i;
        const bool only_form = words.form_count[source_side] == 1 && next.form.parts.empty();
        if (!same || !(only_form || bind_form(rule, next.form, name, with))) continue;
        if (!next.arguments.empty() && !bind_arguments(next.arguments, words.lexemes[i].features, with)) continue;
        take(rule, item, begin, spellings.size(), end, with, found);
      }
    }
  }

  static bool narrow(Values& domain, Values to) { return (domain &= to) != 0; }

  static bool bind_arguments(const std::vector<Argument>& arguments, const std::vector<Values>& features,
                             Match& match) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      Values fixed = arguments[i].values;
      Values& domain = arguments[i].variable == Argument::none ? fixed : match.domains[arguments[i].variable];
      if (!narrow(domain, features[i])) return false;
    }
    return true;
  }

  // Binds the variables of a form: with form name "3.sg" and form per.num, per becomes 3 and num becomes sg.
  bool bind_form(const Rule& rule, const FormName& form, const std::string& name, Match& match) const {
    size_t begin = 0;
    for (const FormName::Part& part : form.parts) {
      if (begin > name.size()) return false;
      const size_t end = std::min(name.find('.', begin), name.size());
      const std::string here = name.substr(begin, end - begin);
      begin = end + 1;
      if (part.variable == Argument::none) {
        if (part.name != here) return false;
        continue;
      }
      const std::vector<std::string>& values = grammar_.features[rule.variables[part.variable].feature].values;
      const auto value = std::find(values.begin(), values.end(), here);
      if (value == values.end()) return false;
      if (!narrow(match.domains[part.variable], Values{1} << (value - values.begin()))) return false;
    }
    return begin == name.size() + 1;
  }

  // All source items are matched. Adds one parse per choice of the values that the target's forms need.
  void complete(const Rule& rule, const Match& match, Readings& found) {
    for (const Item& item : rule.sides[target_side]) {
      for (const FormName::Part& part : item.form.parts) {
        if (part.variable == Argument::none || single(match.domains[part.variable])) continue;
        for (size_t value = 0; value < 32; ++value) {
          Match with = match;
          if (narrow(with.domains[part.variable], Values{1} << value)) complete(rule, with, found);
        }
        return;
      }
    }
    Reading reading;
    for (const Argument& argument : rule.head) {
      reading.features.push_back(argument.variable == Argument::none ? argument.values
                                                                     : match.domains[argument.variable]);
    }
    for (const Item& item : rule.sides[target_side]) translate(rule, item, match, reading.target);
    found.insert(std::move(reading));
  }

  void translate(const Rule& rule, const Item& item, const Match& match, std::vector<TargetWord>& target) const {
    if (item.kind == Item::Kind::phrase) {
      const std::vector<TargetWord>& words = match.phrases.at(item.marks[0].number);
      target.insert(target.end(), words.begin(), words.end());
      return;
    }
    std::set<Bond> bonds;
    for (const Mark& mark : item.marks) {
      for (Bond bond : match.bonds.at(mark.number)) {
        bond.sure = bond.sure && mark.sure;
        bonds.insert(bond);
      }
    }
    std::string name;
    for (const FormName::Part& part : item.form.parts) {
      if (!name.empty()) name += '.';
      name += part.variable == Argument::none ? part.name : value_name(rule, part.variable, match);
    }
    Spellings spellings{item.word};
    if (item.kind == Item::Kind::table) spellings = {grammar_.tables[item.symbol].forms.at(name)};
    if (item.kind == Item::Kind::lexeme) {
      const WordClass& words = grammar_.classes[item.symbol];
      const size_t form = words.form_count[target_side] == 1 ? 0 : words.form_names[target_side].at(name);
      spellings = words.lexemes[match.lexemes.at(item.marks[0].number)].forms[target_side][form];
    }
    for (const Spelling& spelling : spellings) {
      target.push_back({spelling.plain, item.form.plain ? "" : spelling.before_vowel, bonds});
    }
  }

  std::string value_name(const Rule& rule, size_t variable, const Match& match) const {
    size_t value = 0;
    while (!(match.domains[variable] >> value & 1)) ++value;
    return grammar_.features[rule.variables[variable].feature].values[value];
  }

  const Grammar& grammar_;
  const Tokens source_;
  std::map<std::tuple<size_t, size_t, size_t>, Readings> chart_;
};

// The source without elision, for example "a" for "an". It is empty if the form of a word does not agree with the next
// word.
Tokens without_elision(const Tokens& source, const Phonology& phonology) {
  Tokens plain = source;
  for (size_t i = 0; i < source.size(); ++i) {
    const bool vowel = i + 1 < source.size() && vowel_first(source[i + 1], phonology);
    for (const auto& [word, elision] : phonology.elisions) {
      if (source[i] == (vowel ? word : elision.before_vowel)) return {};
      if (source[i] == elision.before_vowel) plain[i] = word;
    }
  }
  return plain;
}

}  // namespace

bool licensed(const Grammar& grammar, const Pair& pair) {
  const Tokens source = without_elision(pair.source, grammar.phonology[source_side]);
  if (source.empty() || !pair.gold) return false;
  Parser parser(grammar, source);
  for (const Reading& reading : parser.readings(grammar.start, 0, source.size())) {
    const std::vector<TargetWord> words = joined(reading.target, grammar.phonology[target_side]);
    Tokens target;
    std::set<Link> sure, possible;
    for (size_t t = 0; t < words.size(); ++t) {
      target.push_back(words[t].plain);
      for (const Bond& bond : words[t].bonds) (bond.sure ? sure : possible).insert({bond.source, t});
    }
    for (const Link& link : sure) possible.erase(link);
    const Gold gold{{sure.begin(), sure.end()}, {possible.begin(), possible.end()}};
    if (target == pair.target && gold == *pair.gold) return true;
  }
  return false;
}

}  // namespace testing
