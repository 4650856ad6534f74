#include <algorithm>
#include <set>
#include <string>

#include "autograd/random.h"
#include "data/corpus/pharaoh.h"
#include "data/grammar/derivation.h"
#include "data/grammar/grammar.h"
#include "data/grammar/read_grammar.h"
#include "data/grammar/sampler.h"
#include "data/grammar/surface.h"
#include "tests/catch.h"
#include "tests/data/grammar/small_grammar.h"

using namespace softalign;
using namespace data;
using small_grammar::lines;
using testing::has;
using testing::misuse;
using testing::user_error;

namespace {

std::vector<Pair> all_pairs(size_t count, uint64_t seed = 1) {
  const Grammar grammar = parse_grammar(lines(), "g");
  SampleOptions options;
  options.pairs = count;
  options.seed = seed;
  return sample_corpus(grammar, options);
}

}  // namespace

TEST_CASE("grammar: all its sentences have correct forms, agreement, elision, contraction, links and tags") {
  // There are 4 nouns in 2 numbers in 2 sentences, without the reserved sentence.
  std::set<std::string> written;
  for (const Pair& pair : all_pairs(15)) {
    std::string tags;
    for (const std::string& tag : pair.tags) tags += " " + tag;
    written.insert(join_words(pair.source) + " = " + join_words(pair.target) + " = " + format_gold(*pair.gold) + tags);
  }
  CHECK(written == std::set<std::string>{
                       "the dogs sleeps = les chiens dort = 0-0 1-1 2-2",
                       "the owl sleeps = le hibou dort = 0-0 1-1 2-2 animal",
                       "the owls sleeps = les hiboux dort = 0-0 1-1 2-2 animal",
                       "the potato sleeps = la pomme de terre dort = 0-0 1-1 1-2 1-3 2-4",
                       "the potatoes sleeps = les pommes de terre dort = 0-0 1-1 1-2 1-3 2-4",
                       "the man sleeps = l' homme dort = 0-0 1-1 2-2",
                       "the men sleeps = les hommes dort = 0-0 1-1 2-2",
                       "fear of the dog indeed = peur du chien = 0-0 1-1 2-1 3-2 4?0 contraction of",
                       "fear of the dogs indeed = peur de les chiens = 0-0 1-1 2-2 3-3 4?0 of",
                       "fear of the owl indeed = peur du hibou = 0-0 1-1 2-1 3-2 4?0 animal contraction of",
                       "fear of the owls indeed = peur de les hiboux = 0-0 1-1 2-2 3-3 4?0 animal of",
                       "fear of the potato indeed = peur de la pomme de terre = 0-0 1-1 2-2 3-3 3-4 3-5 4?0 of",
                       "fear of the potatoes indeed = peur de les pommes de terre = 0-0 1-1 2-2 3-3 3-4 3-5 4?0 of",
                       "fear of the man indeed = peur de l' homme = 0-0 1-1 2-2 3-3 4?0 of",
                       "fear of the men indeed = peur de les hommes = 0-0 1-1 2-2 3-3 4?0 of",
                   });
}

TEST_CASE("grammar: weights are probabilities of rules and words") {
  const Grammar grammar = parse_grammar(lines(), "g");
  const Derivations derivations(grammar, 10);
  CHECK(derivations.length_probability()[3] == Approx(0.75));
  CHECK(derivations.length_probability()[5] == Approx(0.25));
  CHECK(derivations.length_probability()[4] == 0);
  Random random(5);
  size_t owls = 0, plural = 0;
  const size_t draws = 4000;
  for (size_t i = 0; i < draws; ++i) {
    const std::string noun = spell_out(grammar, derivations.draw(3, random)).source[1];
    owls += noun == "owl" || noun == "owls";
    plural += noun.back() == 's' || noun == "men";
  }
  // Owls have weight 2 of 5, and half of the nouns are plural. Four standard deviations are 0.031.
  CHECK(static_cast<double>(owls) / draws == Approx(0.4).margin(0.031));
  CHECK(static_cast<double>(plural) / draws == Approx(0.5).margin(0.032));
}

