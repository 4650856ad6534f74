#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

#include "autograd/random.h"
#include "data/alignment/formats/formats.h"
#include "data/alignment/record.h"
#include "data/alignment/record_json.h"
#include "data/alignment/word_level.h"
#include "data/io/files.h"
#include "data/pictures/captions.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"
#include "tests/folders.h"
#include "tests/records.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::misuse;
using testing::read_records;
using testing::user_error;

namespace {

Record love() {
  Record r;
  r.source = {"i", "love", "you"};
  r.target = {"je", "t'", "aime"};
  r.weights.matrix = {{.94f, .02f, .04f, 0}, {.11f, .01f, .88f, 0}, {.03f, .95f, .02f, 0}, {0, 0, 0, 1}};
  r.logprob = {-.02f, -.06f, -.03f, -.01f};
  r.gold = Gold{{{0, 0}, {1, 2}}, {{2, 1}}};
  complete(r);
  return r;
}

const std::string love_line =
    R"({"schema":"softalign/1","id":0,"source_sent":"i love you","target_sent":"je t' aime",)"
    R"("source_tokens":["i","love","you","</s>"],"target_tokens":["je","t'","aime","</s>"],)"
    R"("matrix":[[0.94,0.02,0.04,0],[0.11,0.01,0.88,0],[0.03,0.95,0.02,0],[0,0,0,1]],)"
    R"("orientation":"target_by_source","eos":{"source":true,"target":true},"attends":"output",)"
    R"("mode":"forced","rule":"argmax","links":[[0,0],[1,2],[2,1]],"gold":{"sure":[[0,0],[1,2]],"possible":[[2,1]]},)"
    R"("entropy":[0.265158,0.401345,0.232166,0],"logprob":[-0.02,-0.06,-0.03,-0.01],"total_logprob":-0.12,"rank":0})";

// The JSON line of `love` with one part of its text replaced.
std::string changed(const std::string& from, const std::string& to) {
  std::string line = love_line;
  const size_t at = line.find(from);
  if (at == std::string::npos) throw std::logic_error("not in the line: " + from);
  return line.replace(at, from.size(), to);
}

std::string reading_error(const std::string& line) {
  return user_error([&] { from_json(line, "a.jsonl:3"); });
}

}  // namespace

TEST_CASE("a record follows its schema and is read back") {
  CHECK(to_json(love()) == love_line);
  const Record back = from_json(love_line, "f:1");
  CHECK(to_json(back) == love_line);
  CHECK(back.source == love().source);
  CHECK(back.target == love().target);
  CHECK(back.weights.matrix == love().weights.matrix);
  CHECK(back.links == Links{{0, 0}, {1, 2}, {2, 1}});
  CHECK(back.gold == love().gold);
}

