#include "apps/inference/scores.h"

#include <fmt/format.h>

#include <utility>

#include "apps/cli/common_options.h"
#include "apps/run/run_text.h"
#include "autograd/var.h"
#include "models/search/observation.h"

namespace softalign::apps {

void check_scores(const Run& run, bool pieces) {
  if (run.members > 1) throw UsageError("--scores is of one --run: the weights of an ensemble are means");
  const models::Decoder& decoder = run.model->decoder();
  if (decoder.attends() && !decoder.has_scores())
    throw UsageError(
        fmt::format("--scores: the weights of {} are no softmax of scores of its own", run.options.model.model));
  if (pieces || run.source_pieces.whole_words()) return;
  throw UsageError("--scores: the run cuts words into pieces, which have the scores; add --pieces");
}

void add_scores(data::Record& record, const Run& run, const data::EncodedPair& pair) {
  if (!run.model->decoder().has_scores()) return;
  const autograd::NoGrad no_grad;
  const data::Batch batch = data::make_batch(std::vector<data::EncodedPair>{pair}, {0});
  models::Observation seen = observe(run.model->decoder(), run.model->encode(batch), models::targets(batch));
  // A translation that its length limit cut has no row for </s>.
  for (data::Matrix& scores : seen.scores) scores.resize(record.matrix.size());
  seen.norms.context.resize(record.matrix.size());
  // Where heads are apart the matrix is made of them, and their scores are theirs alone.
  std::size_t k = 0;
  for (data::Head& head : record.heads)
    if (head.kind == "cross") head.scores = std::move(seen.scores.at(k++));
  if (k > 0) return;
  record.scores = std::move(seen.scores.front());
  record.norms = std::move(seen.norms);
}

void add_scores(std::vector<data::Record>& records, const Run& run, const std::vector<data::Pair>& pairs) {
  const std::vector<data::EncodedPair> ids = encode(run, pairs);
  const auto add = [&](const std::vector<std::size_t>& mine, std::vector<data::Weights>& weights) {
    for (const std::size_t i : mine) {
      add_scores(records[i], run, ids[i]);
      weights[i] = std::move(static_cast<data::Weights&>(records[i]));
    }
  };
  std::vector<data::Weights> weights = share_out<data::Weights>(run.sharing, records.size(), add);
  for (std::size_t i = 0; i < records.size(); ++i) static_cast<data::Weights&>(records[i]) = std::move(weights[i]);
}

}  // namespace softalign::apps
