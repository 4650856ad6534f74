#include "apps/run/corpus_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "apps/run/memory_need.h"
#include "data/alignment/symmetrisation.h"
#include "data/corpus/readers.h"
#include "data/io/commands.h"
#include "data/io/file_kind.h"
#include "data/io/files.h"
#include "data/io/own_files.h"
#include "data/io/shipped.h"
#include "data/sentence_pairs/sentence_pairs.h"
#include "data/stories/story_corpus.h"
#include "models/pictures/picture_encoder.h"
#include "models/registry.h"

namespace softalign::apps {

namespace {

// Returns FOLDER/NAME, or FOLDER/NAME.gz if only this file exists.
std::string file_in(const std::string& folder, const std::string& name) {
  const std::string plain = data::shipped(folder) + "/" + name;
  const std::string file = !data::exists(plain) && data::exists(plain + ".gz") ? plain + ".gz" : plain;
  data::check_regular(file);
  return file;
}

// Chooses the files of a corpus. `prefix` is the beginning of the options that name these files: "" or "valid-".
CorpusFiles choose(const std::string& folder_file, const std::string& tsv, const std::string& prefix,
                   const std::string& source, const std::string& target, const std::string& alignment, bool one_based) {
  if (source.empty() != target.empty()) {
    throw UsageError(fmt::format("--{0}source and --{0}target need each other. Give both", prefix));
  }
  if (source.empty() && !alignment.empty()) {
    throw UsageError(fmt::format(
        "--{0}alignment needs --{0}source and --{0}target. In a TSV file, write the links into column 3", prefix));
  }
  if (!source.empty()) {
    if (!tsv.empty())
      throw UsageError(fmt::format("{} and --{}source both name the pairs. Remove one of them", tsv, prefix));
    return {.tsv = "", .source = source, .target = target, .alignment = alignment, .one_based = one_based};
  }
  return {.tsv = tsv.empty() ? folder_file : tsv, .source = "", .target = "", .alignment = "", .one_based = one_based};
}

// Returns the memory that the corpus in a file needs. Each line is a pair, each word is a separate string, and the text
// is kept as well (measured by tests/apps/test_memory.py). A picture has three bytes per pixel.
MemoryNeed need_of(const data::TextSize& text, double picture_bytes) {
  constexpr double per_line = 500, per_word = 90, per_byte = 3;
  MemoryNeed need{{"program so far", taken_bytes()},
                  {fmt::format("its text, as it is read, {:.0f} line{}", text.lines, text.lines == 1 ? "" : "s"),
                   per_line * text.lines + per_word * text.words + per_byte * text.bytes}};
  if (picture_bytes > 0) need.push_back({"its pictures", picture_bytes * text.lines});
  return need;
}

// Returns the number of bytes of one picture that has the size of the model's pictures.
double picture_bytes(const TrainOptions& options) {
  return task_of(options).source == Source::picture
             ? 3. * static_cast<double>(options.model.picture_height * options.model.picture_width)
             : 0;
}

}  // namespace

// The function reads a file only if the size of the file does not show that its text fits.
void check_memory_of_text(const CorpusFiles& files, double picture_bytes) {
  constexpr double most_compressed = 1032;  // largest expansion by deflate
  const auto most = static_cast<double>(autograd::memory_limit().bytes);
  for (const std::string& file : {data::shipped(files.tsv), files.source, files.target}) {
    std::error_code none;  // set for a pipe or a missing file
    const bool regular = std::filesystem::is_regular_file(file, none);
    const auto size = static_cast<double>(std::filesystem::file_size(file, none));
    if (none || !regular) continue;
    const double bytes = size * (file.ends_with(".gz") ? most_compressed : 1);
    if (total(need_of({bytes, bytes / 2, bytes / 2}, picture_bytes)) <= most) continue;
    const auto too_much = [&](const data::TextSize& text) { return total(need_of(text, picture_bytes)) > most; };
    check_memory(file, need_of(data::text_size(file, too_much), picture_bytes), "Split the file into parts");
  }
}

models::Table table(CorpusFiles& files) {
  const models::Table options{
      {"data", &files.tsv,
       "TSV file with one pair per line. Its columns: source, target, optional gold links (0-0 1-2), and optional tags "
       "(labels of the pair, separated by commas)"},
      {"source", &files.source, "text file of sources, one sentence per line, instead of --data"},
      {"target", &files.target, "text file with one translation per line of --source"},
      {"alignment", &files.alignment,
       "optional file of gold links for --source and --target, in Pharaoh format (0-0 1-2)"},
      {"one-based", &files.one_based, "the gold links in the input count words from 1 instead of 0"},
  };
  return in_group("Corpus", options);
}

bool is_given(const CorpusFiles& files) {
  return !files.tsv.empty() || !files.source.empty() || !files.target.empty() || !files.alignment.empty();
}

void check(const CorpusFiles& files) {
  if (files.tsv.empty() && files.source.empty())
    throw UsageError("no pairs are given. Add --data FILE, or --source FILE and --target FILE");
  choose("", files.tsv, "", files.source, files.target, files.alignment, files.one_based);
}

namespace {

// Returns FOLDER/train.tsv, for example. For texts without a source, it returns FOLDER/train.txt if this file exists.
std::string folder_file(const TrainOptions& o, const std::string& name) {
  const std::string plain = file_in(o.data, name + ".txt");
  return !task_of(o).has_source() && data::exists(plain) ? plain : file_in(o.data, name + ".tsv");
}

}  // namespace

CorpusFiles training_files(const TrainOptions& o) {
  if (!task_of(o).links_words() && !(o.source + o.target + o.valid_source + o.valid_target).empty())
    throw UsageError(
        fmt::format("--source and --target have an effect only with --task translation. For --task {}, use --train "
                    "FILE and --valid FILE",
                    autograd::name_of(o.task)));
  return choose(folder_file(o, "train"), o.train, "", o.source, o.target, o.alignment, o.one_based);
}

CorpusFiles validation_files(const TrainOptions& o) {
  return choose(folder_file(o, "valid"), o.valid, "valid-", o.valid_source, o.valid_target, o.valid_alignment,
                o.one_based);
}

namespace {

namespace fs = std::filesystem;

// Returns the names of the files and folders in a folder, sorted and without hidden ones.
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (fs::directory_iterator entry(folder, none), end; !none && entry != end; entry.increment(none))
    if (const std::string name = entry->path().filename().string(); !name.starts_with('.')) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Returns the path of the first of these names that the folder contains, or "" if it contains none.
std::string first_in(const std::string& folder, const std::vector<std::string>& names,
                     const std::vector<std::string>& wanted) {
  for (const std::string& name : wanted)
    if (has(names, name)) return (fs::path(folder) / name).string();
  return "";
}

// Returns "--source DIR/train.en --target DIR/train.fr" for a folder with two files of that stem. Returns "" for any
// other number of files.
std::string two_sides(const std::string& folder, const std::vector<std::string>& names, const std::string& stem,
                      const std::string& prefix) {
  std::vector<std::string> sides;
  for (const std::string& name : names)
    if (name.starts_with(stem + ".")) sides.push_back((fs::path(folder) / name).string());
  if (sides.size() != 2) return "";
  return fmt::format("--{0}source {1} --{0}target {2}", prefix, sides[0], sides[1]);
}

// Returns "It contains A, B and N more". Like ls -F, it writes / after the name of a folder.
std::string listed(const std::string& folder, const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  if (names.empty()) return "It is empty";
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
    std::error_code none;
    text += (i == 0 ? "" : ", ") + names[i] + (fs::is_directory(fs::path(folder) / names[i], none) ? "/" : "");
  }
  return fmt::format("It contains {}{}", text,
                     names.size() > most ? fmt::format(" and {} more", names.size() - most) : "");
}

// Returns the advice for a folder that lacks one of the two files.
std::string remedy(const std::string& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    for (const char* file : {"train.tsv", "train.tsv.gz"})
      if (data::exists((fs::path(folder) / name / file).string()))
        return fmt::format("Did you mean --data {}?", (fs::path(folder) / name).string());
  const std::string train = first_in(folder, names, {"train.tsv", "train.tsv.gz", "training.tsv"});
  const std::string valid = first_in(folder, names, {"valid.tsv", "dev.tsv", "val.tsv", "validation.tsv", "test.tsv"});
  if (!train.empty() && !valid.empty()) return fmt::format("Name the files: --train {} --valid {}", train, valid);
  const std::string sources = two_sides(folder, names, "train", "");
  for (const char* stem : {"valid", "dev", "val"})
    if (const std::string more = two_sides(folder, names, stem, "valid-"); !sources.empty() && !more.empty())
      return fmt::format("Name the files: {} {}", sources, more);
  std::vector<std::string> tables;
  for (const std::string& name : names)
    if (name.ends_with(".tsv") || name.ends_with(".tsv.gz")) tables.push_back((fs::path(folder) / name).string());
  if (tables.size() == 1)
    return fmt::format("Split this file with {} split {} --out DIR, and then train with {} --data DIR",
                       data::command("make_corpus"), data::shell_word(tables[0]), data::command("train"));
  return "Name the files with --train FILE --valid FILE, or with --source, --target, --valid-source and --valid-target";
}

}  // namespace

