#include "data/alignment/source_kind.h"

#include "data/alignment/formats/formats.h"
#include "data/alignment/original_words.h"
#include "data/alignment/record_json.h"
#include "data/io/files.h"
#include "data/pictures/captions.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"
#include "tests/folders.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::user_error;

namespace {

const std::string kinds_file = testing::source_folder() + "/tests/data/alignment/kinds.jsonl";

Record picture() { return read_records(kinds_file).at(0); }
Record story() { return read_records(kinds_file).at(1); }

// What is wrong with the record after the change.
template <class Change>
std::string problem(Record record, const Change& change) {
  REQUIRE(problem_of(record) == "");
  change(record);
  return problem_of(record);
}

}  // namespace

TEST_CASE("records of pictures, stories and pairs of sentences are read, and written as they stood") {
  const std::vector<std::string> lines = read_lines(kinds_file);
  const std::vector<Record> records = read_records(kinds_file);
  REQUIRE(records.size() == 3);
  const Record &cells = records[0], &sentences = records[1], &words = records[2];
  CHECK(cells.source_kind == "cells");
  CHECK(cells.source == cell_names(2, 3));
  CHECK(cells.source == Tokens{"1,1", "1,2", "1,3", "2,1", "2,2", "2,3"});
  CHECK((cells.source_grid->H == 2 && cells.source_grid->W == 3));
  CHECK(cells.source_image->size() > 100);
  CHECK(cells.links == Links{{0, 0}, {0, 1}, {5, 2}});
  CHECK(sentences.source_kind == "sentences");
  CHECK(sentences.source.at(1) == "it rained");
  CHECK(sentences.question == "where is the apple");
  CHECK(sentences.heads.size() == 2);
  CHECK(words.source_kind == "words");
  CHECK_FALSE((words.source_grid || words.source_image || words.question));
  for (size_t i = 0; i < records.size(); ++i) {
    const std::string again = to_json(records[i]);
    CHECK(to_json(from_json(again, "f:1")) == again);
    for (const char* key : {"source_kind", "source_grid", "source_image", "question"})
      CHECK(has(again, key) == has(lines[i], key));
  }
}

TEST_CASE("a grid fits its cells, and neither cells nor sentences have </s>") {
  const auto of_picture = [](const auto& change) { return problem(picture(), change); };
  const auto of_story = [](const auto& change) { return problem(story(), change); };
  CHECK(has(of_picture([](Record& r) { r.source_grid->W = 2; }), "6 source tokens, but source_grid has 2 x 2 cells"));
  CHECK(has(of_picture([](Record& r) {
              r.source_grid = Grid{3, 2};
            }),
            "source token 2 is \"1,3\"; the name of that cell"));
  CHECK(has(of_picture([](Record& r) { r.source_grid->H = 0; }), "source_grid is 0 x 3; expected 1 to 4096 cells"));
  CHECK(has(of_picture([](Record& r) { r.source_grid->W = 0; }), "source_grid is 2 x 0; expected 1 to 4096 cells"));
  CHECK(has(of_picture([](Record& r) { r.source_grid = Grid{100, 41}; }), "source_grid is 100 x 41; expected 1 to"));
  CHECK(has(of_picture([](Record& r) { r.source_grid = Grid{size_t{1} << 32, size_t{1} << 32}; }), "expected 1 to"));
  CHECK(has(of_picture([](Record& r) { r.source_grid.reset(); }), "the source is cells, but there is no source_grid"));
  CHECK(has(of_picture([](Record& r) { r.source_eos = true; }), "eos.source is true, but cells have no </s>"));
  CHECK(
      has(of_picture([](Record& r) { r.source_kind = "pixels"; }), "unknown source_kind 'pixels'; known are: words, "));
  CHECK(
      has(of_picture([](Record& r) { r.source_kind = "words"; }), "source_grid is for cells, and the source is words"));
  CHECK(has(of_story([](Record& r) { r.source_eos = true; }), "eos.source is true, but sentences have no </s>"));
  CHECK(has(of_story([](Record& r) { r.source_image = picture().source_image; }), "source_image is for cells"));
  CHECK(of_picture([](Record& r) { r.source_image.reset(); }) == "");
  CHECK(of_story([](Record& r) { r.question.reset(); }) == "");
}

TEST_CASE("a picture is a PNG file in base64 and nothing else") {
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
    CHECK(has(of_image(elsewhere), "is no PNG as a data URI; expected data:image/png;base64,..."));
  for (const char* wrong : {"", "AA", "A=A=A", "A===A", "AA\n==", "A\")==", "AA-_=", "A===="})
    CHECK(has(of_image(start + wrong), "does not hold the bytes of a PNG file in base64"));
  CHECK(has(of_image("data:image/png;base64,"), "does not hold the bytes of a PNG"));
  CHECK(has(of_image("data:image/png;base64,/9j/4AAQSkZJRg=="), "does not hold the bytes of a PNG"));
  CHECK(has(of_image(start + std::string(longest_image, 'A')), "at most 8388608 are read: make the picture smaller"));
}

TEST_CASE("what from_json says of another kind of source") {
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
  CHECK(has(error(0, "image/png", "image/gif"), "is no PNG"));
  CHECK(has(error(1, "apple | it", "apple it"), "source_sent is not source_tokens joined by \" | \""));
  CHECK(has(error(1, "\"question\":\"", "\"question\":7,\"x\":\""), "a.jsonl:3: "));
}

TEST_CASE("formats write cells as words, and those that part words by spaces refuse sentences") {
  const Record cells = picture(), sentences = story();
  CHECK(write(format_named("pharaoh"), cells) == "0-0 0-1 5-2\n");
  CHECK(write(format_named("tsv"), cells) == "1,1 1,2 1,3 2,1 2,2 2,3\tred above blue\t0-0 0-1 5-2\n");
  CHECK(write(format_named("pharaoh"), sentences) == "2-0\n");
  CHECK(write(format_named("soft"), sentences) == "park ||| 0.1,0.1,0.8\n");
  for (const Format& format : formats()) {
    CHECK_FALSE(write(format, cells).empty());
    const std::string error = user_error([&] { write(format, sentences); });
    CHECK(has(error, "sentence 2 has sentences for a source") == format.spaced);
  }
  for (const Record& record : {cells, sentences}) {  // which are no words of a line
    const Record words = over_original_words(record, NoLine::tokens_are_words);
    CHECK(words.source == record.source);
    CHECK(words.links == record.links);
    CHECK(words.matrix == record.matrix);
  }
}
