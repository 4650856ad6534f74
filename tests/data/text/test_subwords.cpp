#include "data/text/subwords.h"

#include <set>

#include "data/corpus/readers.h"
#include "data/corpus/vocabulary.h"
#include "data/io/files.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"
#include "tests/folders.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::misuse;
using testing::user_error;

namespace {

// The target sentences of the toy corpus's validation pairs.
std::vector<Tokens> sentences() {
  std::vector<Tokens> all;
  for (const Pair& pair : read_tsv(testing::source_folder() + "/data/toy/valid.tsv").pairs) all.push_back(pair.target);
  return all;
}

}  // namespace

TEST_CASE("frequent words are single subwords") {
  const Segmenter whole;
  CHECK(whole.whole_words());
  CHECK(whole.segment({"je", "t'", "aime"}).subwords == Tokens{"je", "t'", "aime"});
  CHECK(whole.segment({"je", "t'", "aime"}).word == std::vector<size_t>{0, 1, 2});
  CHECK(whole.join({"je", "<unk>"}).words == Tokens{"je", "<unk>"});
  CHECK(whole.subwords().empty());
  CHECK(has(misuse([&] { whole.save("x"); }), "no model"));
}

TEST_CASE("subwords belong to their word, and joined they are the sentence") {
  for (const auto& [name, kind] : names_of(SubwordModel{})) {
    INFO(name);
    const Segmenter segmenter = Segmenter::train(sentences(), {kind, 120});
    CHECK(segmenter.subwords().size() <= 117);  // 120 without <unk> <s> </s>
    CHECK(segmenter.subwords().size() > 60);
    const Vocabulary vocabulary(segmenter.subwords());  // throws if a subword cannot be an entry
    size_t subwords = 0, words = 0;
    for (const Tokens& sentence : sentences()) {
      const Segments segments = segmenter.segment(sentence);
      REQUIRE(segments.word.size() == segments.subwords.size());
      REQUIRE(segments.word.front() == 0);
      REQUIRE(segments.word.back() == sentence.size() - 1);
      for (const std::string& subword : segments.subwords) REQUIRE(vocabulary.id(subword) != unk_id);
      const Joined joined = segmenter.join(segments.subwords);
      REQUIRE(joined.words == sentence);
      REQUIRE(joined.word == segments.word);
      subwords += segments.subwords.size();
      words += sentence.size();
    }
    CHECK(subwords > words * 5 / 4);  // many words are split
  }
}

TEST_CASE("the same sentences give the same model, and its file gives the same subwords") {
  const Segmenter first = Segmenter::train(sentences(), {SubwordModel::unigram, 100});
  const Segmenter second = Segmenter::train(sentences(), {SubwordModel::unigram, 100});
  const TemporaryFolder folder;
  first.save(folder.file("a.spm"));
  second.save(folder.file("b.spm"));
  CHECK(read_bytes(folder.file("a.spm")) == read_bytes(folder.file("b.spm")));
  const Segmenter loaded = Segmenter::load(folder.file("a.spm"));
  CHECK(loaded.subwords() == first.subwords());
  for (const Tokens& sentence : sentences()) {
    REQUIRE(loaded.segment(sentence).subwords == first.segment(sentence).subwords);
  }
}

TEST_CASE("unseen text keeps its words") {
  const Segmenter segmenter = Segmenter::train(sentences(), {SubwordModel::unigram, 100});
  const Tokens strange{"日本", "\u2581", "x\u2581y", "</s>", "<unk>", "🙂🙂"};
  const Segments segments = segmenter.segment(strange);
  CHECK(std::set<size_t>(segments.word.begin(), segments.word.end()) == std::set<size_t>{0, 1, 2, 3, 4, 5});
  CHECK(Vocabulary(segmenter.subwords()).id(segments.subwords[1]) == unk_id);  // 日本, behind the mark of its beginning
  const Segments empty = segmenter.segment({"", "日本"});  // each word has a subword, even an empty one
  CHECK((empty.subwords[0].empty() && empty.word[0] == 0 && empty.word[1] == 1));
}

TEST_CASE("generated subwords form words") {
  const Segmenter segmenter = Segmenter::train(sentences(), {SubwordModel::unigram, 100});
  const Joined joined = segmenter.join({"a", "b", "\u2581c", "<unk>", "d", "e", "\u2581", "f"});
  CHECK(joined.words == Tokens{"ab", "c", "<unk>", "de", "f"});
  CHECK(joined.word == std::vector<size_t>{0, 0, 1, 2, 3, 3, 4, 4});
}

TEST_CASE("no word is empty, for any generated subwords") {
  const Segmenter segmenter = Segmenter::train(sentences(), {SubwordModel::unigram, 100});
  const std::string mark = "\u2581";
  const auto is = [&](const Tokens& subwords, const Tokens& words, const std::vector<size_t>& word) {
    const Joined joined = segmenter.join(subwords);
    return joined.words == words && joined.word == word;
  };
  CHECK(is({mark + "p", mark, mark + "q"}, {"p", "q"}, {0, 1, 1}));
  CHECK(is({mark + "p", mark, mark, "q", mark}, {"p", "q"}, {0, 1, 1, 1, 1}));
  CHECK(is({mark, "<unk>", mark, "p"}, {"<unk>", "p"}, {0, 0, 1, 1}));
  CHECK(is({mark, mark}, {mark}, {0, 0}));
  CHECK(is({}, {}, {}));
}

TEST_CASE("text with U+2581 keeps it") {
  const std::vector<Tokens> texts(40, Tokens{"p", "\u2581", "q", "r\u2581s", "\u2581t", "one", "two"});
  const Segmenter segmenter = Segmenter::train(texts, {SubwordModel::unigram, 16});
  const Segments segments = segmenter.segment(texts[0]);
  const Joined joined = segmenter.join(segments.subwords);
  CHECK(joined.words == texts[0]);
  CHECK(joined.word == segments.word);
  const Vocabulary vocabulary(segmenter.subwords());
  for (const std::string& subword : segments.subwords) CHECK(vocabulary.id(subword) != unk_id);
}

TEST_CASE("the message explains why a model cannot be learnt or read") {
  CHECK(has(user_error([] {
              Segmenter::train(sentences(), {SubwordModel::unigram, 10});
            }),
            "10: so many subwords cannot be learned from"));
  CHECK(has(user_error([] { Segmenter::train({}, {SubwordModel::unigram, 10}); }), "from 0 sentences"));
  const TemporaryFolder folder;
  CHECK(has(user_error([&] { Segmenter::load(folder.file("no.spm")); }), "no.spm: No such file"));
  CHECK(has(user_error([&] { Segmenter::load(folder.file("bad.spm", "not a model")); }),
            "bad.spm: the file is not a Sent"));
  CHECK(has(user_error([&] { Segmenter::load(folder.file("empty.spm", "")); }), "empty.spm: the file is not a Sent"));
  Segmenter::train(sentences(), {SubwordModel::unigram, 100}).save(folder.file("cut.spm"));
  const std::string bytes = read_bytes(folder.file("cut.spm"));
  CHECK(has(user_error([&] { Segmenter::load(folder.file("half.spm", bytes.substr(0, 500))); }),
            "half.spm: the file is not a Sent"));
  const std::string subword = Segmenter::load(folder.file("cut.spm")).subwords().front();
  std::string without = bytes;
  without.replace(bytes.find(subword), subword.size(), std::string(subword.size(), '\0'));
  CHECK(has(user_error([&] { Segmenter::load(folder.file("none.spm", without)); }), "cannot be looked up"));
}
