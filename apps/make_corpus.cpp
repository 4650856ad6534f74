// make_corpus: draws a parallel corpus with gold alignments from a synchronous grammar, or the pairs of a sequence
// task.
#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/cli/command_line.h"
#include "apps/run/folder_lock.h"
#include "apps/run/memory.h"
#include "apps/run/replacement.h"
#include "data/corpus/corpus.h"
#include "data/grammar/grammar.h"
#include "data/grammar/sampler.h"
#include "data/io/file_set.h"
#include "data/io/files.h"
#include "data/io/number.h"
#include "data/io/shipped.h"
#include "data/sequences/sequences.h"

namespace {

struct Options {
  apps::CommonOptions common;
  std::string grammar, task, out;
  size_t pairs = 0, min_length = 2, max_length = 25;
  bool spread = false, force = false;
  std::vector<std::string> exclude, split;
};

struct Part {
  std::string name;
  size_t pairs = 0;
};

// "train=12000" "valid=500"; without any, one file with all pairs.
std::vector<Part> parse_split(const Options& options) {
  if (options.split.empty()) {
    if (options.pairs == 0) throw apps::UsageError("say how many pairs: --pairs N or --split train=N,valid=N,test=N");
    return {{"pairs", options.pairs}};
  }
  std::vector<Part> parts;
  size_t total = 0;
  std::set<std::string> names;
  for (const std::string& text : options.split) {
    const size_t equals = text.find('=');
    Part part{text.substr(0, equals), 0};
    const auto pairs = data::number<size_t>(std::string_view(text).substr(std::min(equals, text.size() - 1) + 1));
    part.pairs = pairs.value_or(0);
    const bool plain_name = !part.name.empty() && part.name.find_first_of("/\\. ") == std::string::npos;
    if (equals == std::string::npos || part.pairs == 0 || part.pairs > models::many || !plain_name ||
        !names.insert(part.name).second) {
      throw apps::UsageError(fmt::format("--split: \"{}\" is not NAME=PAIRS with a new name, as in train=12000", text));
    }
    total += part.pairs;
    parts.push_back(part);
  }
  if (options.pairs != 0 && options.pairs != total) {
    throw apps::UsageError(fmt::format("--pairs {}, but the parts of --split add up to {}", options.pairs, total));
  }
  return parts;
}

// Why a file is none that this program writes; "" if it is one.
std::string problem_of(const std::string& file) {
  try {
    const std::vector<data::Pair> pairs = data::read_tsv(file).pairs;
    for (const data::Pair& pair : pairs)
      if (!pair.gold) return fmt::format("line {} has no gold links", pair.line);
    return data::format_tsv(pairs) == data::read_bytes(file) ? "" : "it is not written as this program would";
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string file_of(const Options& options, const Part& part) {
  return (std::filesystem::path(options.out) / (part.name + ".tsv")).string();
}

// DIR/NAME.tsv, none of which may exist yet, unless it is to be replaced and was drawn by this program too.
void check_output(const Options& options, const std::vector<Part>& parts) {
  for (const Part& part : parts) {
    const std::string file = file_of(options, part);
    if (!data::exists(file)) continue;
    if (!options.force) throw std::runtime_error(file + " exists; choose another --out, or --force to replace it");
    if (const std::string problem = problem_of(file); !problem.empty())
      throw std::runtime_error(fmt::format(
          "--out {}: {} is no corpus of make_corpus ({}), so --force does not replace it; name another folder",
          options.out, file, problem));
  }
}

void describe(const std::string& file, const std::vector<data::Pair>& pairs) {
  size_t source_words = 0, target_words = 0;
  std::set<std::string> source_types, target_types;
  for (const data::Pair& pair : pairs) {
    source_words += pair.source.size();
    target_words += pair.target.size();
    source_types.insert(pair.source.begin(), pair.source.end());
    target_types.insert(pair.target.begin(), pair.target.end());
  }
  const double count = static_cast<double>(pairs.size());
  fmt::print("{}: {} pairs, {:.1f} and {:.1f} words on average, {} and {} different ones\n", file, pairs.size(),
             static_cast<double>(source_words) / count, static_cast<double>(target_words) / count, source_types.size(),
             target_types.size());
}

// At least this much: a word is a string, and no sentence is shorter than they may be.
void check_memory_of_pairs(const Options& options, size_t pairs) {
  const double pair = sizeof(data::Pair) + 2 * static_cast<double>(options.min_length) * sizeof(std::string);
  apps::check_memory(fmt::format("a corpus of {} pairs", pairs), {{"pairs", pair * static_cast<double>(pairs)}},
                     "draw fewer");
}

std::vector<data::Pair> draw(const Options& options, const std::vector<Part>& parts,
                             const std::vector<data::Pair>& excluded) {
  size_t count = 0;
  for (const Part& part : parts) count += part.pairs;
  check_memory_of_pairs(options, count);
  if (!options.task.empty()) {
    return data::sample_sequences(options.task,
                                  {.pairs = count,
                                   .min_length = options.min_length,
                                   .max_length = options.max_length,
                                   .seed = options.common.seed},
                                  excluded);
  }
  return data::sample_corpus(data::read_grammar(data::shipped(options.grammar)),
                             {.pairs = count,
                              .min_length = options.min_length,
                              .max_length = options.max_length,
                              .spread = options.spread,
                              .seed = options.common.seed},
                             excluded);
}

// "the task: reverse (the words from the last to the first); ..."
std::string tasks_explained() {
  std::string text;
  for (const data::SequenceTask& task : data::sequence_tasks()) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", task.name, task.about);
  }
  return text;
}

int make_corpus(const Options& options) {
  if (options.grammar.empty() == options.task.empty()) {
    throw apps::UsageError("say what to draw from: either --grammar FILE or --task NAME");
  }
  if (options.spread && !options.task.empty()) {
    throw apps::UsageError("--spread is for grammars; a task draws every length as often as another anyway");
  }
  if (options.min_length > options.max_length) {
    throw apps::UsageError(
        fmt::format("--min-length {} is above --max-length {}", options.min_length, options.max_length));
  }
  const std::vector<Part> parts = parse_split(options);
  check_output(options, parts);
  std::vector<data::Pair> excluded;
  for (const std::string& file : options.exclude) {
    const std::vector<data::Pair> pairs = data::read_tsv(file).pairs;
    excluded.insert(excluded.end(), pairs.begin(), pairs.end());
  }
  const std::vector<data::Pair> pairs = draw(options, parts, excluded);

  const apps::RunFolder folder{options.out};
  make_folder(folder);
  const apps::FolderLock lock(folder);
  data::end_file_set(options.out);
  check_output(options, parts);  // as it is now that nobody else writes there
  std::vector<data::NewFile> files;
  std::vector<std::vector<data::Pair>> drawn;
  auto next = pairs.begin();
  for (const Part& part : parts) {
    const auto end = next + static_cast<std::ptrdiff_t>(part.pairs);
    drawn.emplace_back(next, end);
    files.push_back({part.name + ".tsv", data::format_tsv(drawn.back())});
    next = end;
  }
  data::write_file_set(options.out, files);
  for (size_t i = 0; i < parts.size(); ++i) describe(file_of(options, parts[i]), drawn[i]);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  apps::CommandLine line(
      "make_corpus",
      "Draws distinct sentence pairs with gold alignments from a synchronous grammar (its format is explained in "
      "data/toy/en-fr.grammar), or of a sequence task, and writes DIR/NAME.tsv: source, target, links, tags.",
      {"make_corpus --grammar data/toy/en-fr.grammar --split train=12000,valid=500,test=500 --out runs/toy",
       "make_corpus --grammar data/toy/en-fr.grammar --split long=600 --seed 2 --min-length 5 --max-length 60 --spread "
       "--exclude runs/toy/train.tsv --exclude runs/toy/valid.tsv --exclude runs/toy/test.tsv --out runs/toy",
       "make_corpus --task reverse --split train=8000,valid=200,test=200 --max-length 12 --out runs/reverse"},
      options.common);
  line.add("grammar", &options.grammar, "the grammar file");
  line.add("task", &options.task, "instead of a grammar a sequence task with known attention: " + tasks_explained());
  line.add("pairs", &options.pairs, "how many pairs; may be left out with --split", apps::between(0, models::many));
  line.add_here("split", &options.split, "parts and their pairs: NAME=N,NAME=N; without it all pairs go to pairs.tsv",
                {.commas = true});
  line.add("min-length", &options.min_length, "fewest words of either side", apps::between(1, 200));
  line.add("max-length", &options.max_length, "most words of either side", apps::between(1, 200));
  line.add("spread", &options.spread,
           "as many pairs of every source length from --min-length to --max-length, whatever the target's length");
  line.add_here("exclude", &options.exclude, "TSV files no source or target of which is drawn again", {.commas = true});
  line.add_here("force", &options.force, "replace existing files");
  line.add_here("out", &options.out, "folder to write to", {.required = true});
  return line.run(argc, argv, [&] { return make_corpus(options); });
}
