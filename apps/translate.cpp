// The program `translate` reads lines and writes their translations in the same order.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "apps/cli/command_line.h"
#include "apps/cli/input.h"
#include "apps/inference/align_pairs.h"
#include "apps/inference/translator.h"
#include "apps/pages/drawing.h"
#include "apps/pages/matrix.h"
#include "apps/pages/viewer/page.h"
#include "apps/ranks/communicator.h"
#include "apps/ranks/with_ranks.h"
#include "apps/run/run_folder.h"
#include "apps/scatter_gather/scatter_gather.h"
#include "apps/terminal/output.h"
#include "apps/terminal/terminal.h"
#include "data/corpus/corpus.h"
#include "data/io/commands.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/unicode.h"

using namespace softalign;

namespace {

using data::AlignmentFormat;

constexpr const char* standard_input = "standard input";

// Input is the source of the sentences: standard input, or words of the command line.
struct Input {
  std::string name;
  std::function<std::vector<std::string>(std::size_t most)> next;  // like LineReader::next, with line ends
};

struct TranslateOptions : apps::TranslatorOptions {
  std::vector<std::string> runs, sentences;
  std::string out;   // --alignment svg: file, or folder with a file per line; "": standard output
  std::string page;  // the viewer's page of these translations; "": none
  apps::UseColour colour = apps::UseColour::automatic;
  apps::MatrixChoice matrix;
};

// Throws UsageError if --out or --page does not fit the other options.
void check_output(TranslateOptions& o, bool alone) {
  if (const auto named = apps::format_by_ending(o.out); named && o.alignment.value_or(*named) == *named)
    throw apps::UsageError(
        fmt::format("--out {0}: --out writes drawings only. To write the format {1}, use: translate ... --alignment "
                    "{1} > {0}",
                    data::in_quotes(o.out), autograd::name_of(*named)));
  if (!o.alignment && !o.out.empty()) o.alignment = AlignmentFormat::svg;
  if (!o.out.empty() && o.alignment != AlignmentFormat::svg)
    throw apps::UsageError(
        fmt::format("--out needs --alignment svg. To write the format {} to a file, replace --out by > {}",
                    autograd::name_of(*o.alignment), data::in_quotes(o.out)));
  if (o.out.ends_with('/') || std::filesystem::is_directory(o.out)) o.out += o.out.ends_with('/') ? "" : "/";
  else if (!o.out.empty() && !apps::is_drawing_name(o.out))
    throw apps::UsageError(
        fmt::format("--out {}: --out writes a drawing, to a file that ends in .svg or .png, or to a folder ({}/) with "
                    "one file per line. Translations go to standard output, so: translate ... > {}",
                    o.out, o.out, o.out));
  apps::check_drawing_name(o.out);
  if (!alone && (o.alignment == AlignmentFormat::svg || !o.page.empty()))
    throw apps::UsageError("--alignment svg and --page need one process. Run translate without mpirun");
  o.drawing_only = o.alignment == AlignmentFormat::svg && o.out.empty();
  o.for_page = !o.page.empty();
  if (!o.for_page) return;
  if (!apps::is_page_name(o.page))
    throw apps::UsageError(
        fmt::format("--page {0}: the page is an HTML file. Give a name that ends in .html. For a drawing: translate "
                    "... --alignment svg --out own.svg",
                    data::in_quotes(o.page)));
  if (o.runs.size() > 1)
    throw apps::UsageError(
        fmt::format("--page shows one run, and several --run are given. Give one --run. To compare runs: {} --run {} "
                    "--compare {}",
                    data::command("view"), data::shell_word(o.runs[0]), data::shell_word(o.runs[1])));
  if (o.sampling.samples > 0)
    throw apps::UsageError(
        "--page shows the best translation, and --sample prints random translations. Remove --sample or --page");
}

void report_drawings(const std::string& out, std::size_t drawn) {
  apps::report("{} has {} drawing{}. Open {} in a browser\n", out, drawn, drawn == 1 ? "" : "s",
               out.ends_with('/') ? "the files" : "it");
}

// Writes one drawing with all records, one below the other. If `out` is a folder, each record has its own file: 1.svg
// for the first line, and 1-2.svg for its second translation.
void write_drawings(const std::vector<data::Record>& records, const std::string& out) {
  apps::Sheet sheet;
  if (!out.ends_with('/')) {
    for (const data::Record& record : records) sheet.add(record);
    if (out.empty()) return apps::put(sheet.svg());
    apps::write_drawing(out, sheet.svg());
    return report_drawings(out, records.size());
  }
  std::filesystem::create_directories(out);
  for (const data::Record& record : records) {
    apps::Sheet one;
    one.add(record);
    const std::string rank = record.rank > 0 ? fmt::format("-{}", record.rank + 1) : "";
    apps::write_drawing(fmt::format("{}{}{}.svg", out, record.id + 1, rank), one.svg());
  }
  report_drawings(out, records.size());
}

void write_page(const std::vector<data::Record>& own, const TranslateOptions& o) {
  if (own.empty())
    throw data::Error(data::ErrorKind::bad_data, "--page: no line was translated, so there is nothing to show");
  apps::PageOptions options;
  options.run = o.runs.front();
  options.own = own;
  options.seed = o.seed;
  options.report = [](const std::string& what) { apps::report("{}\n", what); };
  const apps::PageData page = page_data(options);
  for (const std::string& note : page.notes) apps::report("note: {}\n", note);
  data::OutputFile(o.page).write_all(apps::make_page(page.title, page.json, page.pictures));
  apps::report("{} has {} sentence{}. Open it in a browser\n", o.page, page.sentences, page.sentences == 1 ? "" : "s");
}

// Writes the files that can be written only after the last line.
void write_files(const apps::Translator& translator, const TranslateOptions& o) {
  if (o.alignment == AlignmentFormat::svg) write_drawings(translator.records().for_drawing, o.out);
  if (!o.page.empty()) write_page(translator.records().for_page, o);
}

// Answers prints answers. Their tokens go to the file of --tokens.
class Answers {
 public:
  explicit Answers(const apps::UnitOptions& units) : tokens_(units) {}
  void print(const std::string& text) {
    const apps::TextAndTokens parts = apps::apart(text);
    tokens_.add(parts.tokens);
    apps::put_painted(first_ ? apps::at_beginning(parts.text) : parts.text);
    std::cout.flush();
    first_ = first_ && parts.text.empty();
    if (!std::cout) throw data::Error(data::ErrorKind::io_error, "standard output could not be written");
  }
  void finish() { tokens_.finish(); }

