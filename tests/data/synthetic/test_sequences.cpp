// Sequence tasks: gold links lead to the words that the answer needs, and the answer follows the definition of the
// task.
#include "data/corpus/pharaoh.h"
#include "data/synthetic/sequences.h"

#include <algorithm>
#include <map>
#include <set>

#include "tests/catch.h"

using namespace softalign;

namespace {

using namespace data;

constexpr size_t many = 300;
std::vector<Pair> some(const std::string& task, size_t pairs = many, uint64_t seed = 1) {
  return sample_sequences(task, {.pairs = pairs, .min_length = 4, .max_length = 12, .seed = seed});
}

// The source words with a sure link to target word t.
std::vector<size_t> looked_at(const Pair& pair, size_t t) {
  std::vector<size_t> places;
  for (const Link& link : pair.gold->sure)
    if (link.target == t) places.push_back(link.source);
  return places;
}

// The part of "a/2" before the slash, a, or the part behind it, 2.
std::string part(const std::string& word, bool behind) {
  const size_t slash = word.find('/');
  return behind ? word.substr(slash + 1) : word.substr(0, slash);
}

}  // namespace

TEST_CASE("sequence tasks: every target word has one sure link, and files are read back") {
  for (const SequenceTask& task : sequence_tasks()) {
    INFO(task.name);
    std::set<std::string> sources;
    for (const Pair& pair : some(std::string(task.name))) {
      CHECK(pair.source.size() >= 4);
      CHECK(pair.source.size() <= 12);
      CHECK(sources.insert(join_words(pair.source)).second);
      for (size_t t = 0; t < pair.target.size(); ++t) {
        REQUIRE(looked_at(pair, t).size() == 1);
        CHECK(looked_at(pair, t)[0] < pair.source.size());
      }
      const std::string text = format_gold(*pair.gold);
      CHECK(parse_gold(text, pair.source.size(), pair.target.size(), "here") == *pair.gold);
    }
  }
}

TEST_CASE("copy, reverse and rotate: the target has the source's word at the linked position") {
  for (const Pair& pair : some("copy")) {
    CHECK(pair.source == pair.target);
    for (size_t t = 0; t < pair.target.size(); ++t) CHECK(looked_at(pair, t)[0] == t);
  }
  for (const Pair& pair : some("reverse")) {
    CHECK(Tokens(pair.source.rbegin(), pair.source.rend()) == pair.target);
    for (size_t t = 0; t < pair.target.size(); ++t) CHECK(looked_at(pair, t)[0] == pair.source.size() - 1 - t);
  }
  for (const Pair& pair : some("rotate")) {
    Tokens moved = pair.source;
    std::rotate(moved.begin(), moved.end() - 3, moved.end());
    CHECK(moved == pair.target);
    for (size_t t = 3; t < pair.target.size(); ++t) CHECK(looked_at(pair, t)[0] == t - 3);
  }
}

TEST_CASE("twin: the target is the number of the other equal letter") {
  for (const Pair& pair : some("twin")) {
    for (size_t t = 0; t < pair.target.size(); ++t) {
      const size_t other = looked_at(pair, t)[0];
      CHECK(other != t);
      CHECK(part(pair.source[other], false) == part(pair.source[t], false));
      CHECK(part(pair.source[other], true) == pair.target[t]);
      CHECK(std::count_if(pair.source.begin(), pair.source.end(), [&](const std::string& word) {
              return part(word, false) == part(pair.source[t], false);
            }) == 2);
    }
  }
}

TEST_CASE("recall and rewrite: the target is the last value after the key") {
  for (const std::string task : {"recall", "rewrite"}) {
    size_t come_again = 0;
    for (const Pair& pair : some(task)) {
      std::map<std::string, size_t> last;
      for (size_t i = 0; i + 1 < pair.source.size(); i += 2) {
        come_again += last.contains(pair.source[i]);
        last[pair.source[i]] = i + 1;
      }
      const size_t place = last.at(pair.source.back());
      REQUIRE(pair.target == Tokens{pair.source[place]});
      CHECK(looked_at(pair, 0)[0] == place);
      CHECK(pair.gold->possible == Links{{place - 1, 0}});
    }
    CHECK((come_again > 0) == (task == "rewrite"));
  }
}

TEST_CASE("induction: a text that repeats its beginning continues in the same way") {
  for (const Pair& pair : some("induction")) {
    const std::set<std::string> words(pair.source.begin(), pair.source.end());
    const size_t again = pair.source.size() - words.size();
    CHECK(pair.target.size() == words.size() - again);
    for (size_t i = 0; i < again; ++i) CHECK(pair.source[words.size() + i] == pair.source[i]);
    for (size_t t = 0; t < pair.target.size(); ++t) {
      CHECK(looked_at(pair, t)[0] == again + t);
      CHECK(pair.target[t] == pair.source[again + t]);
    }
  }
  CHECK(sample_sequences("induction", {.pairs = 5, .min_length = 51, .max_length = 99, .seed = 1}).size() == 5);
}

TEST_CASE("sequence tasks: the same seed gives the same pairs, and excluded sources do not occur") {
  const auto sources = [](const std::vector<Pair>& pairs) {
    std::set<std::string> all;
    for (const Pair& pair : pairs) all.insert(join_words(pair.source));
    return all;
  };
  const std::vector<Pair> first = some("recall");
  CHECK(format_tsv(first) == format_tsv(some("recall")));
  CHECK(format_tsv(first) != format_tsv(some("recall", many, 2)));
  const SequenceOptions short_ones{.pairs = 400, .min_length = 2, .max_length = 2, .seed = 3};
  const std::vector<Pair> known = sample_sequences("reverse", short_ones);  // 400 of 26 * 26 sequences
  SequenceOptions rest = short_ones;
  rest.pairs = 276;
  std::set<std::string> all = sources(known);
  all.merge(sources(sample_sequences("reverse", rest, known)));
  CHECK(all.size() == 676);
}

TEST_CASE("sequence tasks refuse impossible options and list the possible ones") {
  const auto refused = [](const std::string& task, const SequenceOptions& options, const std::string& why) {
    CHECK_THROWS_WITH(sample_sequences(task, options), Catch::Contains(why));
  };
  refused("sort", {.pairs = 1}, "known are copy, reverse, rotate, twin, recall, rewrite, induction");
  refused("recall", {.pairs = 1, .min_length = 4, .max_length = 4}, "have 3 to 53 words, and only every second length");
  refused("reverse", {.pairs = 1, .min_length = 900, .max_length = 901},
          "no source can have 900 to 901 words. The sources of this task have");
  refused("twin", {.pairs = 1, .min_length = 53, .max_length = 60},
          "no source can have 53 to 60 words. The sources of this task have");
  refused("reverse", {.pairs = 677, .min_length = 2, .max_length = 2},
          "attempts, and has 676 of 677 pairs. Generate fewer or longer pairs");
}
