#include "data/alignment/formats/alignment_file.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <utility>

#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/number.h"
#include "data/io/unicode.h"

namespace softalign::data {

std::string AlignmentFile::where(std::size_t line) const { return fmt::format("{}:{}", path, line + 1); }

const Pair& pair_of(const AlignmentFile& file, std::size_t index, const std::string& where) {
  if (file.pairs.empty()) fail(where, "this format does not contain all words. Add the sentence pairs with --data");
  if (index >= file.pairs.size()) {
    fail(where, fmt::format("the file has an alignment {}, but there are only {} sentence pairs", index + 1,
                            file.pairs.size()));
  }
  return file.pairs[index];
}

void check_all_read(const AlignmentFile& file, std::size_t alignments) {
  if (alignments == file.pairs.size()) return;
  throw Error(ErrorKind::bad_data,
              fmt::format("{}: the file has {} alignments for {} sentence pairs. Give one alignment per pair",
                          file.path, alignments, file.pairs.size()));
}

std::vector<float> read_weights(const std::string& text, const std::string& separator, const std::string& where) {
  std::vector<float> row;
  for (const std::string& field : split_fields(text, separator)) {
    float weight = 0;
    const char* last = field.data() + field.size();
    const auto [end, error] = from_chars(field.data(), last, weight);
    // Numbers that are too small for a float become 0.
    const bool tiny = error == std::errc::result_out_of_range && field.find("e-") != std::string::npos;
    if ((error != std::errc() && !tiny) || end != last || !(weight >= 0 && weight <= 1.00001f)) {
      fail(where, fmt::format("{} is not a weight. Weights are numbers from 0 to 1, separated by \"{}\"",
                              in_quotes(field), separator));
    }
    row.push_back(tiny ? 0 : weight);
  }
  return row;
}

namespace {

void rescale(Matrix& matrix) {
  for (auto& row : matrix) {
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    if (std::abs(sum - 1) < 1e-5 || !(std::abs(sum - 1) <= 0.02)) continue;  // exact, or not a rounding error
    for (float& weight : row) weight = static_cast<float>(weight / sum);
  }
}

}  // namespace

Record completed(Record record, const std::string& where) {
  rescale(record.weights.matrix);
  for (Head& head : record.weights.heads) rescale(head.matrix);
  record.entropy.clear();
  for (const auto& row : record.weights.matrix) record.entropy.push_back(entropy(row));
  if (const std::string problem = problem_of(record); !problem.empty()) fail(where, problem);
  complete(record);
  return record;
}

}  // namespace softalign::data
