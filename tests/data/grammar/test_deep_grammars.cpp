// Extreme grammars: long chains, rules of many phrases, many categories.
#include <fmt/format.h>

#include <cmath>
#include <ctime>

#include "data/grammar/derivation.h"
#include "data/grammar/grammar.h"
#include "data/grammar/read_grammar.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;

namespace {

using Lines = std::vector<std::string>;

void add_rule(Lines& lines, const std::string& head, const std::string& source, const std::string& target) {
  lines.insert(lines.end(), {head + "[]", "  en " + source, "  fr " + target});
}

// A grammar C0 -> C1 -> C2 ..., where each category but the last is preceded by `words`. `backwards` reverses the order
// of the declarations.
Lines chain(size_t length, const std::string& words, bool backwards) {
  Lines lines{"languages en fr", "start C0"};
  for (size_t i = 0; i <= length; ++i) lines.push_back(fmt::format("category C{}[]", backwards ? length - i : i));
  for (size_t i = 0; i < length; ++i)
    add_rule(lines, fmt::format("C{}", i), fmt::format("{}C{}~1", words, i + 1), fmt::format("{}C{}~1", words, i + 1));
  add_rule(lines, fmt::format("C{}", length), "end~1", "fin~1");
  return lines;
}

}  // namespace

TEST_CASE("a chain of renaming rules has a limit, in any order") {
  for (const bool backwards : {false, true}) {
    CHECK_NOTHROW(parse_grammar(chain(50, "", backwards), "g"));
    for (const size_t length : {51, 60, 50000})
      CHECK(testing::has(testing::user_error([&] { parse_grammar(chain(length, "", backwards), "g"); }),
                         "more than 50 rules in a row, beginning at"));
  }
}

TEST_CASE("a grammar with many categories is read in time that grows with their number") {
  for (const bool backwards : {false, true}) {
    const Grammar grammar = parse_grammar(chain(30000, "and~2 ", backwards), "g");
    const std::clock_t start = std::clock();
    CHECK(testing::has(testing::user_error([&] { Derivations(grammar, 20); }), "derives no sentence with at most 20"));
    // Linear time takes hundredths of a second, quadratic time minutes.
    CHECK(std::clock() - start < 20 * CLOCKS_PER_SEC);
  }
}

TEST_CASE("a rule with many phrases gives every length its probability in bounded time") {
  // S -> W^10; W -> one word (.5), or W and a word (.5). The lengths have a negative binomial distribution.
  Lines lines{"languages en fr", "start S", "category S[]", "category W[]"};
  std::string many;
  for (size_t i = 1; i <= 10; ++i) many += fmt::format("W~{} ", i);
  add_rule(lines, "S", many, many);
  add_rule(lines, "W", "a~1", "un~1");
  add_rule(lines, "W", "W~1 b~2", "W~1 deux~2");
  const Derivations derivations(parse_grammar(lines, "g"), 200);
  double binomial = 1;  // n - 1 choose 9
  for (size_t n = 10; n <= 200; ++n) {
    CHECK(derivations.length_probability()[n] == Approx(binomial * std::pow(.5, n)).epsilon(1e-9));
    binomial *= static_cast<double>(n) / static_cast<double>(n - 9);
  }
  autograd::Random random(1);
  CHECK(derivations.draw(200, random).phrases.size() == 10);
}
