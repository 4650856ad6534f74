#include "data/alignment/formats/formats.h"

#include <cmath>
#include <map>

#include "autograd/random.h"
#include "data/alignment/formats/format_by_content.h"
#include "data/alignment/record_json.h"
#include "tests/catch.h"
#include "tests/data/alignment/format_cases.h"

using namespace softalign;
using namespace data;
using testing::love;

namespace {

Record random_record(size_t id, size_t source_words, size_t target_words, autograd::Random& random) {
  static const Tokens words{"chat", "l'",         "été",        "|",      "-",        "</s", "日本",    "0-0",
                            "a,b",  "\"quoted\"", "oui\u00A0!", "\u3000", "a\u2028b", "\v",  "x\u0085", "\u200B"};
  Record r;
  r.id = id;
  for (size_t i = 0; i < source_words; ++i) r.source.push_back(words[random.below(words.size())]);
  for (size_t i = 0; i < target_words; ++i) r.target.push_back(words[random.below(words.size())]);
  r.source_eos = random.below(4) > 0;
  r.target_eos = random.below(4) > 0;
  for (size_t t = 0; t < target_words + r.target_eos; ++t) {
    std::vector<float> row(source_words + r.source_eos);
    double sum = 0;
    for (float& weight : row) sum += weight = static_cast<float>(std::pow(random.uniform(), 8.0));
    for (float& weight : row) weight = static_cast<float>(weight / sum);
    r.weights.matrix.push_back(row);
  }
  complete(r);
  return r;
}

std::vector<Record> random_records() {
  autograd::Random random(7);
  std::vector<Record> records;
  for (size_t i = 0; i < 60; ++i) {
    records.push_back(random_record(i, 1 + random.below(12), 1 + random.below(12), random));
  }
  return records;
}

void check_same_matrix(const Matrix& found, const Matrix& expected, float tolerance) {
  REQUIRE(found.size() == expected.size());
  for (size_t t = 0; t < found.size(); ++t) {
    REQUIRE(found[t].size() == expected[t].size());
    for (size_t s = 0; s < found[t].size(); ++s) CHECK(std::abs(found[t][s] - expected[t][s]) <= tolerance);
  }
}

std::string written(const std::string& format) { return write(testing::format_named(format), love()); }

}  // namespace

TEST_CASE("the format for pictures has no writer and no reader") {
  CHECK(testing::misuse([] { format_of(AlignmentFormat::plot); }) == "the format plot is a picture");
}

TEST_CASE("each format is written as its system writes it") {
  CHECK(written("pharaoh") == "0-0 1-2 2-1\n");
  CHECK(written("tsv") == "i love you\tje t' aime\t0-0 1-2 2-1\n");
  CHECK(written("hard") == "je t' aime ||| 0-0 1-2 2-1\n");
  CHECK(written("fairseq") == "A-0\t0-0 1-2 2-1\n");
  CHECK(written("soft") == "je t' aime ||| 0.94,0.02,0.04,0 0.11,0.01,0.88,0 0.03,0.95,0.02,0 0,0,0,1\n");
  CHECK(written("nematus") ==
        "0 ||| je t' aime ||| 0 ||| i love you ||| 4 4\n"
        "0.94 0.02 0.04 0\n0.11 0.01 0.88 0\n0.03 0.95 0.02 0\n0 0 0 1\n\n");
  CHECK(written("sockeye") ==
        "0 ||| je t' aime </s> ||| 0 ||| i love you </s> ||| 4 ||| 4\n"
        "0.94 0.11 0.03 0\n0.02 0.01 0.95 0\n0.04 0.88 0.02 0\n0 0 0 1\n\n");
  CHECK(written("bertviz") ==
        R"({"attention":[{"name":"Cross","attn":[[[[0.94,0.02,0.04,0.0],[0.11,0.01,0.88,0.0],[0.03,0.95,0.02,0.0],)"
        R"([0.0,0.0,0.0,1.0]]]],"left_text":["je","t'","aime","</s>"],"right_text":["i","love","you","</s>"]}]})"
        "\n");
  CHECK(written("t2t") ==
        R"({"inp_out":{"att":[[[[0.94,0.02,0.04,0.0],[0.11,0.01,0.88,0.0],[0.03,0.95,0.02,0.0],[0.0,0.0,0.0,1.0]]]],)"
        R"("top_text":["i","love","you","</s>"],"bot_text":["je","t'","aime","</s>"]}})"
        "\n");
}

