#include "data/text/truecasing.h"

#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::misuse;
using testing::user_error;

TEST_CASE("forms are counted inside sentences, and the most frequent one is kept if it differs from the token") {
  TruecaseCounts counts;
  counts.add({"paris", "est", "à", "paris"}, {"Paris", "est", "à", "Paris"});
  counts.add({"«", "il", "aime", "la", "onu"}, {"«", "Il", "aime", "la", "ONU"});
  counts.add({"la", "france", "il"}, {"La", "France", "il"});
  counts.add({"la", "france", "!"}, {"LA", "FRANCE", "!"});  // all words are capitals, so the line does not count
  counts.add({"x", "la", "la", "est"}, {"x", "La", "la", "EST"});
  counts.add({"x", "la", "b", "b"}, {"x", "la", "B", "A"});
  CHECK(counts.model() ==
        TruecaseModel{{"paris", "Paris"}, {"onu", "ONU"}, {"france", "France"}, {"est", "EST"}, {"b", "A"}});
  CHECK(has(misuse([&] { counts.add({"a"}, {}); }), "1 tokens, but 0 forms"));
}

TEST_CASE("forms are read back, and an error names the line of a damaged file") {
  const TruecaseModel forms{{"france", "France"}, {"onu", "ONU"}};
  CHECK(format_truecase_model(forms) == "france\tFrance\nonu\tONU\n");
  const TemporaryFolder folder;
  CHECK(read_truecase_model(folder.file("f", format_truecase_model(forms))) == forms);
  CHECK(has(user_error([&] { read_truecase_model(folder.file("g", "a\tA\nb\n")); }),
            "g:2: the line must have a word, a tab, and the form in which the word is written"));
  CHECK(has(user_error([&] { read_truecase_model(folder.file("h", "a\tA\na\tB\n")); }), "h:2: \"a\" is there twice"));
  CHECK(has(user_error([&] { read_truecase_model(folder.file("i", "a\tA B\n")); }), "i:1: the line must have"));
}

TEST_CASE("a translation uses the forms of the table") {
  CHECK(truecased({"la", "france", "onu"}, {{"france", "France"}, {"onu", "ONU"}}) == Tokens{"la", "France", "ONU"});
}

TEST_CASE("a translation copies capitals from the linked source words") {
  const Tokens source{"i", "know", "tom", "mcdonald", "of", "the", "un", "."};
  const Tokens forms{"I", "know", "Tom", "McDonald", "of", "the", "UN", "."};
  const Links links{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {6, 5}, {7, 6}};
  CHECK(cased_like_source({"je", "connais", "thomas", "mcdonald", "de", "l'onu", "."}, source, forms, links) ==
        Tokens{"je", "connais", "Thomas", "McDonald", "de", "L'ONU", "."});
  CHECK(cased_like_source({"élan"}, {"the", "elk"}, {"The", "Elk"}, {{0, 0}}) ==
        Tokens{"élan"});  // the capital belongs to the first word of a sentence
  CHECK(cased_like_source({"élan"}, {"the", "elk"}, {"The", "Elk"}, {{1, 0}}) == Tokens{"Élan"});
  CHECK(cased_like_source({"arrêt"}, {"stop"}, {"STOP"}, {{0, 0}}) == Tokens{"ARRÊT"});
  CHECK(cased_like_source({"une", "note"}, {"the", "c"}, {"the", "C"}, {{1, 1}}) ==
        Tokens{"une", "note"});  // a single capital letter does not make a word of capitals
  CHECK(cased_like_source({"5"}, {"the", "elk"}, {"the", "Elk"}, {{1, 0}}) == Tokens{"5"});
  CHECK(cased_like_source({"\u0378x"}, {"the", "elk"}, {"the", "Elk"}, {{1, 0}}) ==
        Tokens{"\u0378X"});  // U+0378 is not assigned
}

TEST_CASE("a translation begins with a capital if its source does, even after punctuation") {
  CHECK(with_first_capital({"«", "élan", "x"}, {"(", "Elk"}) == Tokens{"«", "Élan", "x"});
  CHECK(with_first_capital({"élan"}, {"elk", "A"}) == Tokens{"élan"});
  CHECK(with_first_capital({"élan"}, {"5", "!"}) == Tokens{"élan"});
  CHECK(with_first_capital({"5"}, {"Elk"}) == Tokens{"5"});
  CHECK(with_first_capital({}, {"Elk"}) == Tokens{});
}
