// Task lists the tasks that models are trained for, which are the values of `train --task`. apps/run/tasks.cpp has a
// row for each task, and apps/training/seq2seq_task.cpp trains models for all of them.
#pragma once

#include "autograd/names.h"

namespace softalign::models {

// Language models read no source. Captioning reads pictures. The task `questions` reads stories and answers questions
// about them. Entailment reads pairs of sentences, and says whether the second follows from the first.
enum class Task { translation, language_model, captioning, questions, entailment };
constexpr auto names_of(Task) {
  return autograd::names<Task>({{"translation", Task::translation},
                                {"language-model", Task::language_model},
                                {"captioning", Task::captioning},
                                {"questions", Task::questions},
                                {"entailment", Task::entailment}});
}

}  // namespace softalign::models