TEST_CASE("the score of a sentence is its cost") {
  Record r = love();
  r.logprob = {-.5f, -.25f, -.125f, -.125f};
  CHECK(testing::has(write(testing::format_named("nematus"), r), "0 ||| je t' aime ||| 1 ||| i love you ||| 4 4\n"));
  CHECK(testing::has(write(testing::format_named("sockeye"), r), "</s> ||| 1 ||| i love"));
}

TEST_CASE("records are read back as completely as the format allows") {
  const std::vector<Record> records = random_records();
  for (const Format& format : formats()) {
    INFO(format.name());
    std::string text;
    for (const Record& record : records) text += write(format, record);
    const std::vector<Record> back = testing::read_text(format.name(), text, testing::pairs_of(records));
    REQUIRE(back.size() == records.size());
    for (size_t i = 0; i < back.size(); ++i) {
      INFO(i << ": " << write(format, records[i]));
      CHECK(back[i].id == i);
      CHECK(back[i].source == records[i].source);
      CHECK(back[i].target == records[i].target);
      CHECK(back[i].links == records[i].links);
      if (!format.weights) {
        CHECK(back[i].weights.matrix.empty());
        continue;
      }
      CHECK(back[i].source_eos == records[i].source_eos);
      CHECK(back[i].target_eos == records[i].target_eos);
      check_same_matrix(back[i].weights.matrix, records[i].weights.matrix, format.name() == "jsonl" ? 1e-6f : 0);
      CHECK(back[i].entropy.size() == records[i].weights.matrix.size());
    }
  }
}

TEST_CASE("heads of cross-attention are written for the visualisers and read back") {
  Record r = love();
  const Matrix other{{0, 0, 0, 1}, {1, 0, 0, 0}, {0, .5f, .5f, 0}, {.25f, .25f, .25f, .25f}};
  const Matrix self(4, std::vector<float>(4, .25f));
  r.weights.heads = {
      {0, 0, HeadKind::cross, r.weights.matrix}, {0, 1, HeadKind::cross, other}, {1, 0, HeadKind::self, self}};
  for (const std::string name : {"bertviz", "t2t"}) {
    INFO(name);
    const Record back = testing::read_text(name, write(testing::format_named(name), r), {}).at(0);
    REQUIRE(back.weights.heads.size() == 2);
    for (size_t h = 0; h < 2; ++h) {
      CHECK(back.weights.heads[h].layer == 0);
      CHECK(back.weights.heads[h].head == h);
      CHECK(back.weights.heads[h].kind == HeadKind::cross);
      CHECK(back.weights.heads[h].matrix == r.weights.heads[h].matrix);
    }
    check_same_matrix({back.weights.matrix[0]}, {{.47f, .01f, .02f, .5f}}, 1e-6f);  // the mean of the heads
  }
}

