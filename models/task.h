// These are the tasks that models are trained for. They are the values of `train --task`. apps/run/tasks.cpp has a row
// for each task, and apps/training/seq2seq_task.cpp trains all of them.
#pragma once

#include "autograd/names.h"

namespace softalign::models {

// Language models read no source. Captioning reads pictures, the task of questions reads stories, and entailment reads
// pairs of sentences.
enum class Task { translation, language_model, captioning, questions, entailment };
constexpr auto names_of(Task) {
  return autograd::names<Task>({{"translation", Task::translation},
                                {"language-model", Task::language_model},
                                {"captioning", Task::captioning},
                                {"questions", Task::questions},
                                {"entailment", Task::entailment}});
}

}  // namespace softalign::models
