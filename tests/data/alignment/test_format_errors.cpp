#include <algorithm>

#include "autograd/random.h"
#include "tests/catch.h"
#include "tests/data/alignment/format_cases.h"
#include "tests/records.h"

using namespace softalign;
using namespace data;
using testing::format_named;
using testing::has;
using testing::love;
using testing::read_records;
using testing::user_error;

namespace {

// A bad file starts with a valid alignment of `above` lines and continues with `text`. The message must contain `says`.
struct BadFile {
  std::string format, text;
  size_t line;  // line of the fault
  std::string says;
};

const std::string good_soft = "a ||| .9,.1 0,1\n", good_block = "0 ||| b ||| 0 ||| a ||| 2 2\n.9 .1\n0 1\n\n";
const std::string good_bertviz =
    R"({"attention":[{"name":"Cross","attn":[[[[1]]]],"left_text":["a"],"right_text":["b"]}]})"
    "\n";

std::string nematus(const std::string& rest) { return good_block + rest; }
std::string bertviz(const std::string& attention) { return good_bertviz + attention + "\n"; }
std::string t2t(const std::string& att, const std::string& top = R"(["a"])", const std::string& bottom = R"(["b"])") {
  return R"({"inp_out":{"att":)" + att + R"(,"top_text":)" + top + R"(,"bot_text":)" + bottom + "}}\n";
}

const std::vector<BadFile> bad_files{
    {"pharaoh", "0-0\n0-\n", 2, "is not a link"},
    {"pharaoh", "0-0\n-1-0\n", 2, "is not a link"},
    {"pharaoh", "0-0\n1-0\n", 2, "the source has 1 word"},
    {"pharaoh", "0-0\n0-1\n", 2, "counts from 1"},
    {"pharaoh", "0-0\n0-0 0-0\n", 2, "twice"},
    {"pharaoh", "0-0\n99999999999999999999-0\n", 2, "is not a link"},
    {"pharaoh", "0-0\n", 0, "1 alignments for 2 sentence pairs"},
    {"pharaoh", "0-0\n0-0\n0-0\n", 3, "only 2 sentence pairs"},
    {"pharaoh", "0-0\n\xff\n", 2, "not valid UTF-8"},
    {"tsv", "a\tb\t0-0\na\tb\n", 2, "the form must be source<TAB>target<TAB>links"},
    {"tsv", "a\tb\t0-0\na\tb\t0-1\n", 2, "the target has 1 word"},
    {"tsv", "a\tb\t0-0\n \tb\t0-0\n", 2, "the source has 0 words"},
    {"hard", "a ||| 0-0\nb 0-0\n", 2, "the line has no |||. The expected form is `target words ||| alignment`"},
    {"hard", "a ||| 0-0\n\n", 2, "the line has no |||. The expected form is `target words ||| alignment`"},
    {"hard", "a ||| 0-0\nb ||| 2-0\n", 2, "the source has 2 words"},  // </s> counts as a word
    {"fairseq", "A-0\t0-0\nA-x\t0-0\n", 2, "number of the pair"},
    {"fairseq", "A-0\t0-0\nA-2\t0-0\n", 2, "only 2 sentence pairs"},
    {"fairseq", "A-0\t0-0\nA-1 0-0\n", 2,
     "the line does not have the form A-NUMBER<TAB>links. This command keeps the right lines: grep '^A-'"},
    {"fairseq", "A-0\t0-0\nGenerate test\n", 2, "grep '^A-'"},
    {"fairseq", "A-0\t0-0\nX-1\t0-0\n", 2, "begins with X-"},
    {"fairseq", "A-0\t0-0\n", 0, "1 alignments for 2"},
    {"fairseq", "A-0\t0-0\nA-1\t.5,.2\n", 2, "sum to"},
    {"soft", good_soft + "b ||| .9,nan 0,1\n", 2, "\"nan\" is not a weight"},
    {"soft", good_soft + "b ||| .9,-.1 0,1\n", 2, "\"-.1\" is not a weight"},
    {"soft", good_soft + "b ||| 1e99,0 0,1\n", 2, "\"1e99\" is not a weight"},
    {"soft", good_soft + "b ||| .9,,.1 0,1\n", 2, "\"\" is not a weight"},
    {"soft", good_soft + "b ||| .9,.1 0\n", 2, "row 1 has 1 weights"},
    {"soft", good_soft + "b ||| .9,.1,0 0,1,0\n", 2, "there are 2 source tokens"},
    {"soft", good_soft + "b ||| .9,.1 0,1 0,1\n", 2, "3 rows"},
    {"soft", good_soft + "b ||| .9,.2 0,1\n", 2, "sum to 1.1"},
    {"soft", good_soft + "b |||\n", 2, "the line has no |||. The expected form is `target words ||| alignment`"},
    {"nematus", nematus("1 ||| b ||| 0 ||| a\n"), 5, "4 fields"},
    {"nematus", nematus("x ||| b ||| 0 ||| a ||| 2 2\n"), 5, "number of the sentence"},
    {"nematus", nematus("1 ||| b ||| good ||| a ||| 2 2\n"), 5, "score is \"good\""},
    {"nematus", nematus("1 ||| b ||| 0 ||| a ||| 2\n"), 5, "`S T`"},
    {"nematus", nematus("1 ||| b ||| 0 ||| a ||| 2 two\n"), 5, "number of target positions"},
    {"nematus", nematus("1 ||| b ||| 0 ||| a ||| 2 2\n1 0\n"), 5, "the matrix has 1"},
    {"nematus", nematus("1 ||| b ||| 0 ||| a ||| 2 2\n"), 5, "the matrix has 0"},
    {"nematus", nematus("1 ||| b ||| 0 ||| a ||| 4 2\n0 0 0 1\n0 0 0 1\n"), 5,
     "1 source words, but the first line says 4"},
    {"nematus", nematus("1 ||| b ||| 0 ||| a ||| 2 2\n1 0\n1\n"), 7, "1 weights, but the row above it has 2"},
    {"nematus", nematus("1 ||| b ||| 0 ||| a ||| 2 2\n1 0\nx 0\n"), 7, "\"x\" is not a weight"},
    {"nematus", nematus("1 ||| b ||| 0 ||| a ||| 2 2\n.3 0\n0 1\n"), 5, "the weights of row 0 sum to"},
    {"nematus", "0 ||| a ||| 0 ||| x ||| ||| 2 1\n1 0\n", 1, "the field \"||| 2 1\" contains |||"},
    {"nematus", nematus("0.5 0.5\n"), 5, "1 field between"},  // the blank line is within a matrix
    {"sockeye", "0 ||| b ||| 0 ||| a ||| 1 ||| 1\n1\n\n1 ||| b ||| 0 ||| a ||| 1\n", 4, "5 fields"},
    {"sockeye", "0 ||| b ||| 0 ||| a c ||| 2 ||| 1\n1\n", 1, "the matrix has 1"},
    {"sockeye", "0 ||| b ||| 0 ||| a c ||| 2 ||| 1\n", 1, "the matrix has 0"},
    {"sockeye", "0 ||| b ||| 0 ||| a ||| 1 ||| 2\n1 1\n", 1, "1 target words"},
    {"sockeye", "0 ||| b ||| 0 ||| a c ||| 2 ||| 1\n1\n1\n", 1, "sum to 2"},
    {"sockeye", "0 |||  ||| 0 ||| a ||| 1 ||| 0\n1\n", 1,
     "there are 0 target words, but the first line says 0 and the matrix has 1"},
    {"bertviz", bertviz("{"), 2, "parse error"},
    {"bertviz", bertviz("[]"), 2, "expected {\"attention\""},
    {"bertviz", bertviz(R"({"attention":[]})"), 2, "no attention named \"Cross\""},
    {"bertviz", bertviz(R"({"attention":[{"name":"Cross","attn":[],"left_text":[],"right_text":[]}]})"), 2, "no layer"},
    {"t2t", t2t("[[[[1]]]]") + t2t("[[[[null]]]]"), 2, "type must be number"},
    {"t2t", t2t("[[[[1]]]]") + t2t("[[[[1]],[[1],[1]]]]"), 2, "head 1 of layer 0"},
    {"t2t", t2t("[[[[1]]]]") + t2t("[[[[1]],[[1,0]]]]"), 2, "head 1 of layer 0"},
    {"t2t", t2t("[[[[1]]]]") + t2t("[[[[1,0]]]]"), 2, "row 0 has 2 weights"},
    {"t2t", t2t("[[[[1]]]]") + t2t("[[[[1]]]]", "7"), 2, "type must be array"},
    {"t2t", t2t("[[[[-1]]]]"), 1, "but a weight is a number from 0 to 1"},
    {"jsonl", R"({"matrix":[[1]],"source_sent":"a","id":0})", 1, "target_sent"},
    {"jsonl", R"({"matrix":[[1]],"source_sent":"a","target_sent":"b","id":0,"prob":0})", 1, "1 rows"},
    {"jsonl", "3", 1, "Nematus scorer"},
};

}  // namespace