TEST_CASE("the readers accept files of the other systems") {
  const std::vector<Pair> pairs = testing::pairs_of({love()});
  const auto only = [&](const std::string& format, const std::string& text) {
    const std::vector<Record> records = testing::read_text(format, text, pairs);
    REQUIRE(records.size() == 1);
    return records[0];
  };
  SECTION("the Nematus scorer's JSON has no schema") {
    const Record r = only("jsonl", R"({"matrix":[[0.9,0.1,0],[0.2,0.7,0.1],[0,0,1]],"source_sent":"a b",)"
                                   R"("target_sent":"c d","id":3,"prob":0})");
    CHECK(r.id == 3);
    CHECK(r.source == Tokens{"a", "b"});
    CHECK((r.source_eos && r.target_eos));
    CHECK(r.links == Links{{0, 0}, {1, 1}});
    CHECK(r.logprob.empty());
    CHECK(from_json(to_json(r), "f:1").links == r.links);  // the record is complete now
  }
  SECTION("Nematus writes a space after each row") {
    CHECK(only("nematus", "0 ||| b ||| 0 ||| a ||| 2 2\n0.75 0.25 \n0.5 0.5 \n \n").weights.matrix ==
          Matrix{{.75f, .25f}, {.5f, .5f}});
  }
  SECTION("Marian links </s> like a word") {
    CHECK(only("hard", "x y ||| 0-0 2-1 3-2 1-2\n").links == Links{{0, 0}, {2, 1}});
  }
  SECTION("Marian rounds to six digits, others to fewer") {
    CHECK(only("soft", "x ||| 0.333,0.333,0.333,0 1e-50,0,0,1").weights.matrix[0][1] == Approx(1.0 / 3).epsilon(1e-6));
  }
  SECTION("Sockeye leaves out the source's </s>") {
    const Record r = only("sockeye", "0 ||| c d ||| -1.5 ||| a b ||| 2 ||| 2\n0.5 0.1\n0.5 0.2\n\n");
    CHECK((r.source_eos && !r.target_eos));
    CHECK(r.weights.matrix[0][2] == 0);
    CHECK(r.weights.matrix[1][2] == Approx(.7));
    CHECK(r.links == Links{{0, 0}});  // the second word attends to </s>
  }
  SECTION("Sockeye writes an empty line") {
    const Record r = only("sockeye", "4 |||  ||| 0 |||  ||| 0 ||| 0\n\n");
    CHECK(r.id == 4);
    CHECK((r.source.empty() && r.target.empty() && r.weights.matrix.empty() && !r.source_eos && !r.target_eos));
  }
  SECTION("possible links are links") {
    CHECK(only("pharaoh", "0-0 2?1 1p1\n").links == Links{{0, 0}, {1, 1}, {2, 1}});
  }
  SECTION("fairseq prints further lines, in its own order and n best") {
    const std::string text = "S-1\ta b c\nT-1\tx\nH-1\t-0.3\tx\nD-1\t-0.3\tx\nP-1\t-0.1\nA-1\t0-0\nA-0\t2-0\nA-0\t\n";
    const auto records = testing::read_text("fairseq", text, testing::pairs_of({love(), love()}));
    REQUIRE(records.size() == 3);
    CHECK(records[0].id == 0);
    CHECK(records[0].links == Links{{2, 0}});
    CHECK(records[1].rank == 1);
    CHECK(records[1].links.empty());
    CHECK(records[2].id == 1);
  }
  SECTION("fairseq's weights have the format of Marian") {
    CHECK(only("fairseq", "A-0\t.94,.02,.04,0 .11,.01,.88,0 .03,.95,.02,0 0,0,0,1").weights.matrix ==
          love().weights.matrix);
  }
}

namespace {

Record forced(const Tokens& source, const Tokens& target, bool source_eos = true, bool target_eos = true) {
  Record r;
  r.source = source;
  r.target = target;
  r.source_eos = source_eos;
  r.target_eos = target_eos;
  const size_t columns = source.size() + source_eos;
  for (size_t t = 0; t < target.size() + target_eos; ++t) {
    r.weights.matrix.emplace_back(columns, 0.0f);
    r.weights.matrix.back()[t % columns] = 1;
  }
  complete(r);
  return r;
}

std::string error_of(const std::string& format, const Record& record) {
  return testing::user_error([&] { write(testing::format_named(format), record); });
}

}  // namespace

TEST_CASE("records without words pass through every format and keep their number") {
  std::vector<Record> records{love(), blank_record(1), forced({}, {}), forced({"a"}, {}), forced({}, {"b"}), love()};
  for (size_t i = 0; i < records.size(); ++i) records[i].id = i;
  for (const Format& format : formats()) {
    INFO(format.name());
    std::string text;
    for (const Record& record : records) text += write(format, record);
    INFO(text);
    const std::vector<Record> back = testing::read_text(format.name(), text, testing::pairs_of(records));
    REQUIRE(back.size() == records.size());
    for (size_t i = 0; i < back.size(); ++i) {
      CHECK(back[i].id == i);
      CHECK(back[i].source == records[i].source);
      CHECK(back[i].target == records[i].target);
      CHECK(back[i].links == records[i].links);
      if (format.weights) CHECK(back[i].weights.matrix == records[i].weights.matrix);
      CHECK(write(format, back[i]) == write(format, records[i]));
    }
  }
  CHECK(write(testing::format_named("hard"), records[1]) == " ||| \n");
  CHECK(write(testing::format_named("soft"), records[1]) == " ||| \n");
  CHECK(write(testing::format_named("pharaoh"), records[1]) == "\n");
  CHECK(write(testing::format_named("tsv"), records[1]) == "\t\t\n");
  CHECK(write(testing::format_named("nematus"), records[1]) == "1 |||  ||| 0 |||  ||| 0 0\n\n");
  CHECK(write(testing::format_named("sockeye"), records[1]) == "1 |||  ||| 0 |||  ||| 0 ||| 0\n\n");
  CHECK(write(testing::format_named("fairseq"), records[1]) == "A-1\t\n");
}

