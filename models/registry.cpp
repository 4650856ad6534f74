#include "models/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "models/encoder.h"
#include "models/named_options.h"

namespace softalign::models {
namespace {

bool uses(const Family& family, const char* option) {
  return std::find(family.uses.begin(), family.uses.end(), option) != family.uses.end();
}

bool takes_encoders(const Family& family) { return uses(family, "encoder"); }

// own_positions returns the default positions. Rotary positions translate best (docs/results.md). They need pairs of
// numbers, which feature maps and heads of odd width do not have, and queries, which a convolution does not have.
layers::PositionKind own_positions(const ModelOptions& o, bool decoder_has_them) {
  const bool queries = decoder_has_them ? o.encoder != "convolution" : o.encoder == "transformer";
  const bool pairs = o.heads > 0 && o.hidden % (2 * o.heads) == 0;
  return queries && o.self_attention == layers::SelfAttentionKind::softmax && pairs ? layers::PositionKind::rotary
                                                                                    : layers::PositionKind::sinusoidal;
}

}  // namespace

Task task_of(const ModelOptions& o) {
  const Family* family = find_family(o);
  if (family == nullptr) return Task::translation;
  return takes_encoders(*family) && reads_pictures(o) ? Task::captioning : family->task;
}

std::string default_model(Task task) {
  return std::find_if(known_families().begin(), known_families().end(), [&](const Family& f) { return f.task == task; })
      ->name;
}

std::string models_of(Task task) {
  std::vector<std::string> names;
  for (const Family& family : known_families()) {
    const bool fits = family.task == task || (task == Task::captioning && takes_encoders(family));
    if (fits && std::find(names.begin(), names.end(), family.name) == names.end()) names.push_back(family.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string model_for(Task task, const ModelOptions& o) {
  const Family* family = find_family(o);
  if (family == nullptr || family->task == task) return o.model;
  if (task == Task::captioning && takes_encoders(*family)) return o.model;
  const auto like = [&](const Family& f) { return f.task == task && f.name == family->name + "-lm"; };
  const auto found = std::find_if(known_families().begin(), known_families().end(), like);
  return found == known_families().end() ? default_model(task) : found->name;
}

std::string own_defaults(const ModelOptions& o) {
  std::vector<std::string> entries;
  const auto add = [&](const auto& defaults) {
    for (const auto& [name, value] : defaults) entries.push_back(fmt::format("\"{}\": {}", name, value));
  };
  const std::vector<std::string> encoders = known_encoders();
  const Family* family = find_family(o);
  const bool chooses = family == nullptr || family->task == Task::translation;
  if (chooses && std::find(encoders.begin(), encoders.end(), o.encoder) != encoders.end())
    add(encoder_kind(o.encoder).defaults);
  if (family != nullptr) add(family->defaults);  // the last entry of a name counts
  if (family != nullptr && o.attention.value_or(family->attention) == family->attention &&
      o.attention_window == layers::WindowKind::global)
    add(family->defaults_of_attention);
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

std::vector<std::string> uses_of(const ModelOptions& options) {
  const ModelOptions o = completed(options);
  const Family& family = family_of(o);
  std::vector<std::string> uses = family.uses;
  if (family.task != Task::translation && family.task != Task::captioning) return uses;
  const std::vector<std::string>& more = encoder_kind(o.encoder).uses;
  uses.insert(uses.end(), more.begin(), more.end());
  return uses;
}

std::size_t most_words(const ModelOptions& options) {
  const ModelOptions o = completed(options);
  const std::vector<std::string> uses = uses_of(o);
  const auto used = [&](const char* name) { return std::find(uses.begin(), uses.end(), name) != uses.end(); };
  const bool known = (o.positions == layers::PositionKind::learned && used("positions")) ||
                     ((o.self_attention == layers::SelfAttentionKind::positional ||
                       o.self_attention == layers::SelfAttentionKind::factorized) &&
                      used("self-attention"));
  return known ? o.known_positions - 1 : std::numeric_limits<std::size_t>::max();
}

ModelOptions completed(ModelOptions o) {
  const Family* family = find_family(o);
  if (family == nullptr) return o;
  if (o.model != family->name && family->choose != nullptr) family->choose(o);
  o.model = family->name;
  const auto has = [&](const char* name) { return uses(*family, name); };
  if (!has("encoder") || o.encoder.empty()) o.encoder = family->encoder.empty() ? name_of(o.cell) : family->encoder;
  if (!o.attention) o.attention = family->attention;
  if (!o.positions) o.positions = own_positions(o, has("positions"));
  if (!o.initialiser)
    o.initialiser = family->initialiser != nullptr ? family->initialiser(o) : layers::InitialiserKind::standard;
  return o;
}

std::string problem_of(const ModelOptions& options) {
  ModelOptions o = completed(options);
  const std::string problem = problem_of(table(o));  // reports an unknown model first
  if (!problem.empty()) return problem;
  if (o.hard_attention && !uses(family_of(o), "hard-attention"))
    return fmt::format(
        "hard-attention needs model show-attend-tell, because the model {} has only soft attention. Remove "
        "--hard-attention",
        o.model);
  for (const Conflict& conflict : family_of(o).conflicts(o))
    if (conflict.found) return conflict.reason;
  return "";
}

std::unique_ptr<Seq2Seq> make_model(const ModelOptions& options, const autograd::Params& p) {
  const std::string problem = problem_of(options);
  if (!problem.empty()) throw std::invalid_argument(problem);
  const ModelOptions o = completed(options);
  return family_of(o).make(o, p);
}

std::size_t count_parameters(const ModelOptions& options) {
  const autograd::Params shapes = autograd::Params::without_numbers();
  make_model(options, shapes);
  return shapes.count();
}

}  // namespace softalign::models