 private:
  apps::TokensFile tokens_;
  bool first_ = true;  // nothing has been printed
};

// Returns the call of this program with the same runs, for commands in messages: "build/translate --run runs/demo".
std::string same_call(const TranslateOptions& o) {
  std::string text = data::command("translate");
  for (const std::string& run : o.runs) text += " --run " + data::shell_word(run);
  return text;
}

// Throws data::Error if the first line has two columns. Such input is a TSV file, and both columns would be translated
// as one sentence.
void check_one_column(const apps::LoadedRun& run, const std::vector<std::string>& lines, const std::string& input_name,
                      const TranslateOptions& o) {
  if (lines.empty() || !task_of(run.options).has_source()) return;
  const std::string& first = lines.front();
  const std::size_t tab = first.find('\t');
  if (tab == std::string::npos || data::split_words(first.substr(0, tab)).empty() ||
      data::split_words(first.substr(tab)).empty())
    return;
  throw data::Error(
      data::ErrorKind::bad_data,
      fmt::format("{0}:1: the line has a tab between words. This looks like a TSV file, and translate reads one "
                  "sentence per line. Keep only the column of source sentences: cut -f{1} FILE | {2}. If the tab is "
                  "part of the "
                  "text: tr '\\t' ' ' < FILE | {2}",
                  input_name, run.options.swap_sides ? 2 : 1, same_call(o)));
}

// Returns true if the text is the beginning of JSON: a complete value on the first line, or its first bracket.
bool looks_like_json(const std::string& first) {
  const data::Tokens words = data::split_words(first);
  if (words.empty()) return false;
  if (words.size() == 1 && (words[0] == "{" || words[0] == "[")) return true;
  return (words[0].starts_with('{') || words[0].starts_with('[')) && nlohmann::json::accept(first) &&
         !nlohmann::json::parse(first).empty();
}

// Throws data::Error if the first line of the input is JSON. `file` is the name of the input in commands.
void check_is_not_json(const std::string& first, const std::string& name, const std::string& file,
                       const TranslateOptions& o) {
  if (!looks_like_json(first)) return;
  const bool records = first.find("\"source_sent\"") != std::string::npos;
  throw data::Error(
      data::ErrorKind::unsupported_format,
      fmt::format("{} looks like JSON, and translate reads one sentence per line. {}", name,
                  records ? fmt::format("These are alignment records. To show them: {0} --in {1}. To translate their "
                                        "sources: python3 -c 'import json, sys; [print(json.loads(line)"
                                        "[\"source_sent\"]) for line in sys.stdin]' < {1} | {2}",
                                        data::command("view"), file, same_call(o))
                          : "First write the sentences to a text file, one per line"));
}

// Throws data::Error if the first lines show that the input is no text to translate: a picture, a model, JSON.
void check_is_text_to_translate(const apps::LoadedRun& run, const std::vector<std::string>& lines,
                                const std::string& input_name, const TranslateOptions& o) {
  std::string begin;
  for (const std::string& line : lines)
    if (begin.size() < 100) begin += line;
  data::check_is_text(begin, input_name);
  if (!lines.empty() && task_of(run.options).has_source()) check_is_not_json(lines.front(), input_name, "FILE", o);
}

// Translates the lines of `input`. In each round, every process translates one batch.
int translate_stream(const apps::LoadedRun& run, apps::Translator& translator, Answers& answers,
                     const TranslateOptions& o, const apps::ProcessGroup& processes, Input input) {
  const std::size_t batch = o.batch;
  std::size_t id = 0;
  apps::UntranslatedLines problems;
  const auto next = [&] {
    std::vector<apps::InputLine> lines;
    const auto read = [&] {
      try {
        std::vector<std::string> some = input.next(batch * processes.count);
        if (id == 0) check_is_text_to_translate(run, some, input.name, o);
        if (id == 0) check_one_column(run, some, input.name, o);
        return some;
      } catch (const std::exception& problem) {
        problems.report(id, problem.what());
        throw;
      }
    };
    for (std::string& line : broadcast(processes, read))
      lines.push_back(apps::input_line(std::move(line), input.name, id + lines.size()));
    return lines;
  };
  for (auto lines = next(); !lines.empty(); lines = next()) {
    const auto part = [&](std::size_t i) {
      const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(i * batch);
      return std::vector<apps::InputLine>(begin, begin + std::min<std::ptrdiff_t>(batch, lines.end() - begin));
    };
    const auto answer = [&](std::size_t i, std::string& text) {
      translator.add_answers(part(i), input.name, id + i * batch, text, problems);
    };
    const std::size_t parts = (lines.size() + batch - 1) / batch;
    write_in_order(processes, parts, answer, [&](const std::string& text) { answers.print(text); });
    if (processes.first())
      for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i >= batch) translator.note_unknown(lines[i].text);
        translator.note_tab(lines[i].text);
      }
    id += lines.size();
  }
  translator.gather(processes);
  problems.gather(processes);
  translator.print_notes();
  translator.print_notes_of_stream();
  answers.finish();
  write_files(translator, o);
  problems.report(id);
  return 0;
}