TEST_CASE("a pair with a blank side has no links in any format and is read back") {
  Record r;  // as in a file of links
  r.source = {"a", "b"};
  for (const Format& format : formats()) {
    INFO(format.name());
    const std::string text = write(format, r);
    const std::vector<Record> back = testing::read_text(format.name(), text, testing::pairs_of({r}));
    REQUIRE(back.size() == 1);
    CHECK(back[0].source == r.source);
    CHECK(back[0].target.empty());
  }
}

TEST_CASE("a blank line in records of earlier releases is a record without words") {
  const auto back = testing::read_text("jsonl", to_json(love()) + "\n\n" + to_json(love()) + "\n", {});
  REQUIRE(back.size() == 3);
  CHECK((back[1].id == 1 && back[1].source.empty() && back[1].weights.matrix.empty()));
}

TEST_CASE("words that look like markers are read back from every format, or refused by sentence and word") {
  const Tokens markers{"</s>", "<s>", "<unk>", "\u2581", "@@", "a|||b", "\ufeffx", "\u200b"};
  for (const Format& format : formats()) {
    INFO(format.name());
    for (const bool eos : {true, false}) {
      Record r = forced(markers, markers, eos, eos);
      const auto back = testing::read_text(format.name(), write(format, r), testing::pairs_of({r}));
      REQUIRE(back.size() == 1);
      CHECK(back[0].source == r.source);
      CHECK(back[0].target == r.target);
      CHECK(back[0].links == r.links);
      r.source.push_back("</s>");  // here it could be taken for the EOS token
      r = forced(r.source, markers, eos, eos);
      const std::string message = error_of(format.name(), r);
      const bool refused = format.closed && !eos;
      CHECK(message.empty() == !refused);
      if (refused) CHECK(testing::has(message, "sentence 1: the last source word is </s> (word 8)"));
      if (!refused)
        CHECK(testing::read_text(format.name(), write(format, r), testing::pairs_of({r}))[0].source == r.source);
    }
    const Record target = forced({"a"}, {"b", "</s>"}, true, false);
    CHECK(testing::has(error_of(format.name(), target), "last target word is </s>") == format.closed);
    CHECK(testing::has(error_of(format.name(), forced({"a"}, {"b", "|||"})),
                       "contains ||| (target word 1), but ||| separates fields in the format") == format.barred);
    CHECK(testing::has(error_of(format.name(), forced({"|||"}, {"b"})),
                       "contains ||| (source word 0), but ||| separates fields in the format") ==
          (format.barred && format.spaced));
    for (const char* word : {"", "new york", "a\tb", "a\nb", "a\r"}) {
      INFO("[" << word << "]");
      const std::string of_target = error_of(format.name(), forced({"a"}, {"b", word}));
      CHECK(of_target.empty() == !(format.spaced || format.barred));
      if (!of_target.empty()) CHECK(testing::has(of_target, "sentence 1: target word 1"));
      if (!of_target.empty())
        CHECK(testing::has(of_target, "separates words by spaces. Use --format jsonl, which can contain any word"));
      const Record source = forced({word}, {"b"});
      CHECK(error_of(format.name(), source).empty() == !format.spaced);
      if (!format.spaced) {
        const auto back = testing::read_text(format.name(), write(format, source), testing::pairs_of({source}));
        CHECK(back[0].source == source.source);
      }
    }
  }
}

TEST_CASE("Marian's </s> is in every sentence with links if the file links the target's </s>") {
  const std::vector<Pair> pairs{{.source = {"don't", "follow", "me"}, .target = {"a", "b"}, .gold = {}, .tags = {}}};
  const auto links = [&](const std::string& text, size_t sentences = 1) {
    return testing::read_text("hard", text, std::vector<Pair>(sentences, pairs[0]));
  };
  CHECK(links("a b ||| 0-0 3-1 3-2\n")[0].links == Links{{0, 0}});
  CHECK(links("a b ||| 0-0 3-2\n|||a b ||| \na b ||| 3-1 1-2\n", 3)[2].links.empty());
  const auto error = [&](const std::string& text, size_t sentences = 1) {
    return testing::user_error([&] { links(text, sentences); });
  };
  CHECK(testing::has(error("a b ||| 0-0 3-1\n"), ":1: link 3-1: the source has 3 words"));
  const std::vector<Pair> one_word{{.source = {"a"}, .target = {"b"}, .gold = {}, .tags = {}}};
  const std::string of_one = testing::user_error([&] { testing::read_text("hard", "b ||| 1-0\n", one_word); });
  CHECK(testing::has(of_one, "link 1-0: the source has 1 word, counted from 0. "));
  CHECK(of_one.ends_with("(does the file count from 1? --one-based)"));
  const TemporaryFolder folder;
  const std::string from_one = testing::user_error(
      [&] { read_alignments(folder.file("one", "b ||| 2-1\n"), testing::format_named("hard"), one_word, 1); });
  CHECK(testing::has(from_one, "link 2-1: the source has 1 word, counted from 1. "));
  CHECK(from_one.ends_with("Give the sentences with these words"));
  CHECK(testing::has(error("a b ||| 0-0 3-2\na b ||| 0-0\n", 2), ":1: link 3-2"));
  CHECK(testing::has(error("a b ||| 0-0\na b ||| 0-2\n", 2), ":2: link 0-2: the target has 2 words"));
}

