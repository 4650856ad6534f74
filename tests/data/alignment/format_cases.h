// The tests of the alignment formats share these: records, and files of records.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "data/alignment/formats/formats.h"
#include "tests/data/helpers.h"

using namespace softalign;

namespace testing {

inline const data::Format& format_named(const std::string& name) {
  return data::format_of(autograd::value_named<data::AlignmentFormat>(name).value());
}

// "i love you" -> "je t' aime" with the links 0-0 1-2 2-1.
inline data::Record love() {
  data::Record r;
  r.source = {"i", "love", "you"};
  r.target = {"je", "t'", "aime"};
  r.weights.matrix = {{.94f, .02f, .04f, 0}, {.11f, .01f, .88f, 0}, {.03f, .95f, .02f, 0}, {0, 0, 0, 1}};
  data::complete(r);
  return r;
}

// The sentence pairs of the records.
inline std::vector<data::Pair> pairs_of(const std::vector<data::Record>& records) {
  std::vector<data::Pair> pairs;
  for (const data::Record& r : records)
    pairs.push_back({.source = r.source, .target = r.target, .gold = {}, .tags = {}});
  return pairs;
}

// The records that are read from `text`. The words of `pairs` are used if the format needs them.
inline std::vector<data::Record> read_text(const std::string& format, const std::string& text,
                                           const std::vector<data::Pair>& pairs) {
  const TemporaryFolder folder;
  const data::Format& f = format_named(format);
  return read_alignments(folder.file("a", text), f, f.words ? std::vector<data::Pair>{} : pairs);
}

}  // namespace testing
