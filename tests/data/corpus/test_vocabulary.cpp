#include "data/corpus/vocabulary.h"

#include "data/io/files.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::misuse;
using testing::user_error;

TEST_CASE("a vocabulary has the special entries first, then words by falling frequency, then by bytes") {
  const std::vector<Pair> pairs = {{{"b", "a", "é", "b"}, {"x"}, {}, {}, 0}, {{"z", "a", "b", "c"}, {"x"}, {}, {}, 0}};
  const WordCounts counts = count_words(pairs, &Pair::source);
  CHECK(counts.at("b") == 3);
  const Vocabulary v = Vocabulary::build(counts);
  CHECK(v.words({0, 1, 2, 3, 4, 5, 6, 7, 8}) == Tokens{"<pad>", "<unk>", "<s>", "</s>", "b", "a", "c", "z", "é"});
  CHECK(v.word(pad_id) == pad_token);
  CHECK(v.word(end_id) == end_token);
  CHECK(v.ids({"b", "never", "é"}) == Ids{4, unk_id, 8});
  CHECK(Vocabulary::build(counts, {2}).size() == 4 + 2);
  CHECK(Vocabulary::build(counts, {1, 3}).words({4, 5, 6}) == Tokens{"b", "a", "c"});
  CHECK(Vocabulary::build(counts, {1, 3}).size() == 7);
}

TEST_CASE("a word that is spelt like a special entry is unknown") {
  const Vocabulary v = Vocabulary::build({{"</s>", 9}, {"<pad>", 3}, {"a", 1}});
  CHECK(v.size() == 5);
  CHECK(v.ids({"</s>", "<s>", "<pad>", "a"}) == Ids{unk_id, unk_id, unk_id, 4});
}

TEST_CASE("a vocabulary file is read back, and vocabularies differ in their hash") {
  const TemporaryFolder folder;
  const Vocabulary v({"je", "t'", "été", "\""});
  v.save(folder.file("v"));
  CHECK(read_bytes(folder.file("v")) == "<pad>\n<unk>\n<s>\n</s>\nje\nt'\nété\n\"\n");
  const Vocabulary back = Vocabulary::load(folder.file("v"));
  CHECK(back.size() == 8);
  CHECK(back.id("été") == 6);
  CHECK(back.hash() == v.hash());
  CHECK(Vocabulary({"t'", "je", "été", "\""}).hash() != v.hash());
  // The FNV-1a hash of "<pad>\n<unk>\n<s>\n</s>\n" was computed without this code.
  CHECK(Vocabulary(Tokens{}).hash() == "c50ed28ff2967535");
}

TEST_CASE("bad input: invalid vocabulary files are refused by line") {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& text) {
    return user_error([&] { Vocabulary::load(folder.file("v", text)); });
  };
  const std::string front = "<pad>\n<unk>\n<s>\n</s>\n";
  CHECK(has(error("je\ntu\n"), "v:1: this line must be <pad>"));
  CHECK(has(error("<pad>\n<unk>\n"), "v:3: this line must be <s>"));
  CHECK(has(error(front + "je\ntu\nje\n"), "v:7: \"je\" stands on line 5 already"));
  CHECK(has(error(front + "</s>\n"), "v:5: \"</s>\" stands on line 4 already"));
  CHECK(has(error(front + "je\n\ntu\n"), "v:6: the line is blank"));
  CHECK(has(error(front + "je suis\n"), "contains white space"));
  CHECK(error(front + "je\n") == "");
}

TEST_CASE("misuse of a vocabulary is refused") {
  const Vocabulary v({"a"});
  CHECK(has(misuse([&] { v.word(5); }), "id 5 is outside 0 .. 4"));
  CHECK(has(misuse([&] { v.word(-1); }), "id -1 is outside"));
  CHECK(has(misuse([] { Vocabulary({"a", "a"}); }), "\"a\" is there twice"));
  CHECK(has(misuse([] { Vocabulary({"a b"}); }), "cannot be a word"));
  CHECK(has(misuse([] { Vocabulary({""}); }), "cannot be a word"));
  CHECK(has(misuse([] { Vocabulary({"<unk>"}); }), "cannot be a word"));
}
