// --shortlist restricts the output words of a source. It uses the translation table and the run's vocabularies.
#include "apps/inference/decoding.h"

#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;

namespace {

using namespace apps;
using testing::has;
using testing::user_error;

constexpr const char* translations =
    "\tof\t.5\n\tthe\t.4\n"
    "chat\tcat\t.7\nchat\tkitty\t.2\nchat\tpuss\t.05\n"
    "noir\tblack\t.9\nnoir\tdark\t.1\nrare\tcat\t1\nnoir\trare\t1\n";

// Ids of the vocabularies: chat 4, noir 5; the 4, cat 5, kitty 6, black 7, dark 8, of 9, puss 10.
LoadedRun run() {
  TrainOptions options;
  options.model.embedding = options.model.hidden = options.model.attention_size = options.model.readout = 2;
  return make_run(options, "{}", data::Vocabulary({"chat", "noir"}),
                  data::Vocabulary({"the", "cat", "kitty", "black", "dark", "of", "puss"}));
}

}  // namespace

TEST_CASE("shortlist: it has the likeliest translations, those of the empty word and the vocabulary's first words") {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.tsv", translations);
  const LoadedRun words = run();
  CHECK(read_shortlist(path, words, 1, 1).words({}) == data::Ids{0, 1, 2, 3, 4, 9});
  CHECK(read_shortlist(path, words, 1, 1).words({4}) == data::Ids{0, 1, 2, 3, 4, 5, 9});
  CHECK(read_shortlist(path, words, 0, 2).words({4, 5, 3}) == data::Ids{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(read_shortlist(path, words, 0, 3).words({4}) == data::Ids{0, 1, 2, 3, 4, 5, 6, 9, 10});
  CHECK(read_shortlist(path, words, 99, 1).words({}).size() == 11);
}

TEST_CASE("shortlist: each subword gets the subwords of its word's translations, the most shared first") {
  const TemporaryFolder folder;
  LoadedRun split = run();
  const std::vector<data::Tokens> sentences(20, data::Tokens{"chat", "chats", "cat", "cats", "dog"});
  split.source_segmenter = split.target_segmenter =
      data::Segmenter::train(sentences, {.model = data::SubwordModel::bpe, .vocabulary_size = 12});
  split.source = split.target = data::Vocabulary(split.source_segmenter.subwords());
  const auto ids = [&](const std::string& word) {
    return split.target.ids(split.target_segmenter.segment({word}).subwords);
  };
  const std::string path = folder.file("t.tsv", "chat\tcat\t.5\nchats\tcats\t.5\nchat\tdog\t.6\n");
  const auto has_all = [&](const data::Ids& words, const std::string& target) {
    const data::Ids wanted = ids(target);
    return std::all_of(wanted.begin(), wanted.end(),
                       [&](data::Id id) { return std::binary_search(words.begin(), words.end(), id); });
  };
  const models::Shortlist all = read_shortlist(path, split, 0, 100), few = read_shortlist(path, split, 0, 4);
  CHECK(has_all(all.words(ids("chats")), "cats"));
  CHECK(has_all(all.words(ids("chat")), "dog"));
  CHECK_FALSE(has_all(all.words({split.source.id("s")}), "dog"));  // no word of the table consists of this piece only
  CHECK(has_all(few.words(ids("chat")), "cat"));
  CHECK_FALSE(has_all(few.words(ids("chat")), "dog"));
}

TEST_CASE("shortlist: an error names a table with another vocabulary") {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.tsv", "hund\tdog\t1\nchat\tdog\t1\nhund\tcat\t1\n\tthe\t1\n");
  const std::string message = user_error([&] { read_shortlist(path, run()); });
  CHECK(message.starts_with(path));
  CHECK(has(message, "no line has a source word and a translation from the vocabularies of the run"));
}
