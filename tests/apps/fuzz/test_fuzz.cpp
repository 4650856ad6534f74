// Mutates files at random. Every reader must accept them, or refuse them as a user's error, in bounded time and memory.
//   SOFTALIGN_FUZZ_SECONDS=600 build-sanitize/tests/test_apps "[fuzz]"    600 s per reader, from another seed
#include <algorithm>
#include <ctime>
#include <filesystem>

#include "autograd/random.h"
#include "tests/apps/fuzz/problem.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace softalign;

namespace {

using autograd::Random;

constexpr std::size_t longest = 1 << 16;  // bytes per file
constexpr std::size_t executions = 60;    // files per reader, unless SOFTALIGN_FUZZ_SECONDS is set

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::size_t place(const std::string& text, Random& random) { return random.below(text.size() + 1); }

std::string piece(const std::string& text, Random& random) {
  const std::size_t from = place(text, random);
  return text.substr(from, random.below(std::min<std::size_t>(text.size() - from, 40) + 1));
}

void change(std::string& text, const std::string& other, Random& random) {
  static const std::vector<std::string> tokens{"0",
                                               "-1",
                                               "1e999",
                                               "nan",
                                               "18446744073709551616",
                                               "9223372036854775807",
                                               "1152921504606846976",
                                               "null",
                                               "[]",
                                               "{}",
                                               "\"",
                                               "\\u0000",
                                               "\xff",
                                               "\xed\xa0\x80",
                                               "\t",
                                               "\n",
                                               "\r\n",
                                               " ",
                                               ",",
                                               "|||",
                                               "<unk>",
                                               "</s>",
                                               "~1",
                                               "[",
                                               "{\"a\":",
                                               "\xcc\x81",
                                               "'s",
                                               "a.",
                                               "\xe2\x80\x8d",
                                               "-",
                                               "\xef\xbb\xbf",
                                               std::string(1, '\0')};
  const std::size_t at = place(text, random);
  switch (random.below(7)) {
    case 0:
      if (!text.empty()) text[random.below(text.size())] ^= static_cast<char>(1U << random.below(8));
      break;
    case 1:
      text.insert(at, tokens[random.below(tokens.size())]);
      break;
    case 2:
      text.erase(at, random.below(20));
      break;
    case 3:
      text.insert(at, piece(text, random));
      break;
    case 4:
      text.insert(at, piece(other, random));
      break;
    case 5:
      text.resize(at);
      break;
    case 6: {  // long, so that quadratic time shows
      const std::string part = piece(text, random) + tokens[random.below(tokens.size())];
      std::string many;
      while (many.size() < longest / 2) many += part;
      text.insert(at, many);
      break;
    }
  }
  text.resize(std::min(text.size(), longest));
}

}  // namespace

TEST_CASE("readers accept or refuse any contents of a file", "[fuzz]") {
  const char* asked = std::getenv("SOFTALIGN_FUZZ_SECONDS");
  const double seconds = asked ? std::atof(asked) : 0;
  const TemporaryFolder folder;
  const std::string path = folder.file("file");
  for (const fuzz::Reader& reader : fuzz::readers()) {
    Random random(asked ? static_cast<std::uint64_t>(std::time(nullptr)) : 1);
    for (const std::string& seed : reader.seeds) {
      put_file(path, seed);
      INFO(reader.name);
      CHECK(fuzz::problem_of(reader, path) == "");
    }
    std::size_t done = 0;
    const double start = cpu_seconds();
    while (asked ? cpu_seconds() - start < seconds : done < executions) {
      std::string text = reader.seeds[random.below(reader.seeds.size())];
      const std::string& other = reader.seeds[random.below(reader.seeds.size())];
      for (std::size_t i = 0; i <= random.below(4); ++i) change(text, other, random);
      put_file(path, text);
      const std::string problem = fuzz::problem_of(reader, path);
      ++done;
      if (problem.empty()) continue;
      const std::string kept = std::filesystem::temp_directory_path() / ("softalign-fuzz-" + std::to_string(done));
      put_file(kept, text);
      FAIL_CHECK(reader.name << ": " << problem << "; the file is kept as " << kept);
      break;
    }
    if (asked) WARN(reader.name << ": " << done << " files");
  }
}
