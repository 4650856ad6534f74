#include "apps/inference/align_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "apps/run/ensemble_run.h"
#include "apps/run/run_text.h"

namespace apps {

void align_pairs(const Run& run, const std::string& name, const std::vector<data::Pair>& pairs, Tokens tokens,
                 const std::function<void(const data::Record&)>& use) {
  if (!run.model->decoder().attends() && !pairs.empty()) {
    throw std::runtime_error(
        fmt::format("--run {}: its model ({}) has no attention, so it aligns nothing", name, run.options.model.model));
  }
  constexpr std::size_t part = 1024;
  for (std::size_t begin = 0; begin < pairs.size(); begin += part) {
    const auto first = pairs.begin() + static_cast<std::ptrdiff_t>(begin);
    const std::vector<data::Pair> now(first, first + static_cast<std::ptrdiff_t>(std::min(part, pairs.size() - begin)));
    const auto forced = force(*run.model, run.params, encode(run, now));
    for (std::size_t i = 0; i < now.size(); ++i) {
      const PiecePair pieces = in_pieces(run, now[i]);
      data::Record record = tokens == Tokens::pieces ? forced_record(pieces.pair, forced[i], begin + i)
                                                     : forced_record(now[i], in_words(forced[i], pieces), begin + i);
      record.mode = record_mode(run, record.mode);
      add_text(record, run, now[i], tokens);
      use(record);
    }
  }
}

}  // namespace apps
