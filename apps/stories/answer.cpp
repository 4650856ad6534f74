// The program `answer` reads a story and a question, and prints the answer. It can also show on which sentences the
// answer is based.
#include <fmt/format.h>
#include <unistd.h>

#include "apps/cli/command_line.h"
#include "apps/cli/input.h"
#include "apps/inference/answers.h"
#include "apps/run/corpus_files.h"
#include "apps/run/run_folder.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/stories/story_corpus.h"

using namespace softalign;

namespace {

constexpr const char* standard_input = "-";

// Reads one sentence per line. Blank lines are left out.
std::vector<std::string> read_sentences(const std::string& story) {
  std::vector<std::string> lines, sentences;
  if (story == standard_input) {
    apps::LineReader input(STDIN_FILENO, "standard input");
    for (auto next = input.next(1000); !next.empty(); next = input.next(1000))
      lines.insert(lines.end(), next.begin(), next.end());
  } else {
    lines = data::read_lines(story);
  }
  for (const std::string& line : lines)
    if (!data::split_words(line).empty()) sentences.push_back(line);
  return sentences;
}

struct Asked {
  std::string story, question;
};

int answer(const Asked& asked, const apps::AnswerOptions& o) {
  const apps::LoadedRun run = apps::load_runs(o.runs);
  apps::check_task(run.options.task, models::Task::questions, "--run " + o.runs.front());
  data::Pair pair;
  set_story(pair, read_sentences(asked.story), asked.question, apps::tokenizer(run.options),
            asked.story == standard_input ? "standard input" : asked.story);
  print_answers(run, pair, o);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  Asked asked;
  apps::AnswerOptions o;
  apps::CommandLine line("answer",
                         "Answers a question about a story with one word, and shows which sentences the model attended "
                         "to. The story is a text file with one sentence per line.",
                         {"answer --run runs/two story.txt \"where is the apple?\" --alignment plot",
                          "answer --run runs/two - \"where is the apple?\" < story.txt",
                          "answer --run runs/two story.txt \"where is the apple?\" --n-best 3    answer ||| log p"},
                         common);
  line.pass_over(apps::training_names());
  line.add_word("STORY", &asked.story, "text file with one sentence per line; -: standard input", {.required = true});
  line.add_word("QUESTION", &asked.question, "question about the story, in quotes", {.required = true});
  declare(line, o, "answers",
          "also print the attention. `plot`: below the answer, the sentences with their weights, one column per hop; "
          "`jsonl`: one JSON record instead of the answer");
  return line.run(argc, argv, [&] { return answer(asked, o); });
}