// Returns true if the line looks like a command of a person who wants to end the program or to get help.
bool is_command(const std::string& line) {
  static const std::set<std::string> commands{"quit", "/quit", "exit", "/exit", "q", ":q", "help", "/help"};
  const data::Tokens words = data::split_words(line);
  return words.size() == 1 && commands.count(words.front()) > 0;
}

// Translates the lines that a person types. The prompt is on standard error, and each line is answered at once. A line
// that cannot be translated does not end the program.
int converse(const apps::LoadedRun& run, apps::Translator& translator, Answers& answers, const TranslateOptions& o) {
  apps::report("{}; Ctrl-D ends\n",
               task_of(run.options).has_source() ? "type a sentence to translate" : "type the beginning of a text");
  apps::Prompt prompt("> ", apps::state_file("translate_history"));
  std::size_t id = 0;
  for (auto line = prompt.next(); line; line = prompt.next()) {
    if (is_command(*line)) {
      apps::report(
          "note: this line is not translated, because it looks like a command. Ctrl-D ends the program. The options: "
          "{} --help\n",
          data::command("translate"));
      continue;
    }
    std::vector<std::string> texts;
    try {
      const apps::InputLine typed = apps::input_line(*line + "\n", standard_input, id);
      if (!typed.problem.empty()) throw data::Error(data::ErrorKind::bad_data, typed.problem);
      texts = translator.answers({{id, translator.read(typed.text)}});
    } catch (const std::runtime_error& problem) {
      apps::report("{}\n", problem.what());
    }
    ++id;
    translator.print_notes();
    for (const std::string& text : texts) answers.print(text);
  }
  apps::report("\n");
  answers.finish();
  write_files(translator, o);
  return 0;
}

