#include <algorithm>
#include <set>
#include <string>

#include "autograd/storage/random.h"
#include "data/grammar/grammar.h"
#include "data/grammar/internal/derivation.h"
#include "data/grammar/internal/surface.h"
#include "data/grammar/sampler.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace data;
using testing::has;
using testing::misuse;
using testing::user_error;

namespace {

// A whole grammar in 28 lines; the tests replace lines of it by number.
std::vector<std::string> lines() {
  return {
      "languages en fr",                                           // 1
      "start S",                                                   // 2
      "feature num sg pl",                                         // 3
      "feature gen m f",                                           // 4
      "vowels fr aeiouéh except hibou",                            // 5
      "before-vowel fr le l'",                                     // 6
      "contract fr de le du @contraction",                         // 7
      "reserve the dog sleeps",                                    // 8
      "category S[]",                                              // 9
      "category NP[num gen]",                                      // 10
      "table le m.sg=le f.sg=la m.pl/f.pl=les",                    // 11
      "paradigm fr +s - s",                                        // 12
      "class Noun[gen]",                                           // 13
      "  en sg pl",                                                // 14
      "  fr sg pl",                                                // 15
      "Noun[m] dog dogs = chien+s",                                // 16
      "Noun[m] *2 @animal owl owls = hibou hiboux",                // 17
      "Noun[f] potato potatoes = pomme_de_terre pommes_de_terre",  // 18
      "Noun[m] man men = homme+s",                                 // 19
      "S[] *3",                                                    // 20
      "  en NP[_ _]~1 sleeps~2",                                   // 21
      "  fr NP~1 dort~2",                                          // 22
      "S[] @of",                                                   // 23
      "  en fear~1 of~2 NP[_ _]~3 indeed?1",                       // 24
      "  fr peur~1 de~2 NP~3",                                     // 25
      "NP[num gen]",                                               // 26
      "  en the~1 Noun[gen].num~2",                                // 27
      "  fr le.gen.num~1 Noun.num~2",                              // 28
  };
}

std::string error_with(size_t line, const std::string& text) {
  std::vector<std::string> changed = lines();
  changed[line - 1] = text;
  return user_error([&] { parse_grammar(changed, "g"); });
}

std::string error_adding(const std::vector<std::string>& more) {
  std::vector<std::string> changed = lines();
  changed.insert(changed.end(), more.begin(), more.end());
  return user_error([&] { parse_grammar(changed, "g"); });
}

std::vector<Pair> all_pairs(size_t count, uint64_t seed = 1) {
  const Grammar grammar = parse_grammar(lines(), "g");
  SampleOptions options;
  options.pairs = count;
  options.seed = seed;
  return sample_corpus(grammar, options);
}

}  // namespace

