#include "apps/run/tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "autograd/names.h"
#include "data/io/commands.h"
#include "data/io/error.h"

namespace softalign::apps {

namespace {

// Each task has one row. docs/adding.md lists everything else that a new task needs.
constexpr std::array<TaskProperties, 5> tasks{{
    {.task = models::Task::translation,
     .source = Source::sentence,
     .one_word = false,
     .attention_accuracy = false,
     .program = "translate",
     .examples = "pairs",
     .targets = "translations",
     .corpus = "pairs of a sentence and its translation",
     .does = "translates sentences",
     .hub_task = "translation",
     .can = "translate"},
    {.task = models::Task::language_model,
     .source = Source::none,
     .one_word = false,
     .attention_accuracy = false,
     .program = "translate",
     .examples = "texts",
     .targets = "texts",
     .corpus = "texts",
     .does = "continues texts",
     .hub_task = "text-generation",
     .can = "continue texts"},
    {.task = models::Task::captioning,
     .source = Source::picture,
     .one_word = false,
     .attention_accuracy = true,
     .program = "caption",
     .examples = "pictures",
     .targets = "captions",
     .corpus = "pictures with captions",
     .does = "says what pictures show",
     .hub_task = "image-to-text",
     .can = "write captions"},
    {.task = models::Task::questions,
     .source = Source::story,
     .one_word = true,
     .attention_accuracy = true,
     .program = "answer",
     .examples = "stories",
     .targets = "answers",
     .corpus = "stories with questions",
     .does = "answers questions about stories",
     .hub_task = "question-answering",
     .can = "answer questions"},
    {.task = models::Task::entailment,
     .source = Source::two_sentences,
     .one_word = true,
     .attention_accuracy = true,
     .program = "entail",
     .examples = "pairs",
     .targets = "answers",
     .corpus = "pairs of sentences with a label",
     .does = "says whether a sentence follows from another",
     .hub_task = "text-classification",
     .can = "compare sentences"},
}};
static_assert(tasks.size() == models::names_of(models::Task{}).size(), "each task has one row");

}  // namespace

const TaskProperties& properties_of(models::Task task) {
  return *std::find_if(tasks.begin(), tasks.end(), [&](const TaskProperties& row) { return row.task == task; });
}

void check_task(models::Task task_of_run, models::Task task, const std::string& run) {
  if (task_of_run == task) return;
  throw data::Error(
      data::ErrorKind::wrong_usage,
      fmt::format("{}: the model was trained for the task {} and cannot {}. The program for {} is {}. Train a run of "
                  "the task {} with: {} --task {} --data DIR --out runs/NAME",
                  run, autograd::name_of(task_of_run), properties_of(task).can,
                  run.starts_with("--run ") ? "this run" : "such a run",
                  data::command(properties_of(task_of_run).program) + (run.starts_with("--run ") ? " " + run : ""),
                  autograd::name_of(task), data::command("train"), autograd::name_of(task)));
}

}  // namespace softalign::apps
