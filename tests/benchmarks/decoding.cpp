#include "tests/benchmarks/decoding.h"

#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "apps/run/batched_inference.h"
#include "autograd/kernels.h"
#include "tests/benchmarks/limits.h"
#include "tests/benchmarks/operations.h"
#include "tests/benchmarks/timing.h"

using namespace softalign;

namespace benchmarks {
namespace {

// Sets the logit of </s> to -infinity, so that no hypothesis ends before the length limit.
void forbid_end(const autograd::Params& params) {
  for (const autograd::Parameter& p : params.all())
    if (p.name == "output/b") p.var.mutable_value()[data::end_id] = -std::numeric_limits<autograd::Real>::infinity();
}

}  // namespace

nlohmann::json measure_decoding(const Conditions& c, const Trainee& trainee, std::size_t beam) {
  forbid_end(trainee.params);
  const std::string kind = beam == 1 ? "greedy" : fmt::format("beam{}", beam);
  autograd::Random random = trainee.random.split("decoding");
  std::optional<models::Shortlist> shortlist;
  if (c.shortlist) {
    data::Ids words(c.shortlist);
    std::iota(words.begin(), words.end(), data::Id{0});
    shortlist.emplace(words, std::vector<data::Ids>());
  }
  nlohmann::json result;
  for (const std::size_t sentences : {std::size_t{1}, std::size_t{32}}) {
    Sizes z = c.sizes;
    z.B = sentences;
    const std::vector<data::EncodedPair> sources = random_sources(z, random);
    // The limit counts words without </s>, so T - 1 words take T steps.
    const models::BeamOptions options{.beam = beam, .max_length = z.T - 1};
    const double time = median_seconds(
        [&] {
          const auto best = apps::search(*trainee.model, trainee.params, sources, options, apps::usual_batch, {},
                                         shortlist ? &*shortlist : nullptr);
          if (best[0].at(0).ids.size() + 1 != z.T) throw std::logic_error("bench: decoding stopped early");
        },
        c.seconds / 2);
    const double words = double(z.B * z.T) / time;
    fmt::print("{}, {} sentence{}: {:.0f} target words/s\n", kind, sentences, sentences == 1 ? "" : "s", words);
    result[fmt::format("{}_b{}_tok_s", kind, sentences)] = words;
    if (beam == 1 && sentences == 1 && !autograd::int8() && !shortlist) {
      const double bytes = decoding_bytes(z, c.model, trainee.params),
                   bandwidth = read_bandwidth(static_cast<std::size_t>(bytes / double(z.T)));
      fmt::print("  weights: {:.1f} GB/s, {:.1f}% of what reading as many alone reaches ({:.1f})\n",
                 1e-9 * bytes / time, 100 * bytes / time / bandwidth, 1e-9 * bandwidth);
      result["weights_gb_s"] = 1e-9 * bytes / time;
      result["share_of_bandwidth"] = bytes / time / bandwidth;
    }
  }
  return result;
}

}  // namespace benchmarks
