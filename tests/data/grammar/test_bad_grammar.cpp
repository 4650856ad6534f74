// For invalid grammars, the message names the line and its fault.
#include <set>
#include <string>

#include "autograd/random.h"
#include "data/grammar/derivation.h"
#include "data/grammar/read_grammar.h"
#include "data/grammar/sampler.h"
#include "tests/catch.h"
#include "tests/data/grammar/small_grammar.h"

using namespace softalign;
using namespace data;
using namespace small_grammar;
using testing::has;
using testing::misuse;

TEST_CASE("bad grammar: invalid names are refused") {
  CHECK(error_with(1, "start S") == "g:3: the first line must be \"languages SOURCE TARGET\"");
  CHECK(has(error_with(2, "# no start"), "no start category"));
  CHECK(error_with(2, "start T") == "g:2: T is not declared");
  CHECK(error_with(2, "start NP") == "g:2: the start category must be a category without features, but NP is none");
  CHECK(has(error_with(3, "featur num sg pl"), "g:3: \"featur\" does not begin a line of a grammar"));
  CHECK(error_with(4, "feature num m f") == "g:4: num is declared twice");
  CHECK(error_with(4, "feature gen sg f") == "g:4: sg is declared twice");
  CHECK(error_with(10, "category NP[number gen]") == "g:10: number is not a feature");
  CHECK(error_with(21, "  en VP~1 sleeps~2") == "g:21: VP is not declared");
  CHECK(error_with(28, "  fr la.gen.num~1 Noun.num~2") == "g:28: la.gen.num: there is no such table");
  CHECK(error_adding({"category VP[]"}) == "g:29: category VP has no rule");
  CHECK(error_adding({"class Verb[]", "  en any", "  fr any"}) == "g:29: class Verb has no word");
  CHECK(has(error_with(22, "  de NP~1 dort~2"), "g:22: \"de\" is not a side of the grammar. Write en or fr"));
}

TEST_CASE("bad grammar: invalid words and forms are refused") {
  CHECK(error_with(16, "Noun[m] dog = chien+s") == "g:16: 1 en forms, expected 2");
  CHECK(error_with(16, "Noun[m] dog dogs = chien+x") ==
        "g:16: chien+x: there is no paradigm +x with 2 endings on this side");
  CHECK(error_with(16, "Noun[m] dog dogs chien+s") ==
        "g:16: this line must have the form: CLASS[features] source forms = target forms");
  CHECK(error_with(16, "Noun[m sg] dog dogs = chien+s") == "g:16: Noun has 1 features, here are 2");
  CHECK(error_with(16, "Noun[sg] dog dogs = chien+s") ==
        "g:16: \"sg\" is not a value of gen. Write one or several of m/f");
  CHECK(has(error_with(16, "Noun[m] *0 dog dogs = chien+s"), "g:16: \"*0\" is not a weight"));
  CHECK(has(error_with(16, "Noun[m] *nan dog dogs = chien+s"), "g:16: \"*nan\" is not a weight"));
  CHECK(error_with(16, "Noun[m] dog dogs = chien| chiens") ==
        "g:16: \"chien|\" is not a word. Write WORD or WORD|BEFORE_VOWEL");
  CHECK(has(error_with(15, "Noun[m] dog dogs = chien+s"), "g:13: class Noun needs two indented lines"));
  CHECK(error_with(11, "table le m.sg=le f.sg=la m.pl=les") == "g:26: table le has no form \"f.pl\"");
  CHECK(error_with(27, "  en the~1 Noun[gen].plural~2") == "g:26: class Noun has no en form \"plural\"");
}

TEST_CASE("bad grammar: invalid rules and links are refused") {
  CHECK(error_with(22, "  fr NP~1 dort~3") ==
        "g:20: the number ~2 is missing on the fr side of the rule. It links two words, so write it on both sides");
  CHECK(error_with(22, "  fr dort~2") ==
        "g:20: the number ~1 is missing on the fr side of the rule. It links two words, so write it on both sides");
  CHECK(error_with(22, "  fr NP~1 NP~1 dort~2") ==
        "g:20: the number ~1 marks a phrase, so it must occur exactly once on each side");
  CHECK(error_with(22, "  fr Noun.sg~1 dort~2") ==
        "g:20: the number ~1 marks two different classes or categories. Use different numbers");
  CHECK(error_with(21, "  en NP~1 sleeps~2") == "g:20: number 1 needs 2 features in brackets");
  CHECK(has(error_with(21, "  en NP[_ _] sleeps~2"), "g:21: NP[_ _] needs one number, as in NP~1"));
  CHECK(has(error_with(21, "  en NP[_ _]?1 sleeps~2"), "g:21: NP[_ _] needs one number"));
  CHECK(error_with(21, "  en NP[num]~1 sleeps~2") == "g:21: NP has 2 features, here are 1");
  CHECK(error_with(21, "  en NP[gen num]~1 sleeps~2") == "g:21: gen stands where num is expected");
  CHECK(error_with(24, "  en fear~1 of~2 NP[_ gen2]~3 indeed?1") ==
        "g:23: the variable gen2 occurs only once, so nothing agrees with it. Write _ instead");
  CHECK(has(error_with(28, "# no French"), "g:26: a rule needs two indented lines"));
  CHECK(has(error_with(20, "S[] *3 and more"), "g:20: \"and\" is one word too many"));
  CHECK(error_with(19, "  en stray") == "g:19: this indented line belongs to no rule and to no class");
  CHECK(has(error_adding({"S[]", "  en S~1", "  fr S~1"}),
            "g:29: this rule and the rules of S derive each other without adding a word, so a derivation might never "
            "end. Remove one of these rules"));
}