TEST_CASE("a malformed file of any format is refused by file and line") {
  const Pair short_pair{.source = {"s"}, .target = {"t"}, .gold = {}, .tags = {}};
  for (const BadFile& bad : bad_files) {
    INFO(bad.format << ": " << bad.text);
    const TemporaryFolder folder;
    const std::string path = folder.file("bad.txt", bad.text);
    const Format& format = format_named(bad.format);
    const std::string message = user_error([&] {
      // The formats soft and hard report the faulty line first, before they report a missing pair.
      read_alignments(path, format, format.words ? std::vector<Pair>{} : std::vector<Pair>{short_pair, short_pair});
    });
    CHECK(message.starts_with(bad.line > 0 ? fmt::format("{}:{}: ", path, bad.line) : path + ": "));
    CHECK(has(message, bad.says));
    CHECK(!has(message, "json.exception"));
  }
}

TEST_CASE("messages quote files only to a readable length") {
  const TemporaryFolder folder;
  const std::string path = folder.file("long.jsonl", "{\"schema\": \"" + std::string(100000, 'x'));
  CHECK(user_error([&] { read_records(path); }).size() < 500 + path.size());
}

TEST_CASE("a record has a limit for nested brackets, but texts may contain any brackets") {
  std::string line = to_json(love());
  CHECK_NOTHROW(from_json(line.substr(0, line.size() - 1) + R"(,"x":"\"[[[[[[[[[[[[[[[[[[[[[["})", "f:1"));
  line.back() = ',';
  line += "\"x\":" + std::string(100000, '[') + std::string(100000, ']') + "}";
  CHECK(has(user_error([&] { from_json(line, "f:1"); }),
            "f:1: not an alignment record (softalign/1): nested too deeply"));
}