TEST_CASE("links count from 1 with the option, in every format of links") {
  const TemporaryFolder folder;
  for (const auto& [format, text] : std::map<std::string, std::string>{{"pharaoh", "1-1 2?2\n"},
                                                                       {"hard", "b ||| 1-1 2-2 3-2\n"},
                                                                       {"fairseq", "A-0\t1-1 2-2\n"},
                                                                       {"tsv", "a c\tb d\t1-1 2-2\n"}}) {
    INFO(format);
    const Format& f = testing::format_named(format);
    const Pair pair{.source = {"a", "c"}, .target = {"b", "d"}, .gold = {}, .tags = {}};
    const auto read = [&](const std::string& links) {
      return read_alignments(folder.file("one", links), f, f.words ? std::vector<Pair>{} : std::vector<Pair>{pair}, 1);
    };
    CHECK(read(text)[0].links == (format == "hard" ? Links{{0, 0}} : Links{{0, 0}, {1, 1}}));
    std::string zero = text;
    zero.replace(zero.find("1-1"), 3, "0-1");
    CHECK(testing::has(testing::user_error([&] { read(zero); }), "counted from 1"));
  }
}

TEST_CASE("Sockeye's step without weights is refused because its attention is unknown") {
  const auto error = [](const std::string& text) {
    return testing::user_error([&] { testing::read_text("sockeye", text, {}); });
  };
  CHECK(testing::has(error("0 ||| p q ||| 0.2 ||| a b ||| 2 ||| 2\n0.0 0.0\n0.0 0.0\n\n"), ":1: column 0"));
  CHECK(testing::has(error("0 ||| p q ||| 0.2 ||| a b ||| 2 ||| 2\n0.5 0.0\n0.5 0.0\n\n"), ":1: column 1 (\"q\")"));
  CHECK(testing::has(error("0 ||| p </s> ||| 0.2 ||| a b ||| 2 ||| 2\n0.5 0.0\n0.5 0.0\n\n"), ":1: column 1 (</s>)"));
}

TEST_CASE("a line that only resembles a format does not determine the format of the file") {
  for (const char* line : {"",
                           "  ",
                           "i see",
                           "i see ||| je vois",
                           "i see ||| ",
                           "{no key}",
                           "{\"id\": 1",
                           "a\tb",
                           "a\tb\tc",
                           "S-\ta",
                           "S00\ta",
                           "S-x\ta",
                           "X-0\ta",
                           "x ||| t ||| 0 ||| s ||| 1 ||| 2",
                           "0 ||| t ||| 0 ||| s ||| x ||| 2",
                           "0 ||| t ||| 0 ||| s ||| 1 ||| x",
                           "x ||| t ||| 0 ||| s ||| 1 2",
                           "0 ||| t ||| 0 ||| s ||| 1",
                           "0 ||| t ||| 0 ||| s ||| 1 x",
                           "i see ||| 0.5,x"}) {
    INFO(line);
    CHECK_FALSE(format_by_content({line}).has_value());
    CHECK(format_by_content({line, "0-0 1-1"}) == AlignmentFormat::pharaoh);
  }
  CHECK(format_by_content({"S-0\ta"}) == AlignmentFormat::fairseq);
  CHECK(format_by_content({"a\tb\t0-0"}) == AlignmentFormat::tsv);
  CHECK(format_by_content({"i see ||| 0.5,0.5"}) == AlignmentFormat::soft);
  CHECK(format_by_content({"0 ||| t ||| 0 ||| s ||| 1 2"}) == AlignmentFormat::nematus);
  CHECK(format_by_content({"0 ||| t ||| 0 ||| s ||| 1 ||| 2"}) == AlignmentFormat::sockeye);
}