TEST_CASE("grammar: recursive sentences of any length are sampled exactly") {
  std::vector<std::string> recursive = lines();
  recursive.insert(recursive.end(), {"S[] *5", "  en S~1 and~2 S~3", "  fr S~1 et~2 S~3"});
  const Grammar grammar = parse_grammar(recursive, "g");
  SampleOptions options;
  options.pairs = 40;
  options.min_length = 20;
  options.max_length = 99;
  options.spread = true;
  std::set<size_t> lengths;
  for (const Pair& pair : sample_corpus(grammar, options)) {
    CHECK(pair.source.size() >= 20);
    CHECK(pair.source.size() <= 99);
    lengths.insert(pair.source.size());
  }
  CHECK(lengths.size() == 40);  // only odd lengths exist, with one pair each
}

TEST_CASE("sampling: the same seed gives the same pairs, and another seed gives another order") {
  const auto sources = [](const std::vector<Pair>& pairs) {
    std::vector<std::string> all;
    for (const Pair& pair : pairs) all.push_back(join_words(pair.source));
    return all;
  };
  CHECK(sources(all_pairs(15, 7)) == sources(all_pairs(15, 7)));
  CHECK(sources(all_pairs(15, 7)) != sources(all_pairs(15, 8)));
}

TEST_CASE("sampling: excluded sentences do not occur on either side") {
  const Grammar grammar = parse_grammar(lines(), "g");
  const std::vector<Pair> first = all_pairs(10);
  SampleOptions options;
  options.pairs = 5;
  for (const Pair& pair : sample_corpus(grammar, options, first)) {
    for (const Pair& old : first) {
      CHECK(pair.source != old.source);
      CHECK(pair.target != old.target);
    }
  }
  std::vector<Pair> only_targets = first;
  for (Pair& pair : only_targets) pair.source = {"another"};
  for (const Pair& pair : sample_corpus(grammar, options, only_targets)) {
    for (const Pair& old : first) CHECK(pair.target != old.target);
  }
}

TEST_CASE("sampling: a source that becomes too short by contraction is sampled again") {
  SampleOptions options;
  options.pairs = 1;
  options.min_length = options.max_length = 2;
  const Grammar grammar = parse_grammar(
      {"languages en fr", "start S", "category S[]", "contract en x y xy", "S[] *9", "  en x~1 y~2", "  fr a~1 b~2",  //
       "S[]", "  en u~1 w~2", "  fr c~1 d~2"},
      "g");
  for (options.seed = 1; options.seed < 20; ++options.seed)
    CHECK(sample_corpus(grammar, options)[0].source == Tokens{"u", "w"});
}

TEST_CASE("sampling: a grammar with too few sentences is an error, not an endless search") {
  CHECK(has(user_error([] { all_pairs(16); }),
            "g: the program found no new pair in 20000 attempts, and has 15 of 16 pairs. Generate fewer or longer "
            "pairs, or add rules or words"));
  const Grammar grammar = parse_grammar(lines(), "g");
  SampleOptions options;
  options.pairs = 1;
  options.min_length = options.max_length = 4;
  CHECK(has(user_error([&] { sample_corpus(grammar, options); }),
            "g: the grammar derives no sentence with 4 to 4 words. Change --min-length or --max-length"));
  options.spread = true;
  CHECK(has(user_error([&] { sample_corpus(grammar, options); }),
            "g: the grammar derives no sentence with 4 to 4 words. Change --min-length or --max-length"));
  options.max_length = 3;
  CHECK(has(misuse([&] { sample_corpus(grammar, options); }), "expected 1 <= min <= max"));
  options.min_length = 1;
  options.max_length = 2;
  CHECK(has(user_error([&] { sample_corpus(grammar, options); }),
            "S derives no sentence with at most 2 words. Add a rule without categories, or raise --max-length"));
}

TEST_CASE("bad grammar: errors in files are reported") {
  const TemporaryFolder folder;
  CHECK(has(user_error([&] { read_grammar(folder.file("none")); }), folder.file("none")));
  CHECK(has(user_error([&] { read_grammar(folder.path.string()); }), "folder"));
  CHECK(has(user_error([&] { read_grammar(folder.file("empty", "")); }), "empty"));
  CHECK(has(user_error([&] { read_grammar(folder.file("comment", "# nothing\n")); }),
            "comment:1: the grammar has no rule"));
  CHECK(has(user_error([&] { read_grammar(folder.file("bytes", "languages en fr\nstart \xff\n")); }), "bytes:2: "));
  const std::string text = "i love you\tje t' aime\n";
  CHECK(has(user_error([&] { read_grammar(folder.file("a.tsv", text)); }), "a.tsv:1: the first line must be"));
}