TEST_CASE("formats without words report that the sentences are missing") {
  for (const Format& format : formats()) {
    if (format.words) continue;
    const TemporaryFolder folder;
    const std::string path = folder.file("a", write(format, love()));
    CHECK(has(user_error([&] { read_alignments(path, format); }),
              "this format does not contain all words. Add the sentence pairs with --data"));
  }
}

TEST_CASE("a writer refuses what its format cannot represent") {
  Record links = love();
  links.weights.matrix.clear();
  for (const Format& format : formats()) {
    INFO(format.name());
    if (format.weights) CHECK(has(user_error([&] { write(format, links); }), "no attention weights"));
    else CHECK(write(format, links) == write(format, love()));
  }
  Record bars = love();
  bars.source[1] = "|||";
  for (const std::string name : {"nematus", "sockeye"}) {
    CHECK(has(user_error([&] { write(format_named(name), bars); }), "sentence 1 contains |||"));
  }
}

TEST_CASE("damaged files never crash a reader") {
  autograd::Random random(3);
  const std::vector<Record> records(3, love());
  const std::string characters = "0,.-|\t\n {}[]\"ax\xff";
  size_t refused = 0;
  for (const Format& format : formats()) {
    std::string whole;
    for (size_t i = 0; i < records.size(); ++i) {
      Record record = records[i];
      record.id = i;
      whole += write(format, record);
    }
    const TemporaryFolder folder;
    for (size_t i = 0; i < 150; ++i) {
      std::string text = whole.substr(0, i % 3 == 0 ? random.below(whole.size()) : whole.size());
      for (size_t k = 0; k < 1 + i % 3 && !text.empty(); ++k) {
        text[random.below(text.size())] = characters[random.below(characters.size())];
      }
      const std::string path = folder.file(fmt::format("{}-{}", format.name(), i), text);
      const std::string message = user_error([&] {
        for (const Record& record :
             read_alignments(path, format, format.words ? std::vector<Pair>{} : testing::pairs_of(records))) {
          write(format, record);  // every record that is read can be written
        }
      });
      INFO(message);
      // Other errors than runtime_error are not caught.
      CHECK((message.empty() || has(message, path) || has(message, "|||")));
      refused += !message.empty();
    }
  }
  CHECK(refused > 1000);
}
