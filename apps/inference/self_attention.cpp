#include "apps/inference/self_attention.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "models/registry.h"

namespace softalign::apps {

namespace {

void append(std::vector<data::Head>& heads, std::vector<data::Head> more) {
  heads.insert(heads.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

void add_self_attention(std::vector<ForcedPair>& forced, const Run& run, const std::vector<data::Pair>& pairs) {
  auto heads = self_attention(*run.model, run.params, encode(run, pairs), usual_batch, run.sharing);
  for (std::size_t i = 0; i < forced.size(); ++i) append(forced[i].weights.heads, std::move(heads[i]));
}

bool add_self_attention(models::Hypothesis& found, const Run& run, const SourceText& source) {
  const std::size_t most = models::most_words(run.options.model);
  const bool known = found.ids.size() <= most;
  data::Ids ids = found.ids;
  if (!known) ids.resize(most);
  std::vector<data::Head> heads = std::move(self_attention(*run.model, run.params, {encoded(source, ids)}).front());
  if (!known) std::erase_if(heads, [](const data::Head& head) { return head.kind != "encoder-self"; });
  // A translation that its length limit cut has no place for </s>.
  const std::size_t steps = found.weights.matrix.size();
  for (data::Head& head : heads) {
    if (head.kind == "encoder-self") continue;
    head.matrix.resize(steps);
    for (auto& row : head.matrix) row.resize(steps);
  }
  append(found.weights.heads, std::move(heads));
  return known;
}

std::string note_of_self_attention(const Run& run, std::size_t left_out) {
  if (left_out == 0) return "";
  return fmt::format(
      "{} translation{} more than {} tokens, and the model has no positions for more; {} without the self-attention "
      "of the target",
      left_out, left_out == 1 ? " has" : "s have", models::most_words(run.options.model),
      left_out == 1 ? "its record is" : "their records are");
}

}  // namespace softalign::apps
