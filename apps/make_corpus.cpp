// The program `make_corpus` generates a corpus with gold links or answers from a seed. It generates sentence pairs of a
// synchronous grammar, pairs of a sequence task, or examples of another kind (data/synthetic). It also splits a file
// into parts.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "apps/cli/command_line.h"
#include "apps/run/memory_need.h"
#include "apps/run/output_folder.h"
#include "apps/terminal/output.h"
#include "data/corpus/corpus.h"
#include "data/corpus/parts.h"
#include "data/corpus/readers.h"
#include "data/grammar/read_grammar.h"
#include "data/grammar/sampler.h"
#include "data/io/commands.h"
#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/file_set.h"
#include "data/io/files.h"
#include "data/io/own_files.h"
#include "data/io/shipped.h"
#include "data/io/unicode.h"
#include "data/pictures/picture_file.h"
#include "data/stories/story_world.h"
#include "data/synthetic/sequences.h"
#include "data/synthetic/synthetic.h"

using namespace softalign;

namespace {

constexpr const char* split_verb = "split";  // given in place of a task; splits a file into parts
constexpr const char* stories_task = "stories";
const std::vector<const char*> story_options{"people", "idle",     "things",        "containers",   "rooms",
                                             "facts",  "question", "min-sentences", "max-sentences"};

struct Options {
  apps::CommonOptions common;
  std::string grammar, task, file, out;
  data::PartSizes parts;
  size_t pairs = 0, min_length = 2, max_length = 25;
  bool spread = false, force = false;
  std::vector<std::string> exclude, split;
  data::StoryWorldOptions stories;
};

struct Part {
  std::string name;
  size_t pairs = 0;
};

// Returns the generator of the task's examples. Returns nothing for a grammar or a sequence task.
std::optional<data::SyntheticCorpus> drawn_corpus(const Options& options) {
  const data::SyntheticCorpus* found = data::find_synthetic_corpus(options.task);
  if (found == nullptr) return {};
  data::SyntheticCorpus corpus = *found;
  if (options.task == stories_task)
    corpus.draw = [o = options.stories](autograd::Random& random) { return data::story_and_question(o, random); };
  return corpus;
}

// Parses the values of --split, for example "train=12000" and "valid=500". Without --split, there is one file with all
// pairs.
std::vector<Part> parse_split(const Options& options) {
  if (options.split.empty()) {
    if (options.pairs == 0)
      throw apps::UsageError("the number of pairs is missing. Add --pairs N or --split train=N,valid=N,test=N");
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
      throw apps::UsageError(fmt::format(
          "--split: {} does not have the form NAME=PAIRS, or its name occurs twice. An example is train=12000",
          data::in_quotes(text)));
    }
    total += part.pairs;
    parts.push_back(part);
  }
  if (options.pairs != 0 && options.pairs != total) {
    throw apps::UsageError(
        fmt::format("--pairs is {}, but the parts of --split add up to {}. Remove --pairs, or change the parts",
                    options.pairs, total));
  }
  return parts;
}

std::string file_of(const Options& options, const Part& part) {
  return (std::filesystem::path(options.out) / (part.name + ".tsv")).string();
}

