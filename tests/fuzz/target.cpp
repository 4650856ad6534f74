// libFuzzer's target: writes the fuzzer's bytes to a file and passes the file to one reader of
// tests/apps/fuzz/readers.cpp.
//   FUZZ_READER=grammar FUZZ_SEEDS=FOLDER fuzz ..    writes the reader's seeds to FOLDER first
//   fuzz                                             prints the readers' names
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/apps/fuzz/problem.h"
#include "tests/temporary.h"

namespace {

const fuzz::Reader& chosen() {
  static const std::vector<fuzz::Reader> all = fuzz::readers();
  const char* name = std::getenv("FUZZ_READER");
  const auto reader = std::find_if(all.begin(), all.end(), [&](const auto& r) { return name && r.name == name; });
  if (reader != all.end()) return *reader;
  for (const fuzz::Reader& r : all) std::printf("%s\n", r.name.c_str());
  std::exit(name != nullptr);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const fuzz::Reader& reader = chosen();
  const char* folder = std::getenv("FUZZ_SEEDS");
  for (std::size_t i = 0; folder && i < reader.seeds.size(); ++i)
    put_file(fmt::format("{}/seed{}", folder, i), reader.seeds[i]);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const TemporaryFolder folder;
  const std::string path = folder.file("file", {reinterpret_cast<const char*>(bytes), size});
  const std::string problem = fuzz::problem_of(chosen(), path);
  if (problem.empty()) return 0;
  std::fprintf(stderr, "%s: %s\n", chosen().name.c_str(), problem.c_str());
  std::abort();
}