TEST_CASE("optional parts of a record are gold, modes, target </s>, heads and epoch") {
  Record r = love();
  r.id = 7;
  r.gold.reset();
  r.mode = DecodingMode::beam;
  r.rank = 2;
  r.epoch = 5;
  r.attends = Attends::input;
  r.target_eos = false;
  r.weights.matrix.pop_back();
  r.logprob.pop_back();
  r.weights.heads = {{1, 3, HeadKind::cross, r.weights.matrix}, {0, 0, HeadKind::self, {{1, 0}, {.5f, .5f}}}};
  complete(r);
  CHECK(r.links == Links{{1, 1}, {2, 0}});  // each row belongs to the word that is read
  const std::string line = to_json(r);
  CHECK_FALSE(has(line, "gold"));
  CHECK(has(line, R"("target_tokens":["je","t'","aime"])"));
  CHECK(has(line, R"("kind":"self","matrix":[[1,0],[0.5,0.5]])"));
  const Record back = from_json(line, "f:1");
  CHECK(to_json(back) == line);
  CHECK(back.epoch == r.epoch);
  CHECK(back.rank == 2);
  CHECK(back.weights.heads.size() == 2);
  CHECK_FALSE(back.gold.has_value());
}

TEST_CASE("a record says how much of the alignment layer its weights contain, if the decoder is among its heads") {
  Record r = love();
  r.weights.layer_share = .3f;
  CHECK(has(misuse([&] { to_json(r); }), "layer_share needs a head of the kind decoder"));
  r.weights.heads = {{0, 0, HeadKind::decoder, r.weights.matrix}};
  const std::string line = to_json(r);
  CHECK(has(line, R"("layer_share":0.3,)"));
  CHECK(from_json(line, "f:1").weights.layer_share == .3f);
  CHECK(to_json(from_json(line, "f:1")) == line);
  for (const float share : {-.1f, 1.1f, std::numeric_limits<float>::quiet_NaN()}) {
    r.weights.layer_share = share;
    CHECK(has(misuse([&] { to_json(r); }), "a share is a number from 0 to 1"));
  }
}

TEST_CASE("a record may have scores and norms, with null for masked positions") {
  const float nowhere = -std::numeric_limits<float>::infinity();
  Record r = love();
  CHECK_FALSE(has(to_json(r), "scores"));
  r.weights.scores = {{2, -1.5f, .25f, nowhere}, {0, 0, 1, 2}, {0, 1, 2, 3}, {3, 2, 1, 0}};
  r.weights.norms = Norms{{1, 2, 3, 4}, {.5f, .5f, .5f, .25f}};
  const std::string line = to_json(r);
  CHECK(has(line, R"("scores":[[2,-1.5,0.25,null],[0,0,1,2])"));
  CHECK(has(line, R"("norms":{"source":[1,2,3,4],"context":[0.5,0.5,0.5,0.25]})"));
  const Record back = from_json(line, "f:1");
  CHECK(to_json(back) == line);
  CHECK(back.weights.scores == r.weights.scores);
  CHECK(back.weights.norms->source == r.weights.norms->source);
  r.weights.heads = {{0, 0, HeadKind::cross, r.weights.matrix, r.weights.scores}};
  CHECK(to_json(from_json(to_json(r), "f:1")) == to_json(r));
  r.weights.scores.pop_back();
  CHECK(has(problem_of(r), "3 rows of scores, but 4 target tokens"));
  r.weights.scores = r.weights.matrix;
  r.weights.scores[1].pop_back();
  CHECK(has(problem_of(r), "a row has 3 scores, but there are 4 source tokens"));
  r.weights.scores = r.weights.matrix;
  r.weights.scores[2][0] = std::nanf("");
  CHECK(has(problem_of(r), "a score is no number"));
  r.weights.scores.clear();
  r.weights.heads.clear();
  r.weights.norms->context.pop_back();
  CHECK(has(problem_of(r), "norms of the context has 3 entries for 4 tokens"));
}

TEST_CASE("heads of self-attention are square matrices over their side") {
  Record r = love();  // both sides have 3 words and </s>
  const Matrix four(4, {1, 0, 0, 0}), three(3, {1, 0, 0});
  r.source.pop_back();  // the source has 2 words and </s>
  for (auto& row : r.weights.matrix) row = {1, 0, 0};
  r.gold.reset();
  complete(r);
  r.weights.heads = {{0, 0, HeadKind::encoder_self, three},
                     {1, 0, HeadKind::decoder_self, four},
                     {1, 1, HeadKind::cross, r.weights.matrix}};
  const Record back = from_json(to_json(r), "f:1");
  REQUIRE(back.weights.heads.size() == 3);
  CHECK(back.weights.heads[0].kind == HeadKind::encoder_self);
  CHECK(back.weights.heads[1].kind == HeadKind::decoder_self);
  CHECK(back.weights.heads[1].matrix == four);
  for (const HeadKind kind : {HeadKind::encoder_self, HeadKind::decoder_self, HeadKind::self}) {
    r.weights.heads = {{0, 0, kind, kind == HeadKind::decoder_self ? four : three}};
    r.weights.heads[0].matrix[0][0] = 0;  // the first position may attend to nothing
    CHECK(from_json(to_json(r), "f:1").weights.heads[0].matrix == r.weights.heads[0].matrix);
    r.weights.heads[0].matrix[0][0] = .5f;
    CHECK(has(problem_of(r), "the weights of row 0 sum to 0.5"));
  }
  r.weights.heads = {{1, 1, HeadKind::cross, r.weights.matrix}};
  r.weights.heads[0].matrix[0][0] = 0;
  CHECK(has(problem_of(r), "the weights of row 0 sum to 0.0"));
  r.weights.heads = {{0, 0, HeadKind::encoder_self, four}};
  CHECK(has(problem_of(r), "4 rows, but 3 target tokens"));
  r.weights.heads = {{0, 0, HeadKind::encoder_self, three}};
  std::string line = to_json(r);
  line.replace(line.find("encoder-self"), 12, "sideways");
  CHECK(has(reading_error(line),
            "unknown kind of head 'sideways'; known are: cross, decoder, encoder-self, decoder-self, self"));
}

TEST_CASE("a head of self-attention may have no rows if the record has no target") {
  Record r = blank_record(0);
  r.source = {"a"};
  r.weights.heads = {{0, 0, HeadKind::self, {}}};
  CHECK(problem_of(r) == "");
  r.target = {"x"};
  r.weights.matrix = {{1}};
  complete(r);
  CHECK(problem_of(r) == "a head of kind self has no rows");
}

TEST_CASE("a record contains the user's lines, the words' positions, unknown words and tags") {
  Record r = love();
  r.source_original = Original{"I love YOU", {{0, 1}, {2, 6}, {7, 10}}};
  r.target_original = Original{"Je t\u2019aime \"\u00E9\"", {}};
  r.unknown = Unknown{{1, 2}, {}};
  r.tags = {"short", "love"};
  const std::string line = to_json(r);
  CHECK(has(line, R"("target_tokens":["je","t'","aime","</s>"],"source_line":"I love YOU",)"
                  R"("source_spans":[[0,1],[2,6],[7,10]],"target_line":")"));
  CHECK(has(line, R"("unknown":[1,2],"target_unknown":[],"tags":["short","love"],"matrix")"));
  CHECK_FALSE(has(line, "target_spans"));
  const Record back = from_json(line, "f:1");
  CHECK(to_json(back) == line);
  CHECK(back.source_original->spans == r.source_original->spans);
  CHECK(back.target_original->line == r.target_original->line);
  CHECK(back.unknown->source == r.unknown->source);
  CHECK(back.tags == r.tags);
}

TEST_CASE("spans outside their line or out of order, and unknown words that do not exist, are refused") {
  const auto problem = [](const auto& change) {
    Record r = love();
    r.source_original = Original{"\u00C9 love you", {{0, 1}, {2, 6}, {7, 10}}};
    r.unknown = Unknown{};
    REQUIRE(problem_of(r) == "");
    change(r);
    return problem_of(r);
  };
  CHECK(has(problem([](Record& r) { r.source_original->spans.pop_back(); }), "2 source spans for 3 words"));
  CHECK(has(problem([](Record& r) { r.source_original->spans[2].end = 11; }),
            "source span [7,11] begins before the previous span, or lies outside of a line of"));
  CHECK(has(problem([](Record& r) {
              r.source_original->spans[1] = {2, 1};
            }),
            "begins before the previous span, or lies outside of a line of 10 characters"));
  CHECK(has(problem([](Record& r) { r.source_original->spans[2].begin = 1; }),
            "begins before the previous span, or lies outside of a line of"));
  CHECK(has(problem([](Record& r) { r.unknown->source = {3}; }),
            "the list `unknown` has source word 3, which is outside of 3 words or out of order"));
  CHECK(has(problem([](Record& r) { r.unknown->target = {1, 1}; }), "or out of order"));
}

TEST_CASE("a record is read together with its JSON, whose numbers keep all their digits") {
  const auto json_of_line = [](const std::string& line) { return with_json_from(line, "f:1").second; };
  CHECK(json_of_line(love_line).dump() == love_line);
  CHECK(has(json_of_line(changed("0.265158", "0.2651581234")).dump(), R"("entropy":[0.2651581234,)"));
  // If a line lacks the sum of its log-probabilities, the sum is computed.
  CHECK(json_of_line(changed(R"("total_logprob":-0.12,)", "")).dump() == love_line);
}

TEST_CASE("a record of an earlier release with the key prob for its log-probability is read") {
  const std::string old = changed(R"("source_tokens")", R"("prob":-0.12,"source_tokens")");
  CHECK(to_json(from_json(old, "f:1")) == love_line);
}

TEST_CASE("an intervention is recorded at the end of the record and read back") {
  Record r = love();
  r.intervention = Change{InterventionKind::none};
  CHECK(has(to_json(r), R"("intervention":{"kind":"none"}})"));
  CHECK(to_json(from_json(to_json(r), "f:1")) == to_json(r));
  r.intervention = Change{InterventionKind::force, 2, 1};
  const std::string forced = to_json(r);
  CHECK(has(forced, R"("intervention":{"step":2,"kind":"force","source":1}})"));
  CHECK(to_json(from_json(forced, "f:1")) == forced);
  r.intervention = Change{InterventionKind::word, 0, {}, "aime"};
  const std::string word = to_json(r);
  CHECK(has(word, R"("intervention":{"step":0,"kind":"word","word":"aime"}})"));
  CHECK(to_json(from_json(word, "f:1")) == word);
}

TEST_CASE("entropy is in nats") {
  CHECK(entropy({.5f, .5f}) == Approx(std::log(2)));
  CHECK(entropy({1, 0, 0}) == 0);
  CHECK(entropy(std::vector<float>(8, .125f)) == Approx(std::log(8)));
}

TEST_CASE("a row that sums only approximately to one is written so that it sums to one") {
  for (const float part : {.999992f, 1.000008f}) {
    Record r;
    r.logprob = {0};
    r.weights.matrix = {{part}};
    complete(r);
    CHECK(has(to_json(r), R"("matrix":[[1]])"));
  }
}

TEST_CASE("a long row may differ from one by the rounding of its weights") {
  Record r;
  r.source.assign(4000, "a");
  r.source_eos = false;
  r.target_eos = false;
  r.target = {"b"};
  r.logprob = {0};
  r.weights.matrix = {std::vector<float>(4000, 1.0001f / 4000)};
  complete(r);
  CHECK(problem_of(r).empty());
  r.weights.matrix = {std::vector<float>(4000, 1.0005f / 4000)};
  CHECK(has(problem_of(r), "the weights of row 0 sum to 1.00"));
  r.source.assign(4, "a");
  r.weights.matrix = {std::vector<float>(4, 1.0001f / 4)};
  CHECK(has(problem_of(r), "the weights of row 0 sum to 1.0001"));
}

TEST_CASE("weights are rounded so that each row still sums to one") {
  autograd::Random random(3);
  for (const size_t columns : {1, 2, 3, 7, 61, 1000}) {
    Record r;
    r.source = Tokens(columns - 1, "x");
    r.logprob = {-1};
    std::vector<float> row(columns);
    double sum = 0;
    for (float& w : row) sum += w = static_cast<float>(std::exp(3 * random.uniform()));
    for (float& w : row) w = static_cast<float>(w / sum);
    r.weights.matrix = {row};
    complete(r);
    const auto written = nlohmann::json::parse(to_json(r))["matrix"][0];
    double total = 0;
    for (size_t s = 0; s < columns; ++s) {
      total += written[s].get<double>();
      CHECK(std::abs(written[s].get<double>() - row[s]) < 1.2e-6);
    }
    CHECK(std::abs(total - 1) < 1e-9);
  }
}

TEST_CASE("an invalid record is not written") {
  const auto error = [](auto change) {
    Record r = love();
    change(r);
    return misuse([&] { to_json(r); });
  };
  CHECK(has(error([](Record& r) { r.weights.matrix[1][0] = std::nanf(""); }), "row 1 contains nan"));
  CHECK(has(error([](Record& r) { r.weights.matrix[1][0] = -.1f; }), "row 1 contains -0.1"));
  CHECK(has(error([](Record& r) { r.weights.matrix[1][0] = 1.5f; }), "row 1 contains 1.5"));
  CHECK(has(error([](Record& r) { r.weights.scores = Matrix(4, std::vector<float>(4, 2e30f)); }),
            "a score is no number"));
  CHECK(has(error([](Record& r) { r.weights.matrix[2][0] = .1f; }), "the weights of row 2 sum to 1.07"));
  CHECK(has(error([](Record& r) { r.weights.matrix.pop_back(); }), "3 rows, but 4 target tokens"));
  CHECK(has(error([](Record& r) { r.weights.matrix[0].pop_back(); }),
            "row 0 has 3 weights, but there are 4 source tokens"));
  CHECK(has(error([](Record& r) { r.logprob[0] = -std::numeric_limits<float>::infinity(); }), "logprob holds -inf"));
  CHECK(has(error([](Record& r) { r.logprob.pop_back(); }), "logprob has 3 entries for 4"));
  CHECK(has(error([](Record& r) { r.entropy.clear(); }), "entropy has 0 entries"));
  CHECK(has(error([](Record& r) { r.links = {{3, 0}}; }), "link [3,0] is outside 3 x 3 words"));
  CHECK(has(error([](Record& r) { r.gold->possible = {{0, 3}}; }), "possible link [0,3]"));
  CHECK(has(error([](Record& r) {
              r.weights.heads = {{0, 0, HeadKind::cross, {{1}}}};
            }),
            "1 rows, but 4 target tokens"));
  CHECK(has(error([](Record& r) {
              r.weights.heads = {{10000, 2, HeadKind::cross, r.weights.matrix}};
            }),
            "head 2 of layer 10000 is too large a number; the limit is 10000"));
  CHECK(has(error([](Record& r) {
              r.weights.heads = {{1, 10000, HeadKind::cross, r.weights.matrix}};
            }),
            "head 10000 of layer 1 is too large a number"));
}

TEST_CASE("a record without weights is written by another function than a record with weights") {
  Record r = love();
  CHECK(misuse([&] { json_without_weights(r); }) == "alignment record 0 has weights");
  const nlohmann::ordered_json complete_record = json_of(r);
  r.weights = {};
  r.entropy.clear();
  const nlohmann::ordered_json json = json_without_weights(r);
  for (const char* key : {"source_tokens", "target_tokens", "logprob"}) CHECK(json.at(key) == complete_record.at(key));
  CHECK(json.at("matrix").empty());
}

TEST_CASE("bad input: invalid records are refused by file and line") {
  CHECK(has(reading_error("{"), "a.jsonl:3: not an alignment record"));
  CHECK(has(reading_error("[]"), "a.jsonl:3: "));
  CHECK(has(reading_error(""), "a.jsonl:3: "));
  CHECK(
      has(reading_error(changed("softalign/1", "softalign/2")), "schema is \"softalign/2\", expected \"softalign/1\""));
  CHECK(has(reading_error(changed("target_by_source", "source_by_target")), "orientation is"));
  CHECK(has(reading_error(changed(R"("forced")", R"("magic")")),
            "unknown mode 'magic'; known are: greedy, beam, forced, sampled, ensemble"));
  CHECK(has(reading_error(changed(R"("output")", R"("both")")), "unknown attends 'both'; known are: output, input"));
  CHECK(has(reading_error(changed("\"rank\":0", "\"x\":0")), "rank"));
  CHECK(has(reading_error(changed("0.94", "0.84")), "the weights of row 0 sum to 0.9"));
  CHECK(has(reading_error(changed("0.94", "\"a\"")), "a.jsonl:3: "));
  CHECK(has(reading_error(changed(",[0,0,0,1]", "")), "3 rows, but 4 target tokens"));
  CHECK(has(reading_error(changed("\"you\",\"</s>\"", "\"you\"")), "eos.source is true"));
  CHECK(has(reading_error(changed(R"(["i","love","you","</s>"])", "[]")), "eos.source is true"));
  CHECK(has(reading_error(changed("{", R"({"source_line":"i love you","source_spans":[[0,1,2]],)")),
            "source_spans holds an array; expected places [begin, end)"));
  CHECK(has(reading_error(changed("i love you", "i love")), "source_sent is not source_tokens"));
  CHECK(has(reading_error(changed("[2,1]", "[2,9]")), "link [2,9] is outside"));
  CHECK(has(reading_error(changed("[2,1]", "[2,1,1]")), "links holds an array; expected links [source, target]"));
  CHECK(has(reading_error(changed("[2,1]", "[-2,1]")), "links holds -2; expected a whole number from 0"));
  CHECK(has(reading_error(changed("[2,1]", "[0.9,1]")), "links holds 0.9; expected a whole number from 0"));
  CHECK(has(reading_error(changed("[2,1]", "[9007199254740993,1]")),
            "links holds 9007199254740993; expected a whole number from 0"));
  CHECK(has(reading_error(changed(R"("eos":{"source":true)", R"("eos":{"source":1)")),
            "holds 1; expected true or false"));
  CHECK(has(reading_error(changed("{", "{\"intervention\":{\"kind\":\"force\",\"step\":0,\"source\":9},")),
            "the intervention names source position 9, but the source has 4 positions"));
  CHECK(has(reading_error(changed("[2,1]", "[true,1]")), "links holds true; expected a whole number from 0"));
  CHECK(has(reading_error(changed("\"rank\":0", "\"rank\":0.5")), "rank holds 0.5"));
  CHECK(has(reading_error(changed("\"rank\":0", "\"rank\":1000000")), "rank 1000000"));
  CHECK(has(reading_error(changed("0.94", "true")), "matrix holds true; expected a number"));
  CHECK(has(reading_error(changed("{", "{\"heads\":{},")), "heads holds an object; expected a list"));
  CHECK(has(reading_error(changed("\"sure\":", "\"sure\":{},\"x\":")), "gold.sure holds an object"));
  CHECK(has(reading_error(changed("{", "{\"intervention\":{\"kind\":\"x\"},")), "kind of intervention"));
  CHECK(has(reading_error(changed("{", "{\"intervention\":{\"kind\":\"force\"},")), "force without a step"));
  CHECK(has(reading_error(changed("{", "{\"heads\":[{\"layer\":0,\"head\":0,\"kind\":\"self\",\"matrix\":[]}],")),
            "a head of kind self has no rows"));
  CHECK(reading_error(changed("{", "{\"new\":1,")) == "");
}

TEST_CASE("a file of records is read line by line, and an error names the line") {
  const TemporaryFolder folder;
  CHECK(read_records(folder.file("a.jsonl", love_line + "\n" + love_line + "\n")).size() == 2);
  CHECK(has(user_error([&] { read_records(folder.file("b.jsonl", love_line + "\n{}\n")); }), "b.jsonl:2: not an"));
}

// The next test checks records of tasks that answer with one word and have no EOS token.

TEST_CASE("a record without </s> has no row for it, in its matrix and in heads over the source") {
  const Matrix rows{{.5f, .5f, 0}, {0, .25f, .75f}, {0, 0, 1}};
  Record r;
  r.source = {"a", "b"};
  r.target = {"c", "d"};
  r.weights.matrix = rows;
  complete(r);
  Record bare = r;
  r.weights.scores = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
  r.logprob = {-1, -2, -3};
  r.weights.heads = {{0, 0, HeadKind::cross, rows, r.weights.scores}, {0, 0, HeadKind::encoder_self, rows, {}}};
  leave_end_out(r);
  CHECK_FALSE(r.target_eos);
  CHECK(
      (r.weights.matrix.size() == 2 && r.weights.scores.size() == 2 && r.entropy.size() == 2 && r.logprob.size() == 2));
  CHECK((r.weights.heads[0].matrix.size() == 2 && r.weights.heads[0].scores.size() == 2 &&
         r.weights.heads[1].matrix.size() == 3));
  CHECK(problem_of(r) == "");
  const std::string line = to_json(r);
  leave_end_out(r);
  CHECK(to_json(r) == line);
  leave_end_out(bare);
  CHECK((bare.weights.matrix.size() == 2 && bare.weights.scores.empty() && bare.logprob.empty()));
}

// The next test checks gates: how much of the attention output each word used.

TEST_CASE("a record may have gates, one per row, from 0 to 1") {
  Record r;
  r.source = {"a", "b", "c"};
  r.target = {"x", "y", "z"};
  r.weights.matrix = Matrix(4, {1, 0, 0, 0});
  complete(r);
  r.weights.gate = {1, .25f, .5f, 0};
  CHECK(from_json(to_json(r), "f:1").weights.gate == r.weights.gate);
  r.weights.gate[2] = 1.5f;
  leave_end_out(r);
  CHECK(has(problem_of(r), "gate contains 1.5, but a share is a number from 0 to 1"));
  r.weights.gate[2] = -.5f;
  CHECK(has(problem_of(r), "gate contains -0.5, but a share is a number from 0 to 1"));
  r.weights.gate.pop_back();
  CHECK(has(problem_of(r), "gate has"));
}

namespace {

const std::string kinds_file = testing::source_folder() + "/tests/data/alignment/kinds.jsonl";

Record picture() { return read_records(kinds_file).at(0); }
Record story() { return read_records(kinds_file).at(1); }

// The problem of the record after the change.
template <class Change>
std::string problem(Record record, const Change& change) {
  REQUIRE(problem_of(record) == "");
  change(record);
  return problem_of(record);
}

}  // namespace

TEST_CASE("records of pictures, stories and sentence pairs are read and written back unchanged") {
  const std::vector<std::string> lines = read_lines(kinds_file);
  const std::vector<Record> records = read_records(kinds_file);
  REQUIRE(records.size() == 3);
  const Record &cells = records[0], &sentences = records[1], &words = records[2];
  CHECK(cells.source_kind == SourceKind::cells);
  CHECK(cells.source == cell_names(2, 3));
  CHECK(cells.source == Tokens{"1,1", "1,2", "1,3", "2,1", "2,2", "2,3"});
  CHECK((cells.source_grid->H == 2 && cells.source_grid->W == 3));
  CHECK(cells.source_image->size() > 100);
  CHECK(cells.links == Links{{0, 0}, {0, 1}, {5, 2}});
  CHECK(sentences.source_kind == SourceKind::sentences);
  CHECK(sentences.source.at(1) == "it rained");
  CHECK(sentences.question == "where is the apple");
  CHECK(sentences.weights.heads.size() == 2);
  CHECK(words.source_kind == SourceKind::words);
  CHECK_FALSE((words.source_grid || words.source_image || words.question));
  for (size_t i = 0; i < records.size(); ++i) {
    const std::string again = to_json(records[i]);
    CHECK(to_json(from_json(again, "f:1")) == again);
    for (const char* key : {"source_kind", "source_grid", "source_image", "question"})
      CHECK(has(again, key) == has(lines[i], key));
  }
}

TEST_CASE("a grid has as many cells as the record, and cells and sentences have no </s>") {
  const auto of_picture = [](const auto& change) { return problem(picture(), change); };
  const auto of_story = [](const auto& change) { return problem(story(), change); };
  CHECK(has(of_picture([](Record& r) { r.source_grid->W = 2; }), "6 source tokens, but source_grid has 2 x 2 cells"));
  for (const std::size_t W : {std::size_t{0}, std::size_t{1} << 40})
    CHECK(has(of_picture([&](Record& r) { r.source_grid->W = W; }), "and the number of cells must be from 1 to"));
  CHECK(has(of_picture([](Record& r) {
              r.source_grid = PictureGrid{3, 2};
            }),
            "source token 2 is \"1,3\", but the name of this cell is"));
  CHECK(has(of_picture([](Record& r) { r.source_grid->H = 0; }),
            "source_grid is 0 x 3, and the number of cells must be from 1 to 4096"));
  CHECK(has(of_picture([](Record& r) { r.source_grid->W = 0; }),
            "source_grid is 2 x 0, and the number of cells must be from 1 to 4096"));
  CHECK(has(of_picture([](Record& r) {
              r.source_grid = PictureGrid{100, 41};
            }),
            "source_grid is 100 x 41, and the number of cells must be from 1 to"));
  CHECK(has(of_picture([](Record& r) {
              r.source_grid = PictureGrid{size_t{1} << 32, size_t{1} << 32};
            }),
            "and the number of cells must be from 1 to"));
  CHECK(has(of_picture([](Record& r) { r.source_grid.reset(); }),
            "the source has the cells of a picture, but there is no source_grid"));
  CHECK(has(of_picture([](Record& r) { r.source_eos = true; }), "eos.source is true, but cells have no </s>"));
  CHECK(has(of_picture([](Record& r) { r.source_kind = SourceKind::words; }),
            "source_grid belongs to the cells of a picture, but the source is words"));
  CHECK(has(of_story([](Record& r) { r.source_eos = true; }), "eos.source is true, but sentences have no </s>"));
  CHECK(has(of_story([](Record& r) { r.source_image = picture().source_image; }),
            "source_image belongs to the cells of a picture, but the source is"));
  CHECK(of_picture([](Record& r) { r.source_image.reset(); }) == "");
  CHECK(of_story([](Record& r) { r.question.reset(); }) == "");
}

TEST_CASE("a picture is a PNG file in base64") {
  const auto of_image = [](const std::string& image) {
    return problem(picture(), [&](Record& r) { r.source_image = image; });
  };
  const std::string start = "data:image/png;base64,iVBORw0KGgo";
  CHECK(of_image(start + "A") == "");
  CHECK(of_image(start + "AAAA=") == "");
  CHECK(of_image(start + "AAA==") == "");
  for (const char* elsewhere :
       {"", "https://example.org/a.png", "data:image/svg+xml;base64,iVBORw0KGgoA", "data:text/html;base64,iVBORw0KGgoA",
        "DATA:image/png;base64,iVBORw0KGgoA", " data:image/png;base64,iVBORw0KGgoA"})
    CHECK(has(of_image(elsewhere),
              "source_image is not a PNG file as a data URI, which starts with data:image/png;base64,..."));
  for (const char* wrong : {"", "AA", "A=A=A", "A===A", "AA\n==", "A\")==", "AA-_=", "A===="})
    CHECK(has(of_image(start + wrong), "source_image does not contain a PNG file in base64"));
  CHECK(has(of_image("data:image/png;base64,"), "source_image does not contain a PNG file in base64"));
  CHECK(has(of_image("data:image/png;base64,/9j/4AAQSkZJRg=="), "source_image does not contain a PNG file in base64"));
  CHECK(has(of_image(start + std::string(longest_image, 'A')),
            "bytes, and at most 8388608 bytes are allowed. Make the picture smaller"));
}

TEST_CASE("from_json reports errors about other kinds of source") {
  const auto error = [](size_t record, const std::string& from, const std::string& to) {
    std::string line = read_lines(kinds_file).at(record);
    const size_t at = line.find(from);
    REQUIRE(at != std::string::npos);
    return user_error([&] { from_json(line.replace(at, from.size(), to), "a.jsonl:3"); });
  };
  CHECK(has(error(0, "\"source_grid\":[2,3]", "\"source_grid\":[2,3,1]"),
            "source_grid holds an array; expected [rows, columns]"));
  CHECK(has(error(0, "\"source_grid\":[2,3]", "\"source_grid\":[2,-3]"), "a.jsonl:3: "));
  CHECK(has(error(0, "\"source_grid\":[2,3]", "\"source_grid\":\"23\""), "a.jsonl:3: "));
  CHECK(has(error(0, "\"source_kind\":\"cells\"", "\"source_kind\":3"), "a.jsonl:3: "));
  CHECK(has(error(0, "\"source_kind\":\"cells\"", "\"source_kind\":\"pixels\""),
            "unknown source_kind 'pixels'; known are: words, cells, sentences"));
  CHECK(has(error(0, "image/png", "image/gif"), "is not a PNG"));
  CHECK(has(error(1, "apple | it", "apple it"), "source_sent is not source_tokens joined by \" | \""));
  CHECK(has(error(1, "\"question\":\"", "\"question\":7,\"x\":\""), "a.jsonl:3: "));
}

TEST_CASE("formats write cells as words, and formats that separate words by spaces refuse sentences") {
  const Record cells = picture(), sentences = story();
  CHECK(write(format_of(AlignmentFormat::pharaoh), cells) == "0-0 0-1 5-2\n");
  CHECK(write(format_of(AlignmentFormat::tsv), cells) == "1,1 1,2 1,3 2,1 2,2 2,3\tred above blue\t0-0 0-1 5-2\n");
  CHECK(write(format_of(AlignmentFormat::pharaoh), sentences) == "2-0\n");
  CHECK(write(format_of(AlignmentFormat::soft), sentences) == "park ||| 0.1,0.1,0.8\n");
  for (const Format& format : formats()) {
    CHECK_FALSE(write(format, cells).empty());
    const std::string error = user_error([&] { write(format, sentences); });
    CHECK(has(error, "the source of record 2 consists of several sentences, but the format") == format.spaced);
  }
  for (const Record& record : {cells, sentences}) {  // neither cells nor sentences are words of a line
    const Record words = over_original_words(record, NoLine::tokens_are_words);
    CHECK(words.source == record.source);
    CHECK(words.links == record.links);
    CHECK(words.weights.matrix == record.weights.matrix);
  }
}