// Throws data::Error if a file that the program would write exists already. With --force, files that this program wrote
// earlier may exist.
void check_output(const Options& options, const std::vector<Part>& parts) {
  const std::optional<data::SyntheticCorpus> corpus = drawn_corpus(options);
  std::vector<std::string> names;
  if (corpus) names.emplace_back("task");
  for (const Part& part : parts) {
    names.push_back(part.name + ".tsv");
    if (corpus) names.push_back(data::pictures_folder(part.name));
  }
  const auto path_of = [&](const std::string& name) { return (std::filesystem::path(options.out) / name).string(); };
  const auto old =
      std::find_if(names.begin(), names.end(), [&](const auto& name) { return data::exists(path_of(name)); });
  if (old == names.end()) return;
  if (!options.force)
    throw data::Error(data::ErrorKind::wrong_usage,
                      path_of(*old) + " already exists. Choose another --out, or add --force to replace the file");
  for (const Part& part : parts) {
    const std::string problem = corpus ? data::problem_of_earlier_output(options.out, part.name, *corpus)
                                       : data::problem_of_earlier_pairs(file_of(options, part));
    if (!problem.empty())
      throw data::Error(
          data::ErrorKind::wrong_usage,
          fmt::format(
              "--out {}: make_corpus did not write {} ({}), so --force does not replace it. Name another folder",
              options.out, file_of(options, part), problem));
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
  apps::show("{}: {} pairs with {:.1f} source and {:.1f} target words on average; {} and {} different words\n", file,
             pairs.size(), static_cast<double>(source_words) / count, static_cast<double>(target_words) / count,
             source_types.size(), target_types.size());
}

// Checks whether the pairs fit into memory. The estimate is a lower bound: each word is a string, and each sentence has
// the minimal length.
void check_memory_of_pairs(const Options& options, size_t pairs) {
  const double pair = sizeof(data::Pair) + 2 * static_cast<double>(options.min_length) * sizeof(std::string);
  apps::check_memory(fmt::format("a corpus of {} pairs", pairs), {{"pairs", pair * static_cast<double>(pairs)}},
                     "Generate fewer");
}

std::vector<data::Pair> draw(const Options& options, size_t count, const std::vector<data::Pair>& excluded) {
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

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const data::SequenceTask& task : data::sequence_tasks()) names.emplace_back(task.name);
  for (const data::SyntheticCorpus& corpus : data::synthetic_corpora()) names.emplace_back(corpus.name);
  names.emplace_back(split_verb);
  return names;
}

// Returns the list of the tasks: "`reverse`: the words from the last to the first; ...".
std::string tasks_explained() {
  std::vector<std::string> tasks;
  for (const auto& [name, about, shortest, longest, step, draw] : data::sequence_tasks())
    tasks.push_back(fmt::format("`{}`: {}", name, about));
  for (const data::SyntheticCorpus& corpus : data::synthetic_corpora())
    tasks.push_back(fmt::format("`{}`: {}", corpus.name, corpus.about));
  tasks.push_back(
      fmt::format("`{}`: split your own file into training, validation and test pairs. All pairs with the same source "
                  "go into the same part",
                  split_verb));
  return fmt::format("{}", fmt::join(tasks, "; "));
}

size_t all_of(const std::vector<Part>& parts) {
  size_t count = 0;
  for (const Part& part : parts) count += part.pairs;
  return count;
}

// Writes the files to the folder. A lock prevents other programs from writing there at the same time.
void write(const Options& options, const std::vector<Part>& parts, const std::vector<data::NewFile>& files) {
  const apps::RunFolder folder{options.out};
  check_lockable(folder);
  make_folder(folder);
  const apps::FolderLock lock(folder);
  data::check_file_set(options.out);
  data::end_file_set(options.out);
  check_output(options, parts);  // the folder may have changed before it was locked
  data::remove_leftovers(options.out);
  lock.check_held();
  data::write_file_set(options.out, files);
}

int make_pairs(const Options& options, const std::vector<Part>& parts) {
  std::vector<data::Pair> excluded;
  for (const std::string& file : options.exclude) {
    const std::vector<data::Pair> pairs = data::read_tsv(file).pairs;
    excluded.insert(excluded.end(), pairs.begin(), pairs.end());
  }
  const std::vector<data::Pair> pairs = draw(options, all_of(parts), excluded);
  std::vector<data::NewFile> files;
  std::vector<std::vector<data::Pair>> sampled;
  auto next = pairs.begin();
  for (const Part& part : parts) {
    const auto end = next + static_cast<std::ptrdiff_t>(part.pairs);
    sampled.emplace_back(next, end);
    files.push_back({part.name + ".tsv", data::format_tsv(sampled.back())});
    next = end;
  }
  write(options, parts, files);
  for (size_t i = 0; i < parts.size(); ++i) describe(file_of(options, parts[i]), sampled[i]);
  return 0;
}

