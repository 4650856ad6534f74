#include "apps/run/task.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string_view>

#include "apps/run/corpus_files.h"
#include "data/corpus/corpus.h"
#include "data/corpus/task_of_line.h"
#include "data/io/choice.h"
#include "data/io/files.h"
#include "data/io/line_limit.h"
#include "data/io/shipped.h"
#include "models/registry.h"

namespace softalign::apps {

namespace {

// Of a task, what a corpus of it holds and what a model of it does.
struct Told {
  const char *holds, *does;
};
const std::map<std::string, Told> told{
    {"translation", {"pairs of sentences, one the other's translation", "translates sentences"}},
    {"language-model", {"texts", "goes on with texts"}},
    {"captioning", {"pictures with captions", "says what pictures show"}},
    {"questions", {"stories with questions", "answers questions about stories"}},
    {"entailment", {"pairs of sentences with a label", "says whether a sentence follows from another"}}};

std::string first_line(const std::string& file) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) return "";  // what is read once, or told of later
  std::ifstream in(file, std::ios::binary);
  if (in.peek() == 0x1f) return data::read_lines(file).front();  // gzip's
  data::LineLimit limit(file);
  std::string line;
  for (std::size_t end = line.npos; in && end == line.npos;) {
    char block[4096];
    in.read(block, sizeof block);
    const std::string_view piece(block, static_cast<std::size_t>(in.gcount()));
    limit.add(piece);
    end = piece.find('\n');
    line += piece.substr(0, end);
  }
  return data::clean_line(line, file, 1);
}

// Texts may be the targets of pairs, and what goes on with them is asked for by the name of what translates alike.
bool learns(const std::string& task, const models::ModelOptions& model) {
  const std::string own = models::task_of(model), for_task = models::model_for(task, model);
  if (task == "translation") return own == task || own == "language-model";
  return for_task == model.model || for_task == model.model + "-lm";
}

}  // namespace

std::string task_of_folder(const TrainOptions& o) {
  if (o.train.empty() && !o.source.empty()) return "";
  const std::string file = o.train.empty() ? data::shipped(o.data) + "/task"
                                           : std::filesystem::path(o.train).replace_filename("task").string();
  if (!data::exists(file)) return "";
  const std::string task = data::join_words(data::split_words(data::read_bytes(file)));
  const std::vector<std::string>& known = models::known_tasks();
  if (std::find(known.begin(), known.end(), task) == known.end())
    throw std::runtime_error(fmt::format("{}: {}", file, data::unknown_name("task", task, known)));
  return task;
}

void check_model_fits(const TrainOptions& o) {
  const std::string file = data::shipped(training_files(o).tsv);
  if (file.empty()) return;
  std::string task = task_of_folder(o);
  if (task.empty()) {
    const std::string line = first_line(file);
    if (!line.empty()) task = data::task_of_line(line);
  }
  if (task.empty() || learns(task, o.model)) return;
  const std::string own = models::task_of(o.model);
  throw UsageError(fmt::format("{} holds {}: the models for it are {}; {}{} {}", o.train.empty() ? o.data : o.train,
                               told.at(task).holds, models::models_of(task), o.model.model,
                               own == "captioning" && o.model.encoder == "picture" ? " with --encoder picture" : "",
                               told.at(own).does));
}

}  // namespace softalign::apps
