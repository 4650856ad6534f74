#include "apps/inference/scores.h"

#include <utility>

#include "apps/cli/common_options.h"
#include "autograd/no_grad.h"
#include "models/search/observation.h"

namespace apps {

void check_scores(const Run& run, bool pieces) {
  if (run.members > 1) throw UsageError("--scores is of one --run: the weights of an ensemble are means");
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

}  // namespace apps
