#include "apps/run/layer_matrix.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "data/alignment/word_level.h"
#include "data/corpus/vocabulary.h"
#include "models/alignment/combined_weights.h"

namespace softalign::apps {

namespace {

// Converts weights over words to weights over subwords. The subwords of a source word share its weight equally.
data::Matrix over_subwords(const data::Matrix& words, const data::Segments& source, const data::Segments& target) {
  std::vector<float> subwords(words.front().size());
  for (const std::size_t word : source.word) ++subwords[word];
  const auto row_of = [&](const std::vector<float>& row) {
    std::vector<float> spread;
    for (const std::size_t word : source.word) spread.push_back(row[word] / subwords[word]);
    spread.push_back(row.back());  // </s>
    return spread;
  };
  data::Matrix matrix;
  for (const std::size_t word : target.word) matrix.push_back(row_of(words[word]));
  matrix.push_back(row_of(words.back()));
  return matrix;
}

// Returns the combined weights of `words` target words. If the decoder has no attention, or the layer has the share 1,
// it returns the layer's weights. Further rows, of </s>, always have the layer's weights. Both matrices are over words.
data::Matrix with_decoder(data::Matrix layer, const data::Matrix& decoder, std::size_t words, const LoadedRun& run) {
  if (decoder.empty() || run.layer_share == 1) return layer;
  data::Matrix combined = models::combine(layer, decoder, run.layer_share);
  std::copy(layer.begin() + static_cast<std::ptrdiff_t>(words), layer.end(),
            combined.begin() + static_cast<std::ptrdiff_t>(words));
  return combined;
}

void put_in_place(data::AttentionWeights& weights, data::Matrix matrix, const LoadedRun& run) {
  if (!weights.matrix.empty()) {
    weights.heads.push_back({0, 0, data::HeadKind::decoder, std::move(weights.matrix), std::move(weights.scores)});
    weights.layer_share = static_cast<float>(run.layer_share);
  }
  weights.matrix = std::move(matrix);
  weights.scores.clear();
}

bool is_unknown(const data::Record& record, std::size_t t) {
  return t < record.target.size() && record.target[t] == data::unk_token;
}

std::vector<float> logarithms(std::vector<float> row) {
  for (float& each : row) each = std::log(each);
  return row;
}

models::AlignmentLayer::Aligned aligned(const data::Record& record, const LoadedRun& run) {
  const data::Pair pair{record.source, record.target, {}, {}, 0};
  return run.alignment_layer->align({&pair}).front();
}

}  // namespace

data::Matrix over_words(const data::Matrix& decoder, const LoadedRun& run, const data::Pair& pair) {
  if (decoder.empty() || run.source_segmenter.whole_words()) return decoder;
  return data::merge_subwords(decoder, run.source_segmenter.segment(pair.source).word,
                              run.target_segmenter.segment(pair.target).word);
}

void set_layer_matrix(std::vector<TeacherForcedPair>& teacher_forced, const LoadedRun& run,
                      const std::vector<data::Pair>& pairs) {
  if (!run.alignment_layer) return;
  std::vector<data::AttentionWeights> found = layer_weights(*run.alignment_layer, pairs, usual_batch, run.processes);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    data::AttentionWeights& weights = teacher_forced[i].weights;
    data::Matrix matrix = std::move(found[i].matrix);
    const std::size_t words = pairs[i].target.size();
    matrix = with_decoder(std::move(matrix), over_words(weights.matrix, run, pairs[i]), words, run);
    if (!run.source_segmenter.whole_words())
      matrix = over_subwords(matrix, run.source_segmenter.segment(pairs[i].source),
                             run.target_segmenter.segment(pairs[i].target));
    put_in_place(weights, std::move(matrix), run);
  }
}

void set_layer_matrix(data::Record& record, const LoadedRun& run) {
  if (!run.alignment_layer || record.target.empty() || record.source.empty()) return;
  data::Matrix matrix = aligned(record, run).weights;
  if (!record.target_eos) matrix.pop_back();
  matrix = with_decoder(std::move(matrix), record.weights.matrix, record.target.size(), run);
  for (std::size_t t = 0; t < record.weights.matrix.size(); ++t)
    if (is_unknown(record, t)) matrix[t] = record.weights.matrix[t];
  put_in_place(record.weights, std::move(matrix), run);
  data::complete(record);
}

void set_layer_scores(data::Record& record, const LoadedRun& run) {
  const data::Matrix& matrix = record.weights.matrix;
  data::Matrix scores;
  if (run.layer_share < 1 && record.weights.decoder_head()) {
    std::transform(matrix.begin(), matrix.end(), std::back_inserter(scores), logarithms);
  } else {
    scores = aligned(record, run).scores;
    if (!record.target_eos) scores.pop_back();
  }
  for (data::Head& head : record.weights.heads) {
    if (head.kind != data::HeadKind::decoder) continue;
    if (!record.weights.scores.empty()) head.scores = std::move(record.weights.scores);
    for (std::size_t t = 0; t < matrix.size(); ++t)
      if (matrix[t] == head.matrix[t]) scores[t] = head.scores.empty() ? logarithms(matrix[t]) : head.scores[t];
  }
  record.weights.scores = std::move(scores);
}

}  // namespace softalign::apps
