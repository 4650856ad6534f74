// Extreme lines: text of any length and shape is tokenised in time that grows linearly with its length.
#include <ctime>

#include "data/io/unicode.h"
#include "data/text/tokenizer.h"
#include "tests/catch.h"

using namespace softalign;
using namespace data;

namespace {

std::string repeated(const std::string& unit, size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += unit;
  return text;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Lengths in bytes. Linear time takes tenths of a second, quadratic time many seconds.
constexpr size_t many = 300000, fewer = 60000;

struct LongLine {
  std::string start, unit, end;
  size_t bytes = many;
};
const std::vector<LongLine> long_lines = {
    {"", "a.", "9", fewer},  {"", "n't", ""},          {"x", "'s", ""},     {"x", "-le", "", fewer},
    {"", "-le", "", fewer},  {"-", "5-le", ""},        {"", ".", "\u0301"}, {"", "-", "\u0301"},
    {"", "''", "a"},         {"", "a@", "", fewer},    {"www.", ".a,", ""}, {"", "www.", ""},
    {"l'", "l'", "", fewer}, {"", "1,", ""},           {"", "a-", ""},      {"a", "\u0301\u0316", ""},
    {"a", "\u0F73", ""},     {"\u1100", "\u1161", ""}, {"", "e\u0301", ""}, {"👩", "\u200D👩", ""}};

}  // namespace

TEST_CASE("no line takes more than linear time") {
  constexpr double most_seconds = 5;
  for (const LongLine& line : long_lines) {
    const std::string text = line.start + repeated(line.unit, line.bytes) + line.end;
    for (const Tokenization scheme : {Tokenization::words, Tokenization::characters}) {
      INFO(line.start << " " << line.unit << " " << line.end << ", scheme " << static_cast<int>(scheme));
      const double start = cpu_seconds();
      const Tokens tokens = tokenize(text, {scheme, true});
      CHECK(!tokens.empty());
      CHECK(!detokenize(tokens, {scheme, true}).empty());
      CHECK(cpu_seconds() - start < most_seconds);
    }
  }
}

TEST_CASE("a sentence ends after a run of full stops as it does after one") {
  CHECK(tokenize("....\u0301") == Tokens{".", ".", ".", ".\u0301"});
  CHECK(tokenize("....") == Tokens{"...."});
}

TEST_CASE("initials are abbreviations up to a length beyond that of real text") {
  CHECK(tokenize(repeated("a.", 40)).size() == 1);
  CHECK(tokenize(repeated("a.", 600)).size() > 1);
}
