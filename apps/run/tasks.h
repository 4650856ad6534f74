// The programs support several tasks, for example translation and captioning. A table in tasks.cpp has everything that
// the programs know about each task, in one row per task. To add a task, add a value to models/task.h and a row to
// tasks.cpp. Then name the task in the Family (models/family.h) of each model for this task. Most programs only read
// this table, so they need no change for a new task.
#pragma once

#include <string>

#include "models/task.h"

namespace softalign::apps {

// Source is the input from which a model of the task writes its target.
enum class Source {
  sentence,      // one sentence
  none,          // nothing: the model continues the text that it has written so far
  picture,       // one picture
  story,         // the sentences of a story, and a question
  two_sentences  // a premise and a hypothesis
};

struct TaskProperties {
  models::Task task;
  Source source;
  bool one_word;  // the target is one word, the answer; otherwise it is a text
  // If attention_accuracy is true, a target word has a set of gold positions, and the score is attention accuracy. If
  // it is false, words have gold links, and the score is AER.
  bool attention_accuracy;

  const char* program;   // the program that uses a run of the task: "translate"
  const char* examples;  // the name of the examples in messages: "pairs"
  const char* targets;   // the name of the targets in messages: "translations"
  const char* corpus;    // the contents of the corpus: "pairs of a sentence and its translation"
  const char* does;      // the work of the model, for "This model ...": "translates sentences"
  const char* hub_task;  // the task in the words of the Hugging Face Hub: "translation"
  const char* can;       // the same verb after "cannot": "translate"

  bool has_source() const { return source != Source::none; }
  // Returns true if the source consists of words with a vocabulary of their own.
  bool has_source_words() const { return has_source() && source != Source::picture; }
  // Returns true if words of the source are linked to words of the target. Such pairs can be learned in both
  // directions, and EM finds links between them.
  bool links_words() const { return source == Source::sentence && !one_word; }
};

const TaskProperties& properties_of(models::Task task);

// Throws data::Error if a run was trained for another task. `run` names the run, for example "--run runs/toy".
void check_task(models::Task task_of_run, models::Task task, const std::string& run);

}  // namespace softalign::apps