// Checks whether the examples fit into memory. The estimate assumes that each example is as large as the first one. A
// picture counts twice, because its PNG file is kept too.
void check_memory_of_examples(const data::SyntheticCorpus& corpus, size_t count, uint64_t seed) {
  autograd::Random random(seed);
  const data::SyntheticExample one = corpus.draw(random);
  const double pixels = one.picture ? static_cast<double>(one.picture->rgb.size() + png(*one.picture).size()) : 0;
  const auto text = static_cast<double>(sizeof(one) + one.line.size() + one.content.size());
  apps::MemoryNeed need{{"examples", text * static_cast<double>(count)}};
  if (one.picture) need.push_back({"pixels, also as PNG", pixels * static_cast<double>(count)});
  apps::check_memory(fmt::format("a corpus of {} examples", count), need, "Generate fewer");
}

// Writes examples that are not sentence pairs. Each part has a file NAME.tsv and the pictures of its lines. The file
// `task` has the name of the task that the examples teach.
int make_examples(const Options& options, const std::vector<Part>& parts, const data::SyntheticCorpus& corpus) {
  check_memory_of_examples(corpus, all_of(parts), options.common.seed);
  const std::vector<data::SyntheticExample> examples = data::draw_different(corpus, all_of(parts), options.common.seed);
  std::vector<data::NewFile> files{{"task", fmt::format("{}\n", corpus.task)}};
  std::span<const data::SyntheticExample> rest = examples;
  for (const Part& part : parts) {
    for (data::NewFile& file : data::files_of(part.name, rest.first(part.pairs))) files.push_back(std::move(file));
    rest = rest.subspan(part.pairs);
  }
  write(options, parts, files);
  for (const Part& part : parts) apps::show("{}: {} examples of {}\n", file_of(options, part), part.pairs, corpus.name);
  return 0;
}

// Returns why the new parts must not replace the files in the folder, or "". With --force, they may replace an earlier
// split of the same file.
std::string problem_of_earlier_split(const Options& options) {
  std::set<std::string> known;
  for (std::string& line : data::read_lines(options.file)) known.insert(std::move(line));
  for (const auto& [name, pairs] :
       {std::pair{"train.tsv", std::size_t{1}}, {"valid.tsv", options.parts.valid}, {"test.tsv", options.parts.test}}) {
    const std::string file = (std::filesystem::path(options.out) / name).string();
    if (!data::is_there(file)) continue;
    if (pairs == 0)
      return fmt::format("{} belongs to an earlier split, and the new split has no such part. Remove the file", file);
    std::error_code none;
    if (std::filesystem::equivalent(file, options.file, none))
      return fmt::format("{} is the file to split, so the parts must not replace it. Name another --out", file);
    data::check_own_file(file);
    const std::vector<std::string> lines = data::read_lines(file);
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (!known.contains(lines[i]))
        return fmt::format(
            "{}:{} does not occur in {}, so this file is no earlier split of it, and --force does not replace it. Name "
            "another --out",
            file, i + 1, options.file);
    if (!options.force)
      return fmt::format("{} already exists. Choose another --out, or add --force to replace the file", file);
  }
  return "";
}

int cut(const Options& options, const apps::CommandLine& line) {
  if (options.file.empty())
    throw apps::UsageError(
        fmt::format("the task `split` needs a file, for example: {} split pairs.tsv --valid 500 --test 500 --out DIR",
                    data::command("make_corpus")));
  for (const char* name : {"grammar", "pairs", "split", "min-length", "max-length", "spread", "exclude"})
    if (line.given(name))
      throw apps::UsageError(
          fmt::format("--{0} has no effect on the task split, which splits your file. Remove --{0}", name));
  const data::CorpusParts parts = data::cut_into_parts(options.file, options.parts, options.common.seed);
  apps::report("{}", parts.note);
  const apps::RunFolder folder{options.out};
  check_lockable(folder);
  const auto check = [&] {
    if (const std::string problem = problem_of_earlier_split(options); !problem.empty())
      throw data::Error(data::ErrorKind::bad_data, problem);
  };
  check();
  make_folder(folder);
  const apps::FolderLock lock(folder);
  data::check_file_set(options.out);
  data::end_file_set(options.out);
  check();  // the folder may have changed before it was locked
  data::remove_leftovers(options.out);
  lock.check_held();
  std::vector<data::NewFile> files;
  for (const auto& [name, lines] :
       {std::pair{"train.tsv", &parts.train}, {"valid.tsv", &parts.valid}, {"test.tsv", &parts.test}})
    if (!lines->empty()) files.push_back({name, data::text_of_lines(*lines)});
  data::write_file_set(options.out, files);
  apps::show(
      "{} has {} training pairs, {} validation pairs and {} test pairs. All pairs with the same source are in the same "
      "part\n",
      options.out, parts.train.size(), parts.valid.size(), parts.test.size());
  if (parts.repeated > 0)
    apps::show("number of sources with several translations, which are all in the same part: {}\n", parts.repeated);
  if (parts.blank > 0)
    apps::show("number of lines that were left out, because one side has no words: {}\n", parts.blank);
  return 0;
}