// Returns the first line of a file, or its beginning if the line is long.
std::string first_line(const std::string& file) {
  constexpr std::size_t most = 1'000'000;
  std::string text(most, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(text.data(), static_cast<std::streamsize>(most));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text.substr(0, std::max<std::size_t>(100, text.find('\n')));
}

// Throws UsageError if a sentence is the name of a file, because translate reads the text of files from standard input.
// Throws data::Error if a sentence ends like a file name and there is no such file.
void check_no_files(const TranslateOptions& o) {
  for (const std::string& sentence : o.sentences) {
    std::error_code none;
    const bool named = sentence.ends_with(".tsv") || sentence.ends_with(".txt");
    if (named && data::split_words(sentence).size() == 1 && !std::filesystem::exists(sentence, none))
      throw data::Error(data::ErrorKind::missing_file,
                        fmt::format("{}: no such file. To translate this name as a sentence: echo {} | {}", sentence,
                                    data::shell_word(sentence), same_call(o)));
    if (!std::filesystem::is_regular_file(sentence, none)) continue;
    const std::string file = data::shell_word(sentence), first = first_line(sentence);
    data::check_is_text(first, sentence);
    check_is_not_json(first, sentence, file, o);
    throw apps::UsageError(
        sentence.ends_with(".tsv")
            ? fmt::format("{} is a file, and translate reads sentences from standard input. Use: cut -f1 {} | {}",
                          sentence, file, same_call(o))
            : fmt::format("{} is a file, and translate reads sentences from standard input. Use: {} < {}", sentence,
                          same_call(o), file));
  }
}

// Returns a note if the words look like one sentence without quotes, as in `translate where is the library`.
std::string note_of_words(const std::vector<std::string>& sentences) {
  const auto is_word = [](const std::string& sentence) { return data::split_words(sentence).size() == 1; };
  if (sentences.size() < 2 || !std::all_of(sentences.begin(), sentences.end(), is_word)) return "";
  return fmt::format("note: these are {} sentences of one word each. Put one sentence in quotes: \"{}\"\n",
                     sentences.size(), data::shortened(fmt::format("{}", fmt::join(sentences, " "))));
}

// Returns the sentences of the command line as input, or standard input if there are none.
Input input_of(const std::vector<std::string>& sentences) {
  if (sentences.empty()) {
    const auto lines =
        std::make_shared<apps::LineReader>(STDIN_FILENO, standard_input, apps::LineReader::Form::as_they_are);
    return {standard_input, [lines](std::size_t most) { return lines->next(most); }};
  }
  const auto text = std::make_shared<std::string>();
  for (const std::string& sentence : sentences) text->append(sentence).append("\n");
  return {"command line", [text](std::size_t most) {
            std::vector<std::string> lines;
            while (lines.size() < most && !text->empty()) {
              lines.push_back(text->substr(0, text->find('\n') + 1));
              text->erase(0, lines.back().size());
            }
            return lines;
          }};
}

void declare(apps::CommandLine& line, TranslateOptions& o) {
  line.add_word("sentence", &o.sentences, "sentence to translate, in quotes, instead of standard input");
  line.add_here(apps::runs_table(o.runs));
  line.advise_if_missing("run", apps::advice_on_runs);
  declare(line, o.search);
  line.add_here("n-best", &o.search.n_best, "number of translations to print per line, at most --beam",
                apps::between(1, 10000));
  declare(line, o.sampling);
  declare(line, o.unknown);
  declare(line, o.faster);
  line.group("Output");
  line.add_here("alignment", &o.alignment,
                "also print the attention. `plot`: a heatmap after each translation; `soft`, `hard`: the weights or "
                "links after ||| in each line, as Marian writes them, with positions of words in the input line and in "
                "the printed line; `jsonl`: one JSON record per line instead of the translation; `svg`: one drawing of "
                "all lines, which is written to --out, or to standard output instead of the translations",
                apps::one_of({"plot", "soft", "hard", "jsonl", "svg"}));
  line.add_here(table(o.matrix));
  line.add_here("out", &o.out,
                "with --alignment svg: file to which the drawing is written, .svg or .png (a PNG needs the program "
                "rsvg-convert). If you give a folder, for example own/, each line gets its own file: own/1.svg");
  line.add_here("page", &o.page,
                "HTML file to which translate also writes an interactive page with the translations and their "
                "attention, like the pages of the program `view`. The page also shows how each translation continues "
                "after a change of the attention at one step");
  declare(line, o.units);
  declare_case(line, o.capitals);
  line.add_here("color", &o.colour, apps::color_help);
  line.add_here("tokenized", &o.tokenized, "print the tokens of the model, separated by spaces, instead of text");
  line.group("Input");
  line.add_here("batch", &o.batch, "largest number of lines that are translated together", apps::between(1, 10000));
  line.add_here("max-length", &o.max_length, "longest input line, in words; 0: the --max-length of the training",
                apps::between(0, models::longest_sentence));
}

// Throws UsageError for options that do not fit each other.
void check(const apps::CommandLine& line, TranslateOptions& o, bool alone) {
  check_decoding(line, o.search, o.sampling);
  check_output(o, alone);
  check_no_files(o);
  apps::report("{}", note_of_words(o.sentences));
  if (!o.alignment && (o.units.unit || !o.units.tokens.empty()))
    throw apps::UsageError(
        "--over and --tokens have an effect only with --alignment. Add --alignment, or remove --over and --tokens");
  if (o.alignment) check(o.units, *o.alignment);
}

// Opens the runs, and throws UsageError for options that do not fit them.
apps::LoadedRun open_runs(TranslateOptions& o) {
  apps::LoadedRun run = apps::load_runs(o.runs);
  apply(o.matrix, run, o.runs.front());
  if (const apps::TaskProperties& task = task_of(run.options); std::string_view(task.program) != "translate")
    throw data::Error(data::ErrorKind::wrong_usage,
                      fmt::format("--run {}: the model was trained for the task {} and cannot translate. Use the "
                                  "program for this task: {} --run {}",
                                  o.runs.front(), autograd::name_of(run.options.task), data::command(task.program),
                                  data::shell_word(o.runs.front())));
  if (o.alignment)
    check_tokens(o.units, *o.alignment, run.options.tokenizer == data::Tokenization::none,
                 fmt::format("the tokens of the run (--tokenizer {})", autograd::name_of(run.options.tokenizer)));
  if (o.alignment || !o.page.empty()) check_attends(run, o.runs.front());
  check_case(run, o.capitals);
  prepare(o.faster, run);
  return run;
}

int translate(int argc, char** argv, const apps::Communicator& ranks) {
  apps::CommonOptions common;
  TranslateOptions o;
  apps::CommandLine line(
      "translate",
      "Translates standard input: one output line per input line, blank lines included. You can also give sentences "
      "after the options. A language model continues each line. On a terminal, translate prompts for a sentence; "
      "Ctrl-D ends it.",
      {"translate --run runs/demo \"i love you\"", "echo 'i love you' | translate --run runs/demo --alignment plot",
       "translate --run runs/demo --beam 5 < in.en > out.fr",
       "translate --run runs/demo --beam 5 --n-best 5 < in.en    number ||| translation ||| score",
       "translate --run runs/demo --sample 3 --top-p 0.9 < in.en    number ||| translation ||| log p",
       "echo 'the old man' | translate --run runs/lm --sample 3    texts of a language model",
       "translate --run runs/mine --int8 --shortlist table.tsv < in.en    faster, see links --table",
       "translate --run runs/a --run runs/b --beam 5 < in.en    the ensemble of two runs"},
      common);
  line.add_note(apps::note_of_ranks);
  line.pass_over(apps::training_names());
  declare(line, o);
  return line.run(argc, argv, [&] {
    o.seed = common.seed;
    check(line, o, ranks.alone());
    prepare(o.unknown);
    const apps::LoadedRun run = open_runs(o);
    const apps::HeatmapStyle style = apps::screen_style(o.colour);
    apps::Translator translator(run, o, style);
    Answers answers(ranks.first() ? o.units : apps::UnitOptions{});
    if (o.sentences.empty() && ranks.alone() && apps::is_terminal(STDIN_FILENO))
      return converse(run, translator, answers, o);
    if (!ranks.alone()) check_same(ranks, {{"parameters", apps::hash(run.params)}, {"threads", common.threads}});
    return translate_stream(run, translator, answers, o, process_group_of(ranks), input_of(o.sentences));
  });
}

}  // namespace

int main(int argc, char** argv) {
  return apps::with_ranks(argc, argv, [&](const apps::Communicator& ranks) { return translate(argc, argv, ranks); });
}
