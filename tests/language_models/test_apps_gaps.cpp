// The sentences of `reproduce gaps`: articles and verbs agree with the nouns that the gold links name.
#include "apps/language_models/gaps.h"

#include <set>

#include "tests/catch.h"

using namespace softalign;

namespace {

using apps::Sentences;
using autograd::Id;
using autograd::Random;
using Decided = Sentences::Decided;

}  // namespace

TEST_CASE("gaps: an article has its noun's gender, a verb has the first noun's number, and names determine both") {
  constexpr std::size_t B = 100;
  Random random(1);
  const Sentences sentences(B, random);
  std::size_t attractors = 0, articles = 0;
  std::set<std::size_t> places;  // positions of the first noun
  for (std::size_t b = 0; b < B; ++b) {
    const auto word = [&](std::size_t t) { return Sentences::name(sentences.words[t * B + b]); };
    const auto plural = [&](std::size_t t) { return word(t).ends_with("s"); };
    for (const Sentences::Gap& gap : sentences.gaps[b]) {
      const std::string noun = word(gap.gold);
      if (gap.what == Decided::article) {
        ++articles;
        CHECK(word(gap.at) == std::string("t") + noun[1]);
        CHECK((gap.gold > gap.at && gap.gold <= gap.at + 3));
        continue;
      }
      CHECK(gap.at == 4);
      CHECK(word(4).ends_with("en") == plural(gap.gold));
      places.insert(gap.gold);
      // The second noun is the word behind the verb's phrase whose vowels agree.
      std::size_t other = 6;
      while (word(other).size() < 4 || word(other)[1] != word(other)[3]) ++other;
      CHECK(gap.attractor == (plural(other) != plural(gap.gold)));
      attractors += gap.attractor;
    }
    CHECK(sentences.gaps[b].back().what == Decided::verb);
  }
  CHECK(places == std::set<std::size_t>{1, 2, 3});
  CHECK((attractors > 30 && attractors < 70));
  CHECK((articles > 70 && articles < 130));
  Random again(1), other(2);
  CHECK(Sentences(B, again).words == sentences.words);
  CHECK(Sentences(B, other).words != sentences.words);
}

TEST_CASE("gaps: verbs of the same number agree for any stem, and articles only if they are equal") {
  const auto [article, nouns] = Sentences::kind(Decided::article);
  CHECK(nouns - article == 3);
  CHECK(Sentences::agree(Decided::article, article, article));
  CHECK_FALSE(Sentences::agree(Decided::article, article, article + 1));
  const auto [verb, end] = Sentences::kind(Decided::verb);
  REQUIRE(end - verb == 8);
  for (Id i = 0; i < 8; ++i) {
    CHECK(Sentences::name(verb + i).ends_with("en") == (i >= 4));
    CHECK(Sentences::agree(Decided::verb, verb, verb + i) == (i < 4));
  }
  CHECK(Sentences::name(Sentences::mask()) == "[MASK]");
}