// Throws UsageError for options that do not fit the task.
void check_task(const Options& options, const apps::CommandLine& line) {
  if (options.grammar.empty() == options.task.empty()) {
    throw apps::UsageError(fmt::format(
        "make_corpus needs a task or --grammar FILE. Try one of these commands. The last one splits your own file:\n"
        "{0} reverse --split train=5000,valid=200,test=200 --out runs/reverse-data\n"
        "{0} shapes --out runs/shapes\n"
        "{0} --grammar data/toy/en-fr.grammar --split train=30000,valid=500,test=500 --out runs/toy-data\n"
        "{0} split pairs.tsv --valid 500 --test 500 --out my/corpus",
        data::command("make_corpus")));
  }
  if (options.out.empty()) throw apps::UsageError("--out is required: the output folder, for example --out runs/data");
  if (options.task == stories_task) {
    if (const std::string problem = problem_of(options.stories); !problem.empty()) throw apps::UsageError(problem);
  } else {
    for (const char* name : story_options)
      if (line.given(name))
        throw apps::UsageError(fmt::format("--{} has an effect only on the task stories. Use it with: {} {}", name,
                                           data::command("make_corpus"), stories_task));
  }
}

// Throws UsageError for options that do not fit a corpus that is generated.
void check_generated(const Options& options, const apps::CommandLine& line) {
  if (!options.file.empty())
    throw apps::UsageError(
        fmt::format("{} is one word too many, because only the task split reads a file. Remove this word",
                    data::in_quotes(options.file)));
  for (const char* name : {"valid", "test"})
    if (line.given(name))
      throw apps::UsageError(
          fmt::format("--{} has an effect only on make_corpus split FILE. For a generated corpus, use --split "
                      "train=N,valid=N,test=N",
                      name));
  if (options.spread && !options.task.empty()) {
    throw apps::UsageError(
        "--spread needs --grammar. A task generates all lengths equally often without --spread. Remove --spread");
  }
  if (options.min_length > options.max_length) {
    throw apps::UsageError(fmt::format("--min-length {} is larger than --max-length {}. Change one of the two",
                                       options.min_length, options.max_length));
  }
}

// Completes the files that an earlier call could not complete, even if this call then refuses to write its own.
void end_earlier_call(const Options& options) {
  data::check_file_set(options.out);
  if (data::file_set_waits(options.out)) {
    const apps::FolderLock lock(apps::RunFolder{options.out});
    data::end_file_set(options.out);
    data::remove_leftovers(options.out);
  }
}

int make_corpus(const Options& given, const apps::CommandLine& line) {
  Options options = given;
  check_task(options, line);
  if (options.task == split_verb) return cut(options, line);
  check_generated(options, line);
  const std::optional<data::SyntheticCorpus> corpus = drawn_corpus(options);
  if (corpus) {
    for (const char* name : {"min-length", "max-length", "exclude"})
      if (line.given(name))
        throw apps::UsageError(fmt::format(
            "--{0} needs pairs of words, and the task {1} has other examples. Remove --{0}", name, options.task));
    if (options.split.empty() && options.pairs == 0) options.split = corpus->split;
  }
  const std::vector<Part> parts = parse_split(options);
  end_earlier_call(options);
  check_output(options, parts);
  return corpus ? make_examples(options, parts, *corpus) : make_pairs(options, parts);
}

