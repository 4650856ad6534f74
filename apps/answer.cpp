// answer: a story and a question in, the answer out, and which sentences it rests on.
#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "apps/cli/command_line.h"
#include "apps/cli/line_reader.h"
#include "apps/inference/alignment_format.h"
#include "apps/inference/unknown_note.h"
#include "apps/run/corpus_files.h"
#include "apps/run/ensemble_run.h"
#include "apps/run/record_text.h"
#include "apps/terminal/tell.h"
#include "data/corpus/stories.h"
#include "data/io/files.h"

namespace {

struct AnswerOptions {
  std::vector<std::string> runs;
  std::string story, question, alignment, colour = "auto";
  std::size_t n_best = 1;
};

constexpr const char* standard_input = "-";

// A line a sentence; blank ones are none.
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

int answer(const AnswerOptions& o) {
  const apps::Run run = apps::load_runs(o.runs);
  if (!is_of_stories(run.options))
    throw std::runtime_error(fmt::format("--run {}: its task is {}, not to answer questions (train --task questions)",
                                         o.runs.front(), run.options.task));
  data::Pair asked;
  set_story(asked, read_sentences(o.story), o.question, apps::tokenizer(run.options),
            o.story == standard_input ? "standard input" : o.story);
  apps::UnknownNote unknown(run);
  unknown.add_source(asked.source);
  apps::tell("{}", unknown.take());
  const apps::SourceText source = source_of(run, asked);
  models::BeamOptions search;
  search.beam = search.n_best = o.n_best;
  const auto found = apps::search(*run.model, run.params, {encoded(source)}, search).front();
  const apps::HeatmapStyle style = apps::screen_style(o.colour);
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    const std::string mode = record_mode(run, o.n_best == 1 ? "greedy" : "beam");
    data::Record record = hypothesis_record(run, source, found[rank], mode, 0, rank);
    const std::string word = detokenize(run, record.target);
    add_text(record, run, source, word);
    if (o.alignment == "jsonl") {
      std::cout << format_record(record, "jsonl", style);
      continue;
    }
    std::cout << (o.n_best > 1 ? fmt::format("{} ||| {:.6g}\n", word, found[rank].score) : word + "\n");
    if (o.alignment == "plot") std::cout << format_record(record, "plot", style);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  AnswerOptions o;
  apps::CommandLine line("answer",
                         "Answers a question to a story, a file with a sentence a line, by one word, and shows which "
                         "sentences the model looked at.",
                         {"answer --run runs/two story.txt \"where is the apple?\" --alignment plot",
                          "answer --run runs/two - \"where is the apple?\" < story.txt",
                          "answer --run runs/two story.txt \"where is the apple?\" --n-best 3    answer ||| log p"},
                         common);
  line.pass_over(apps::training_names());
  line.add_word("STORY", &o.story, "a file with a sentence a line; -: standard input", {.required = true});
  line.add_word("QUESTION", &o.question, "what is asked of it", {.required = true});
  line.add_here(apps::runs_table(o.runs));
  line.add_here("n-best", &o.n_best, "answers printed, the most probable first", apps::between(1, 10000));
  line.group("Output");
  line.add_here(
      "alignment", &o.alignment,
      "plot: below the answer the sentences with their weights, a column a look; jsonl: a record in its place",
      apps::one_of({"plot", "jsonl"}));
  line.add_here("color", &o.colour, "colours of plot", apps::one_of({"auto", "always", "never"}));
  return line.run(argc, argv, [&] { return answer(o); });
}
