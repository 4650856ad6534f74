#include "apps/training/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "apps/training/divergence.h"
#include "apps/training/translation.h"
#include "autograd/threads/blas.h"
#include "autograd/threads/shards.h"
#include "autograd/var.h"
#include "data/corpus/pharaoh.h"
#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/unicode.h"
#include "models/config.h"
#include "models/registry.h"
#include "models/training/batch_gradient.h"

namespace softalign::apps {

namespace {

constexpr std::size_t most_places = 1 << 20;  // that a source may have, and pixels a side: more are no record of ours

std::string format(const data::Ids& ids) { return fmt::format("{}", fmt::join(ids, " ")); }

// "ffe0.."
std::string in_hex(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

std::string format_source(const data::EncodedPair& pair) {
  std::string text = format(pair.source);
  if (pair.places > 0) text += fmt::format("/ {}", pair.places);
  if (pair.picture)
    text += fmt::format(" {} {} {}", pair.picture->height, pair.picture->width, in_hex(pair.picture->rgb));
  return text;
}

std::vector<std::string> cut(const std::string& text, char at, std::size_t most) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; parts.size() + 1 < most && (end = text.find(at, begin)) != std::string::npos; begin = end + 1)
    parts.push_back(text.substr(begin, end - begin));
  parts.push_back(text.substr(begin));
  return parts;
}

data::Ids parse_ids(const std::string& text, std::size_t words, const std::string& path) {
  data::Ids ids;
  if (text.empty()) return ids;  // the source of a language model
  for (const std::string& part : cut(text, ' ', text.size() + 1)) {
    const auto id = data::number<std::size_t>(part);
    if (!id || *id >= words)
      throw data::Error(
          data::ErrorKind::damaged_file,
          fmt::format("{}: the word id {} is not in a vocabulary of {} words", path, data::in_quotes(part), words));
    ids.push_back(static_cast<data::Id>(*id));
  }
  return ids;
}

std::uint8_t hex_digit(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const std::size_t place = digits.find(c);
  if (place == std::string_view::npos) throw std::invalid_argument("no hexadecimal digit");
  return static_cast<std::uint8_t>(place);
}

// What format_source wrote. std::invalid_argument: it is something else.
void parse_source(const std::string& text, std::size_t words, const std::string& path, data::EncodedPair& pair) {
  const std::vector<std::string> parts = cut(text, '/', 2);
  pair.source = parse_ids(parts.front(), words, path);
  if (parts.size() < 2) return;
  const std::vector<std::string> more = cut(parts[1], ' ', 5);  // "", places, height, width, bytes
  std::vector<std::size_t> numbers;
  for (std::size_t i = 1; i < std::min<std::size_t>(more.size(), 4); ++i) {
    const auto number = data::number<std::size_t>(more[i]);
    if (!number || *number == 0 || *number > most_places) throw std::invalid_argument(more[i]);
    numbers.push_back(*number);
  }
  if (numbers.empty()) throw std::invalid_argument(text);
  pair.places = numbers[0];
  if (more.size() < 5) return;
  data::Picture picture{numbers[1], numbers[2], {}};
  if (more[4].size() != picture.height * picture.width * 6) throw std::invalid_argument("bytes");
  for (std::size_t i = 0; i < more[4].size(); i += 2)
    picture.rgb.push_back(static_cast<std::uint8_t>(hex_digit(more[4][i]) << 4 | hex_digit(more[4][i + 1])));
  pair.picture = std::make_shared<const data::Picture>(std::move(picture));
}

// A saved number that this program may count on.
std::size_t counter(const models::Checkpoint& saved, const std::string& name) {
  const auto found = saved.counters.find(name);
  if (found == saved.counters.end() || found->second < 0)
    throw data::Error(
        data::ErrorKind::unsupported_format,
        fmt::format("{}: the file has no count of {}. --replay needs the file diverged.safetensors of a run",
                    saved.path, name));
  return static_cast<std::size_t>(found->second);
}

// Of hard looks; else nothing.
autograd::Array baseline_of(const models::Checkpoint& saved, const TrainOptions& options) {
  if (!options.model.hard_attention) return {};
  for (const models::NamedArray& kept : saved.training)
    if (kept.name == reward_baseline && kept.array.size() > 0) return kept.array;
  throw data::Error(data::ErrorKind::damaged_file, fmt::format("{}: {} is missing", saved.path, reward_baseline));
}

struct Model {
  TrainOptions options;
  autograd::Params params{autograd::Random(0)};
  std::unique_ptr<models::Seq2Seq> seq2seq;
};

Model model_of(const models::Checkpoint& saved, const RecordedPairs& recorded) {
  Model model;
  models::read_config(table(model.options.common), saved.config, saved.path);
  models::read_config(table(model.options), saved.config, saved.path);
  complete(model.options);
  model.options.model.source_vocabulary = recorded.source_words;
  model.options.model.target_vocabulary = recorded.target_words;
  check_memory_of_model(model.options.model);
  model.seq2seq = models::make_model(model.options.model, model.params);
  models::restore(saved.path, saved.parameters, models::named_arrays(model.params));
  return model;
}

data::Batch batch_of(const std::vector<data::EncodedPair>& pairs) {
  data::Indices all(pairs.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return data::make_batch(pairs, all);
}

}  // namespace

std::string format(const RecordedPairs& recorded) {
  std::string text = fmt::format("{} {}\n", recorded.source_words, recorded.target_words);
  auto name = recorded.names.begin();
  for (const std::vector<data::EncodedPair>& batch : recorded.batches) {
    text += "\n";
    for (const data::EncodedPair& pair : batch)
      text += fmt::format("{}\t{}\t{}\t{}\n", format_source(pair), format(pair.target), data::format_links(pair.sure),
                          *name++);
  }
  return text;
}

RecordedPairs parse_recorded(const std::string& text, const std::string& path) {
  const auto no_examples = [&] {
    return data::Error(
        data::ErrorKind::unsupported_format,
        fmt::format(
            "{}: the file contains no examples of a step. --replay needs the file diverged.safetensors of a run",
            path));
  };
  const std::vector<std::string> lines = cut(text, '\n', text.size() + 1);
  const std::vector<std::string> sizes = cut(lines.front(), ' ', 2);
  const auto source = data::number<std::size_t>(sizes.front()), target = data::number<std::size_t>(sizes.back());
  if (sizes.size() != 2 || !source || !target) throw no_examples();
  RecordedPairs recorded{*source, *target, {}, {}};
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].empty()) {
      if (i + 1 < lines.size()) recorded.batches.emplace_back();
      continue;
    }
    const std::vector<std::string> fields = cut(lines[i], '\t', 4);
    if (fields.size() != 4 || recorded.batches.empty()) throw no_examples();
    data::EncodedPair pair;
    try {
      parse_source(fields[0], *source, path, pair);
    } catch (const std::invalid_argument&) {
      throw no_examples();
    }
    pair.target = parse_ids(fields[1], *target, path);
    pair.sure =
        data::parse_gold(fields[2], pair.places > 0 ? pair.places : pair.source.size(), pair.target.size(), path).sure;
    recorded.batches.back().push_back(std::move(pair));
    recorded.names.push_back(fields[3]);
  }
  for (const auto& batch : recorded.batches)
    if (batch.empty()) throw no_examples();
  if (recorded.batches.empty()) throw no_examples();
  return recorded;
}