void declare(apps::CommandLine& line, Options& options) {
  line.add_word("task", &options.task,
                "corpus to generate. The generator knows the correct attention. " + tasks_explained(),
                apps::one_of(task_names()));
  line.add_word("file", &options.file, "with the task split: TSV file to split");
  line.add_here("valid", &options.parts.valid,
                "with the task split: number of pairs for valid.tsv; 0: no file valid.tsv",
                apps::between(0, models::many));
  line.add_here("test", &options.parts.test, "with the task split: number of pairs for test.tsv; 0: no file test.tsv",
                apps::between(0, models::many));
  line.add("grammar", &options.grammar, "grammar file from which pairs are generated, instead of a task");
  line.add("pairs", &options.pairs, "number of pairs; 0: the sum of the sizes in --split",
           apps::between(0, models::many));
  line.add_here("split", &options.split,
                "names and sizes of the parts, for example train=5000,valid=500, which creates train.tsv and "
                "valid.tsv. Default: one part, pairs.tsv. For pictures, texts, stories and labelled pairs, the default "
                "has the parts train, valid and test",
                {.commas = true});
  line.add("min-length", &options.min_length, "smallest number of words per side (source and target)",
           apps::between(1, 200));
  line.add("max-length", &options.max_length, "largest number of words per side (source and target)",
           apps::between(1, 200));
  line.add(
      "spread", &options.spread,
      "with --grammar: generate the same number of pairs for every source length from --min-length to --max-length");
  line.add_here("exclude", &options.exclude, "TSV files of pairs. Their sources and targets are not generated again",
                {.commas = true});
  line.add_here("force", &options.force, "replace existing files in the folder --out");
  line.add_here("out", &options.out, "folder to which the files are written");
}

void declare(apps::CommandLine& line, data::StoryWorldOptions& stories) {
  line.group("Stories");
  line.add("people", &stories.people, "number of people who act and occur in questions",
           apps::between(1, data::most_people));
  line.add("idle", &stories.idle, "number of additional people who only walk and rest, and do not occur in questions",
           apps::between(0, data::most_idle));
  line.add("things", &stories.things, "number of things that people take, leave and put into containers",
           apps::between(1, data::most_things));
  line.add("containers", &stories.containers, "number of containers that contain things and are moved",
           apps::between(0, data::most_containers));
  line.add("rooms", &stories.rooms, "number of rooms", apps::between(2, data::most_rooms));
  line.add("facts", &stories.facts,
           "number of supporting sentences per question; with --question count, the largest count",
           apps::between(1, data::most_facts_of_a_story));
  line.add("question", &stories.question,
           "what the question asks. `where`: in which room a person or thing is; `yes-no`: whether a person or thing "
           "is in a room; `count`: how often a person took something");
  line.add("min-sentences", &stories.fewest, "smallest number of sentences per story",
           apps::between(2, data::most_sentences));
  line.add("max-sentences", &stories.most, "largest number of sentences per story",
           apps::between(2, data::most_sentences));
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  apps::CommandLine line(
      "make_corpus",
      "Generates a synthetic corpus with gold alignments: sentence pairs from a synchronous grammar "
      "(data/toy/en-fr.grammar explains the format) or of a sequence task, pictures with captions, stories with "
      "questions, or sentence pairs with labels. The same seed gives the same files; docs/formats.md describes them.",
      {"make_corpus --grammar data/toy/en-fr.grammar --split train=30000,valid=500,test=500 --min-length 1 "
       "--out runs/toy",
       "make_corpus --grammar data/toy/en-fr.grammar --split long=600 --seed 2 --min-length 5 --max-length 60 --spread "
       "--exclude runs/toy/train.tsv --exclude runs/toy/valid.tsv --exclude runs/toy/test.tsv --out runs/toy",
       "make_corpus reverse --split train=8000,valid=200,test=200 --max-length 12 --out runs/reverse",
       "make_corpus repeats --out runs/repeats        then: train --data runs/repeats --model lstmn-lm --out runs/lm",
       "make_corpus shapes --out runs/shapes          then: train --data runs/shapes --out runs/captions",
       "make_corpus stories --people 8 --idle 6 --containers 2 --question yes-no --out runs/moves",
       "make_corpus split pairs.tsv --valid 500 --test 500 --out my/corpus    splits your own file"},
      options.common);
  declare(line, options);
  declare(line, options.stories);
  return line.run(argc, argv, [&] { return make_corpus(options, line); });
}