void check_data_folder(const TrainOptions& o, bool folder_given) {
  const bool own_training = !o.train.empty() || !o.source.empty();
  const bool own_validation = !o.valid.empty() || !o.valid_source.empty();
  if (own_training && own_validation) return;
  training_files(o), validation_files(o);  // these calls refuse, for example, a source without a target
  if (own_training != own_validation && !folder_given) {
    const char* option =
        own_training ? (o.train.empty() ? "--source" : "--train") : (o.valid.empty() ? "--valid-source" : "--valid");
    throw UsageError(fmt::format(
        "training and validation files are needed together, and {} names only one of them. Add {}, or --data DIR for "
        "DIR/{}.tsv",
        option,
        own_training ? "--valid FILE, or --valid-source FILE and --valid-target FILE"
                     : "--train FILE, or --source FILE and --target FILE",
        own_training ? "valid" : "train"));
  }
  const std::string folder = data::shipped(o.data);
  std::error_code none;
  if (fs::is_regular_file(folder, none)) {
    const std::string parent = fs::path(o.data).parent_path().empty() ? "." : fs::path(o.data).parent_path().string();
    const bool has_both = data::exists(parent + "/train.tsv") && data::exists(parent + "/valid.tsv");
    throw UsageError(
        fmt::format("--data {} is a file, and --data needs the folder with train.tsv and valid.tsv{}. For single "
                    "files: --train {} --valid FILE",
                    o.data, has_both ? fmt::format(": --data {}", parent) : "", o.data));
  }
  if (!folder_given && !fs::exists(folder, none))
    throw data::Error(data::ErrorKind::missing_file,
                      fmt::format("no corpus is given, and the toy corpus {} is not here. Name the folder of a corpus: "
                                  "--data DIR. The toy corpus is in the folder data/toy of softalign's sources, and in "
                                  "share/softalign/data/toy of an installation",
                                  o.data));
  if (!fs::is_directory(folder, none)) return;  // reading the files reports this
  const std::vector<std::string> names = names_in(folder);
  for (const char* stem : {"train", "valid"}) {
    if (stem == std::string("train") ? own_training : own_validation) continue;
    const auto is_there = [&](const char* ending) { return has(names, std::string(stem) + ending); };
    if (is_there(".tsv") || is_there(".tsv.gz")) continue;
    if (!task_of(o).has_source() && (is_there(".txt") || is_there(".txt.gz"))) continue;
    if (is_there(".txt") && two_sides(folder, names, stem, "").empty())
      throw data::Error(data::ErrorKind::missing_file,
                        fmt::format("{}: the folder has no {}.tsv, but it has {}.txt. For a language model, add --task "
                                    "language-model. Sentence pairs need a file with a tab in each line",
                                    folder, stem, stem));
    throw data::Error(data::ErrorKind::missing_file, fmt::format("{}: the folder has no {}.tsv. {}. {}", folder, stem,
                                                                 listed(folder, names), remedy(folder, names)));
  }
}