std::string replay(const std::string& path, std::size_t threads) {
  const models::Checkpoint saved = models::load_checkpoint(path);
  const RecordedPairs recorded = parse_recorded(saved.examples, path);
  const Model model = model_of(saved, recorded);
  const std::size_t steps = counter(saved, "steps"), targets = counter(saved, "targets");
  const bool validation = counter(saved, "batches") == 0;
  constexpr std::size_t most_threads = 1024;
  const std::size_t its_threads = std::clamp<std::size_t>(counter(saved, "threads"), 1, most_threads);
  autograd::set_threads(static_cast<int>(threads > 0 ? threads : its_threads));
  const TrainOptions& o = model.options;
  const autograd::KernelsInForce kernels(trainer_options(o).kernels);
  autograd::Random random = dropout_stream(o.common.seed);
  random.set_position(counter(saved, "random_position"));
  const models::Objective objective = objective_in(o, steps, counter(saved, "epoch"), baseline_of(saved, o));
  double loss = 0;
  const auto bad = first_bad_number(model.params, [&] {
    for (const std::vector<data::EncodedPair>& pairs : recorded.batches) {
      if (validation) {
        for (const TeacherForcedPair& pair : force(*model.seq2seq, model.params, pairs))
          for (const float log_prob : pair.log_prob) loss -= static_cast<double>(log_prob);
      } else {
        loss += models::add_batch_gradient(*model.seq2seq, model.params, batch_of(pairs), objective, random,
                                           autograd::worthwhile_shards(model.params, autograd::threads()), targets)
                    .total();
      }
    }
  });
  std::string text = validation ? fmt::format("validation after step {}", steps) : fmt::format("step {}", steps + 1);
  text += fmt::format(" (epoch {}), pairs: {}\n", counter(saved, "epoch"), recorded.names.size());
  for (const std::string& name : recorded.names) text += fmt::format("  {}\n", name);
  return text + fmt::format("loss: {}, summed over the words\nfirst NaN or Inf: {}\n", loss, bad.value_or(nothing_bad));
}

}  // namespace softalign::apps
