// In repeated texts, a name that occurs again likes the same thing. Gold links name the earlier statement.
#include "data/synthetic/repeated_texts.h"

#include <map>
#include <set>
#include <stdexcept>

#include "tests/catch.h"

using namespace softalign;

namespace {

using namespace data;

Repeats drawn(size_t statements, size_t names, std::uint64_t seed) {
  autograd::Random random(seed);
  return draw_repeats(statements, names, random);
}

}  // namespace

TEST_CASE("repeats: a repeated name likes the same thing, and gold points to its last mention") {
  size_t returns = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Repeats repeats = drawn(8, 5, seed);
    REQUIRE(repeats.text.size() == 8 * words_of_a_statement);
    std::map<std::string, size_t> last;  // name -> its last statement
    std::vector<std::pair<size_t, size_t>> expected;
    for (size_t i = 0; i < 8; ++i) {
      const std::string& name = repeats.text[4 * i];
      CHECK((repeats.text[4 * i + 1] == "likes" && repeats.text[4 * i + 3] == "."));
      if (last.count(name)) {
        expected.emplace_back(4 * i + 1, last[name]);
        CHECK(repeats.text[4 * last[name] + 2] == repeats.text[4 * i + 2]);
      }
      last[name] = i;
    }
    CHECK(last.size() <= 5);
    REQUIRE(repeats.returns.size() == expected.size());
    for (size_t r = 0; r < expected.size(); ++r)
      CHECK(std::pair(repeats.returns[r].likes, repeats.returns[r].statement) == expected[r]);
    returns += expected.size();
  }
  CHECK(returns > 500);
}

TEST_CASE("repeats: all words are listed once, equal seeds give equal texts, and impossible options are errors") {
  const std::vector<std::string> words = repeats_words();
  const std::set<std::string> known(words.begin(), words.end());
  CHECK(known.size() == words.size());
  std::set<std::string> met;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Repeats repeats = drawn(6, most_names, seed);
    met.insert(repeats.text.begin(), repeats.text.end());
    CHECK(drawn(6, most_names, seed).text == repeats.text);
  }
  CHECK(met == known);
  CHECK(drawn(6, 4, 1).text != drawn(6, 4, 2).text);
  CHECK_THROWS_AS(drawn(6, 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(drawn(6, most_names + 1, 1), std::invalid_argument);
}
