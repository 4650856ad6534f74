#include "apps/inference/self_attention.h"

#include <iterator>
#include <utility>

namespace apps {

namespace {

void append(std::vector<data::Head>& heads, std::vector<data::Head> more) {
  heads.insert(heads.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

void add_self_attention(std::vector<ForcedPair>& forced, const Run& run, const std::vector<data::Pair>& pairs) {
  auto heads = self_attention(*run.model, run.params, encode(run, pairs), usual_batch, run.sharing);
  for (std::size_t i = 0; i < forced.size(); ++i) append(forced[i].weights.heads, std::move(heads[i]));
}

void add_self_attention(models::Hypothesis& found, const Run& run, const SourceText& source) {
  std::vector<data::Head> heads =
      std::move(self_attention(*run.model, run.params, {encoded(source, found.ids)}).front());
  // A translation that its length limit cut has no place for </s>.
  const std::size_t steps = found.weights.matrix.size();
  for (data::Head& head : heads) {
    if (head.kind == "encoder-self") continue;
    head.matrix.resize(steps);
    for (auto& row : head.matrix) row.resize(steps);
  }
  append(found.weights.heads, std::move(heads));
}

}  // namespace apps