TEST_CASE("grammar: forms, agreement, elision, contraction, links and tags of all its sentences") {
  // 4 nouns in 2 numbers in 2 sentences, without the reserved one
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

TEST_CASE("grammar: weights are probabilities, of rules and of words") {
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
  // weight 2 of 5, and half; four standard deviations are 0.031
  CHECK(static_cast<double>(owls) / draws == Approx(0.4).margin(0.031));
  CHECK(static_cast<double>(plural) / draws == Approx(0.5).margin(0.032));
}

TEST_CASE("grammar: recursion is drawn to any length exactly") {
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
  CHECK(lengths.size() == 40);  // only odd lengths exist, each has one pair
}

TEST_CASE("sampling: same seed, same pairs, another seed, another order") {
  const auto sources = [](const std::vector<Pair>& pairs) {
    std::vector<std::string> all;
    for (const Pair& pair : pairs) all.push_back(join_words(pair.source));
    return all;
  };
  CHECK(sources(all_pairs(15, 7)) == sources(all_pairs(15, 7)));
  CHECK(sources(all_pairs(15, 7)) != sources(all_pairs(15, 8)));
}

TEST_CASE("sampling: excluded sentences do not come again, on either side") {
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

TEST_CASE("sampling: a grammar that has not enough sentences is an error, not an endless search") {
  CHECK(has(user_error([] { all_pairs(16); }), "g: no new pair in 20000 draws, after 15 of the 16 wanted"));
  const Grammar grammar = parse_grammar(lines(), "g");
  SampleOptions options;
  options.pairs = 1;
  options.min_length = options.max_length = 4;
  CHECK(has(user_error([&] { sample_corpus(grammar, options); }), "g: no sentence has 4 to 4 words"));
  options.spread = true;
  CHECK(has(user_error([&] { sample_corpus(grammar, options); }), "g: no sentence has 4 to 4 words"));
  options.max_length = 3;
  CHECK(has(misuse([&] { sample_corpus(grammar, options); }), "expected 1 <= min <= max"));
  options.min_length = 1;
  options.max_length = 2;
  CHECK(has(user_error([&] { sample_corpus(grammar, options); }), "S derives no sentence of at most 2 words"));
}

TEST_CASE("bad grammar: files") {
  const TemporaryFolder folder;
  CHECK(has(user_error([&] { read_grammar(folder.file("none")); }), folder.file("none")));
  CHECK(has(user_error([&] { read_grammar(folder.path.string()); }), "folder"));
  CHECK(has(user_error([&] { read_grammar(folder.file("empty", "")); }), "empty"));
  CHECK(has(user_error([&] { read_grammar(folder.file("comment", "# nothing\n")); }), "comment:1: no rule"));
  CHECK(has(user_error([&] { read_grammar(folder.file("bytes", "languages en fr\nstart \xff\n")); }), "bytes:2: "));
  const std::string text = "i love you\tje t' aime\n";
  CHECK(has(user_error([&] { read_grammar(folder.file("a.tsv", text)); }), "a.tsv:1: the first line must be"));
}

TEST_CASE("bad grammar: names") {
  CHECK(error_with(1, "start S") == "g:3: the first line must be \"languages SOURCE TARGET\"");
  CHECK(has(error_with(2, "# no start"), "no start category"));
  CHECK(error_with(2, "start T") == "g:2: T is not declared");
  CHECK(error_with(2, "start NP") == "g:2: NP is not a category without features");
  CHECK(has(error_with(3, "featur num sg pl"), "g:3: \"featur\" begins no kind of line"));
  CHECK(error_with(4, "feature num m f") == "g:4: num is declared twice");
  CHECK(error_with(4, "feature gen sg f") == "g:4: sg is declared twice");
  CHECK(error_with(10, "category NP[number gen]") == "g:10: number is not a feature");
  CHECK(error_with(21, "  en VP~1 sleeps~2") == "g:21: VP is not declared");
  CHECK(error_with(28, "  fr la.gen.num~1 Noun.num~2") == "g:28: la.gen.num: there is no such table");
  CHECK(error_adding({"category VP[]"}) == "g:29: category VP has no rule");
  CHECK(error_adding({"class Verb[]", "  en any", "  fr any"}) == "g:29: class Verb has no word");
  CHECK(has(error_with(22, "  de NP~1 dort~2"), "g:22: \"de\" is no side; expected en or fr"));
}

TEST_CASE("bad grammar: words and forms") {
  CHECK(error_with(16, "Noun[m] dog = chien+s") == "g:16: 1 en forms, expected 2");
  CHECK(error_with(16, "Noun[m] dog dogs = chien+x") == "g:16: chien+x: no paradigm +x with 2 endings on this side");
  CHECK(error_with(16, "Noun[m] dog dogs chien+s") == "g:16: expected CLASS[features] source forms = target forms");
  CHECK(error_with(16, "Noun[m sg] dog dogs = chien+s") == "g:16: Noun has 1 features, here are 2");
  CHECK(error_with(16, "Noun[sg] dog dogs = chien+s") ==
        "g:16: \"sg\" is no value of gen; expected one or several of m/f");
  CHECK(has(error_with(16, "Noun[m] *0 dog dogs = chien+s"), "g:16: \"*0\" is no weight"));
  CHECK(has(error_with(16, "Noun[m] *nan dog dogs = chien+s"), "g:16: \"*nan\" is no weight"));
  CHECK(error_with(16, "Noun[m] dog dogs = chien| chiens") ==
        "g:16: \"chien|\" is no word; expected WORD or WORD|BEFORE_VOWEL");
  CHECK(has(error_with(15, "Noun[m] dog dogs = chien+s"), "g:13: class Noun needs two indented lines"));
  CHECK(error_with(11, "table le m.sg=le f.sg=la m.pl=les") == "g:26: table le has no form \"f.pl\"");
  CHECK(error_with(27, "  en the~1 Noun[gen].plural~2") == "g:26: class Noun has no en form \"plural\"");
}

TEST_CASE("bad grammar: rules and links") {
  CHECK(error_with(22, "  fr NP~1 dort~3") == "g:20: number 2 has no partner on the fr side");
  CHECK(error_with(22, "  fr dort~2") == "g:20: number 1 has no partner on the fr side");
  CHECK(error_with(22, "  fr NP~1 NP~1 dort~2") ==
        "g:20: number 1 is a phrase and stands on exactly one item of each side");
  CHECK(error_with(22, "  fr Noun.sg~1 dort~2") == "g:20: number 1 stands on two different classes or categories");
  CHECK(error_with(21, "  en NP~1 sleeps~2") == "g:20: number 1 lacks its 2 features in brackets");
  CHECK(has(error_with(21, "  en NP[_ _] sleeps~2"), "g:21: NP[_ _] needs one number, as in NP~1"));
  CHECK(has(error_with(21, "  en NP[_ _]?1 sleeps~2"), "g:21: NP[_ _] needs one number"));
  CHECK(error_with(21, "  en NP[num]~1 sleeps~2") == "g:21: NP has 2 features, here are 1");
  CHECK(error_with(21, "  en NP[gen num]~1 sleeps~2") == "g:21: gen stands where num is expected");
  CHECK(error_with(24, "  en fear~1 of~2 NP[_ gen2]~3 indeed?1") ==
        "g:23: gen2 stands alone and agrees with nothing; write _");
  CHECK(has(error_with(28, "# no French"), "g:26: a rule needs two indented lines"));
  CHECK(has(error_with(20, "S[] *3 and more"), "g:20: \"and\" is one too many"));
  CHECK(error_with(19, "  en stray") == "g:19: an indented line that belongs to no rule and no class");
  CHECK(has(error_adding({"S[]", "  en S~1", "  fr S~1"}), "g:29: this rule and those of S derive each other"));
}
