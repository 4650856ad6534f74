#include "data/synthetic/repeated_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "data/corpus/pharaoh.h"

namespace softalign::data {

namespace {

const std::vector<std::string> all_names{"mary", "john", "sandra", "daniel", "anna", "peter",
                                         "lucy", "mark", "emma",   "paul",   "nina", "tom"};
const std::vector<std::string> all_things{"tea",   "chess", "music", "apples", "books",  "snow",
                                          "films", "trees", "cake",  "boats",  "poetry", "maps"};

}  // namespace

Repeats draw_repeats(std::size_t statements, std::size_t names, autograd::Random& random) {
  if (names == 0 || names > all_names.size())
    throw std::invalid_argument(fmt::format("statements of {} names; from 1 to {} are known", names, all_names.size()));
  const std::vector<std::string> known = random.some_of(all_names, names);
  Repeats repeats;
  struct Said {
    std::string thing;
    std::size_t statement;
  };
  std::map<std::string, Said> said;  // per name: the thing, and the last statement about it
  for (std::size_t i = 0; i < statements; ++i) {
    const std::string& name = random.one_of(known);
    const auto before = said.find(name);
    if (before != said.end()) repeats.returns.push_back({i * words_of_a_statement + 1, before->second.statement});
    const std::string thing = before != said.end() ? before->second.thing : random.one_of(all_things);
    said[name] = {thing, i};
    for (const std::string& word : {name, std::string("likes"), thing, std::string(".")}) repeats.text.push_back(word);
  }
  return repeats;
}

std::vector<std::string> repeats_words() {
  std::set<std::string> words{"likes", "."};
  words.insert(all_names.begin(), all_names.end());
  words.insert(all_things.begin(), all_things.end());
  return {words.begin(), words.end()};
}

// text_that_repeats returns six statements about four names: "TEXT\tTEXT\tLINKS". At least one name occurs again. Each
// link connects the thing in the previous statement about a name with the same thing in the next one.
SyntheticExample text_that_repeats(autograd::Random& random) {
  constexpr std::size_t statements = 6, names = 4;
  Repeats sampled;
  while (sampled.returns.empty()) sampled = draw_repeats(statements, names, random);
  Gold gold;
  for (const Repeats::Return& back : sampled.returns)
    gold.sure.push_back({back.statement * words_of_a_statement + 2, back.likes + 1});
  std::sort(gold.sure.begin(), gold.sure.end());
  const std::string text = join_words(sampled.text);
  return {fmt::format("{0}\t{0}\t{1}", text, format_gold(gold)), text, {}};
}

}  // namespace softalign::data