TEST_CASE("bad grammar: the message names the error of each declaration") {
  CHECK(error_with(3, "feature num2 sg pl") ==
        "g:3: the name of a feature must not end in a digit, because number1 and number2 are two variables of the "
        "feature number");
  std::string many = "feature num";
  for (int i = 0; i < 32; ++i) many += " v" + std::to_string(i);
  CHECK(error_with(3, many) == "g:3: a feature can have at most 31 values");
  CHECK(error_adding({"set any NP"}) == "g:29: NP is not a value of any feature");
  CHECK(error_adding({"set Any sg pl", "Any[] *2"}) == "g:30: Any is no category");
  CHECK(error_with(5, "vowels fr aeiou but hibou") ==
        "g:5: this line must have the form: vowels LANGUAGE LETTERS except WORD ...");
  CHECK(error_adding({"before-vowel fr le l"}) ==
        "g:29: le changes before a vowel in two ways. Remove one of the two lines");
  for (const std::string tag : {"contraction", "@"})
    CHECK(error_with(7, "contract fr de le du " + tag) ==
          "g:7: \"" + tag + "\" is one word too many, because only @tags may follow");
  CHECK(error_with(11, "table le m.sg") == "g:11: \"m.sg\": expected form=word");
  CHECK(error_with(11, "table le m.sg=le m.sg=la") == "g:11: table le has form m.sg twice");
  CHECK(error_adding({"table le m.sg=le"}) == "g:29: table le is declared twice");
  CHECK(error_with(12, "paradigm fr s - s") == "g:12: the name of a paradigm must begin with +");
  CHECK(error_adding({"paradigm fr +s x y"}) == "g:29: paradigm +s with 2 endings is declared twice");
  CHECK(error_with(14, "  en sg sg") == "g:14: class Noun has form sg twice");
  for (const std::string line : {"  en", "  fr sg pl", "class Verb[]"})
    CHECK(has(error_with(14, line), "g:13: class Noun needs two indented lines"));
}

TEST_CASE("bad grammar: errors in brackets, capitals and kinds of names are refused") {
  CHECK(error_with(9, "category s[]") == "g:9: s: the name of a category or class must begin with a capital letter");
  CHECK(error_with(10, "category NP[num gen") == "g:10: NP[num gen lacks its closing bracket");
  CHECK(error_with(21, "  en NP[_~1 sleeps~2") == "g:21: NP[_~1 sleeps lacks its closing bracket");
  CHECK(error_with(27, "  en the~1 Noun[gen]x~2") ==
        "g:27: Noun[gen]x: \"x\" is not allowed here, because only words have forms");
  CHECK(has(error_with(3, "feature num"), "g:3: expected feature"));
  for (const std::string name : {"x", "gen", "sg"})
    CHECK(error_with(16, "Noun[" + name + "] dog dogs = chien+s") ==
          "g:16: \"" + name + "\" is not a value of gen. Write one or several of m/f");
  CHECK(has(error_with(22, "S[]"), "g:20: a rule needs two indented lines"));
  CHECK(has(error_adding({"class Verb[]"}), "g:29: class Verb needs two indented lines"));
  CHECK(error_with(22, "  fr dort~1 x~2") ==
        "g:20: the number ~1 marks a phrase, so it must occur exactly once on each side");
  CHECK(error_with(27, "  en the~1 Noun[gen]~2") == "g:26: class Noun has no en form \"\"");
  CHECK(error_adding({"class Adj[gen]", "  en any", "  fr any", "Adj[m] big = grand", "S[]", "  en Noun[m].sg~1",
                      "  fr Adj.any~1"}) ==
        "g:33: the number ~1 marks two different classes or categories. Use different numbers");
  CHECK(error_with(21, "\ten NP[_ _]~1 sleeps~2") == "");  // a tab is indentation, too
}