data::Tokenize tokenizer(const TrainOptions& options) {
  return [rules = tokenizer_options(options)](std::string_view text) { return data::tokenize(text, rules); };
}

data::Tokenize answer_tokenizer(const TrainOptions& options) {
  data::TokenizerOptions rules = tokenizer_options(options);
  if (rules.scheme != data::Tokenization::none) rules.scheme = data::Tokenization::spaces;
  return [rules](std::string_view text) { return data::tokenize(text, rules); };
}

data::Corpus read_corpus(const CorpusFiles& files, const TrainOptions& options, std::size_t max_length,
                         data::TooLong too_long, data::Blank blank) {
  data::CorpusOptions rules{.source = tokenizer(options),
                            .target = tokenizer(options),
                            .max_length = max_length > 0 ? max_length : options.max_length,
                            .too_long = too_long,
                            .first_word = files.one_based,
                            .blank = blank};
  if (const std::size_t known = models::most_words(options.model); known < rules.max_length) {
    rules.max_length = known;
    rules.cure =
        "shorten it, because the model of this run has no positions beyond this length (--positions, --self-attention)";
  }
  const TaskProperties& task = task_of(options);
  if (!files.source.empty() && !task.links_words() && task.has_source())
    throw UsageError(
        "--source and --target give sentence pairs, but this run was not trained on sentence pairs. Use --data FILE");
  if (!task.has_source() && !files.alignment.empty())
    throw UsageError(
        "--alignment has links for pairs of sentences. For texts, write the links into the third column of the --data "
        "file");
  check_memory_of_text(files, picture_bytes(options));
  if (task.one_word) rules.target = answer_tokenizer(options);
  switch (task.source) {
    case Source::picture:
      return read_captions(data::shipped(files.tsv), picture_options(options.model), rules);
    case Source::story:
      return data::read_stories(data::shipped(files.tsv), rules);
    case Source::two_sentences:
      return data::read_sentence_pairs(data::shipped(files.tsv), rules);
    case Source::none:
      return data::read_texts(data::shipped(files.source.empty() ? files.tsv : files.target), options.swap_sides,
                              rules);
    case Source::sentence:
      break;
  }
  data::Corpus corpus = files.source.empty() ? data::read_tsv(data::shipped(files.tsv), rules)
                                             : data::read_parallel(files.source, files.target, files.alignment, rules);
  if (options.swap_sides) corpus.pairs = data::turned(std::move(corpus.pairs));
  return corpus;
}

data::PictureOptions picture_options(const models::ModelOptions& o) {
  const models::Grid cells = models::picture_cells({o.picture_height, o.picture_width});
  return {o.picture_height, o.picture_width, cells.height, cells.width};
}

}  // namespace softalign::apps