TEST_CASE("grammar: a word that occurs twice on a side counts once, and a multi-word item counts all its words") {
  std::vector<std::string> more = lines();
  for (const std::string line : {"class Verb[]", "  en any", "  fr any", "Verb[] run = cours", "Verb[] give_up = cède",
                                 "S[]", "  en Verb.any~1 and Verb.any~1", "  fr Verb.any~1"})
    more.push_back(line);
  more[1] = "start T";
  more.insert(more.begin() + 8, "category T[]");
  for (std::string& line : more)
    if (line == "S[]") line = "T[]";
  SampleOptions options;
  options.pairs = 2;
  options.min_length = 1;
  std::set<std::string> sources;
  for (const Pair& pair : sample_corpus(parse_grammar(more, "g"), options)) sources.insert(join_words(pair.source));
  CHECK(sources == std::set<std::string>{"give up and give up", "run and run"});
  options.pairs = 1;
  options.max_length = 3;
  CHECK(join_words(sample_corpus(parse_grammar(more, "g"), options).at(0).source) == "run and run");
  options.min_length = 0;
  CHECK(has(misuse([&] { sample_corpus(parse_grammar(more, "g"), options); }), "lengths from 0 to 3"));
  options.pairs = 2;
  options.min_length = 3;
  options.spread = true;
  CHECK(has(user_error([&] { sample_corpus(parse_grammar(more, "g"), options); }), "no new pair of 3 source words"));
}

TEST_CASE("bad grammar: the message names the error of each word and item") {
  CHECK(has(error_with(16, "Noun[m] *2e9 dog dogs = chien+s"), "g:16: \"*2e9\" is not a weight"));
  CHECK(error_with(16, "Noun[m] dog dogs = a b chien+s") ==
        "g:16: chien+s: there is no paradigm +s with 0 endings on this side");
  CHECK(error_with(16, "Noun[m] dog dogs = a|b|c chiens") ==
        "g:16: \"a|b|c\" is not a word. Write WORD or WORD|BEFORE_VOWEL");
  CHECK(has(error_with(20, "S[] @"),
            "g:20: \"@\" is one word too many. A rule begins with CATEGORY[features] *weight @tag, and its two sides "
            "follow on indented lines"));
  for (const std::string line : {"  en", "  fr NP~1 dort~2", "# nothing"})
    CHECK(has(error_with(21, line), "g:20: a rule needs two indented lines that are not empty, \""));
  CHECK(error_with(21, "  en NP[_ _]~1 sleeps~1234") == "g:21: \"sleeps~1234\": link numbers have at most 3 digits");
  CHECK(error_with(21, "  en NP[_ x:sg]~1 sleeps~2") == "g:21: x:sg stands where gen is expected");
  CHECK(error_with(21, "  en NP[_ _].sg~1 sleeps~2") ==
        "g:21: NP[_ _].sg: \".sg\" is not allowed here, because only words have forms");
  CHECK(error_with(22, "  fr NP[_ _]~1 dort~2") ==
        "g:22: NP[_ _]: only the source side may have features. Remove them from the target side");
  CHECK(error_with(28, "  fr le.~1 Noun.num~2") == "g:26: table le has no form \"\"");
  CHECK(error_adding({"S[]", "  en NP[num:sg _]~1 NP[num:pl _]~2", "  fr NP~1 NP~2"}) ==
        "g:30: these conditions leave no value for num");
  CHECK(error_adding({"S[]", "  en Noun[m].sg~1 Noun[m].sg~1", "  fr Noun.sg~1"}) ==
        "g:29: symbols marked ~1 have features in two places. Write features only at the first symbol marked ~1");
  CHECK(error_adding({"S[]", "  en dog~1", "  fr Noun.sg~1"}) ==
        "g:29: the number ~1 marks a class that occurs only on the fr side. Use the number on both sides");
}

TEST_CASE("bad grammar: too many combinations of features are an immediate error") {
  std::vector<std::string> grammar{"languages en fr", "start S", "category S[]"};
  std::string signature;
  for (const std::string name : {"a", "b", "c", "d"}) {
    std::string feature = "feature " + name;
    for (int i = 0; i < 31; ++i) feature += " " + name + std::to_string(i) + "v";
    grammar.insert(grammar.end() - 1, feature);
    signature += (signature.empty() ? "" : " ") + name;
  }
  for (const std::string& line :
       {"category X[" + signature + "]", std::string("S[]"), "  en X[" + signature + "]~1 X[" + signature + "]~2",
        std::string("  fr X~1 X~2"), std::string("X[_ _ _ _]"), std::string("  en x~1"), std::string("  fr x~1")})
    grammar.push_back(line);
  const Grammar parsed = parse_grammar(grammar, "g");
  CHECK(user_error([&] { Derivations(parsed, 4); }) ==
        "g:9: the rule has too many combinations of features. Give it fewer variables");
}

TEST_CASE("derivations: a length without sentences is misuse") {
  const Grammar grammar = parse_grammar(lines(), "g");
  const Derivations derivations(grammar, 9);
  autograd::Random random(1);
  for (const size_t length : {size_t{0}, size_t{1}, size_t{10}})
    CHECK(misuse([&] { derivations.draw(length, random); }) ==
          "Derivations::draw: no sentence has " + std::to_string(length) + " words");
}
