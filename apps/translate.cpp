// translate: lines in, translations out, in the same order and number.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <utility>

#include "apps/cli/command_line.h"
#include "apps/cli/input.h"
#include "apps/inference/align_pairs.h"
#include "apps/inference/alignment_format.h"
#include "apps/inference/decoding.h"
#include "apps/inference/truecase.h"
#include "apps/inference/unknown_words.h"
#include "apps/pages/drawing.h"
#include "apps/pages/matrix.h"
#include "apps/pages/viewer/page.h"
#include "apps/ranks/ranks.h"
#include "apps/ranks/with_ranks.h"
#include "apps/run/memory.h"
#include "apps/run/run_folder.h"
#include "apps/run/run_text.h"
#include "apps/scatter_gather/scatter_gather.h"
#include "apps/terminal/output.h"
#include "apps/terminal/terminal.h"
#include "data/alignment/word_level.h"
#include "data/corpus/corpus.h"
#include "data/corpus/layout.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/unicode.h"
#include "data/text/tokenizer.h"
#include "models/registry.h"
#include "models/search/prompt.h"

using namespace softalign;

namespace {

constexpr const char* standard_input = "standard input";

// The source of the sentences: standard input, or words of the command line.
struct Input {
  std::string name;
  std::function<std::vector<std::string>(std::size_t most)> next;  // as LineReader::next with ends of lines
};

struct TranslateOptions {
  std::vector<std::string> runs, sentences;
  std::string alignment;
  std::string out;   // of --alignment svg: a file, or a folder for a file per line; "": standard output
  std::string page;  // the viewer's page of these translations; "": none
  apps::UseColour colour = apps::UseColour::automatic;
  apps::Capitals capitals = apps::Capitals::none;
  apps::Over over;
  apps::MatrixChoice matrix;
  models::BeamOptions search;
  models::SamplingOptions sampling;
  apps::UnknownWords unknown;
  apps::Faster faster;
  std::size_t batch = 32, max_length = 0;
  bool tokenized = false;
  std::uint64_t seed = 1;
};

class Translator {
 public:
  Translator(const apps::Run& run, const TranslateOptions& options, const apps::HeatmapStyle& style)
      : run_(run),
        options_(options),
        style_(style),
        continued_(is_of_texts(run.options) ? models::prompted(*run.model) : nullptr),
        unknown_(run) {
    if (continued_) options_.search.max_length = options_.sampling.max_length = longest();
  }

  struct Numbered {
    std::size_t id;  // number of the line, from 0
    apps::SourceText source;
  };

  // Throws std::runtime_error for a line that is too long.
  apps::SourceText read(const std::string& line) const {
    apps::SourceText source = read_source(run_, line);
    check_length(source);
    return source;
  }

  // The text to print for each of the lines. Notes count them if it throws nothing.
  std::vector<std::string> answers(const std::vector<Numbered>& lines) {
    std::vector<data::EncodedPair> encoded;  // of the lines that are not blank
    std::vector<std::size_t> numbers;        // theirs
    for (const auto& [id, source] : lines) {
      if (answered_blank(source)) continue;
      encoded.push_back(apps::encoded(source));
      numbers.push_back(id);
    }
    const models::Seq2Seq& model = continued_ ? *continued_ : *run_.model;
    const auto found = options_.sampling.samples > 0
                           ? apps::sample(model, encoded, numbers, options_.sampling, options_.seed)
                           : apps::search(model, run_.params, encoded, options_.search, options_.batch, {},
                                          options_.faster.shortlist ? &*options_.faster.shortlist : nullptr);
    std::vector<std::string> texts;
    Counts counts = counts_;
    Kept kept;
    auto next = found.begin();
    for (const auto& [id, source] : lines)
      texts.push_back(answered_blank(source) ? blank_answer(source, id) : answer(source, *next++, id, counts, kept));
    counts_ = counts;
    std::move(kept.drawn.begin(), kept.drawn.end(), std::back_inserter(kept_.drawn));
    std::move(kept.own.begin(), kept.own.end(), std::back_inserter(kept_.own));
    for (const auto& line : lines) unknown_.add_source(line.source.words);
    return texts;
  }

  // The records of the translations so far, for a drawing and for a page, if there is to be one.
  struct Kept {
    std::vector<data::Record> drawn, own;
  };
  const Kept& kept() const { return kept_; }

  // Words of a line that another process answers and that the vocabulary does not have.
  void note_unknown(const std::string& line) {
    try {
      unknown_.add_source(read(line).words);
    } catch (const std::exception&) {  // it was not translated
    }
  }
  void note_tab(const std::string& line) { with_tab_ += line.find('\t') != std::string::npos; }
  // Adds what the other processes counted.
  void gather(const apps::ProcessGroup& processes) {
    const std::vector<std::string> all = apps::all_gather(processes, [&] {
      apps::Packer packed;
      packed(counts_);
      return packed.take();
    });
    counts_ = {};
    for (const std::string& one : all) {
      const auto theirs = apps::Unpacker(one).next<Counts>();
      counts_.cut += theirs.cut;
      counts_.without_self_attention += theirs.without_self_attention;
      counts_.unknown_written += theirs.unknown_written;
    }
  }
  // The text to print for a line that cannot be translated, so that n lines give n lines.
  std::string unanswered(const std::string& line, std::size_t id) const {
    apps::SourceText source;
    source.line = line;
    return blank_answer(source, id);
  }
  void tell_notes() {
    const std::string unknown = unknown_.take_of_translation();
    apps::report("{}", unknown);
    if (const auto written = std::exchange(counts_.unknown_written, 0U);
        options_.unknown.replace && !unknown.empty() && written == 0)
      apps::report("note: --replace-unknown replaced nothing, because the model wrote no <unk>\n");
    const std::string note = note_of_self_attention(run_, std::exchange(counts_.without_self_attention, 0));
    if (!note.empty()) apps::report("note: {}\n", note);
  }
  void tell_notes_of_stream() const {
    if (counts_.cut > 0)
      apps::report("note: {} {}{} cut at the length limit, before the model ended {}; jsonl records say so (eos)\n",
                   counts_.cut, continued_ ? "text" : "translation", counts_.cut == 1 ? " was" : "s were",
                   counts_.cut == 1 ? "it" : "them");
    if (with_tab_ > 0)
      apps::report(
          "note: {} contain{} a tab and {} read as one sentence{}; if this is a TSV file, give one column, for "
          "example with cut -f1\n",
          with_tab_ == 1 ? "1 line" : fmt::format("{} lines", with_tab_), with_tab_ == 1 ? "s" : "",
          with_tab_ == 1 ? "was" : "were", with_tab_ == 1 ? "" : " each");
  }

 private:
  struct Counts {
    std::size_t cut = 0;                     // translations that end at the length limit
    std::size_t without_self_attention = 0;  // records whose translation has more tokens than the model has positions
    std::size_t unknown_written = 0;         // <unk>, before --replace-unknown
  };
  std::size_t asked() const { return options_.max_length > 0 ? options_.max_length : run_.options.max_length; }
  std::size_t longest() const { return std::min(asked(), models::most_words(run_.options.model)); }
  void check_length(const apps::SourceText& source) const {
    const std::size_t words = source.words.size(), known = models::most_words(run_.options.model);
    if (words <= longest() && source.ids.size() > known)
      throw data::Error(data::ErrorKind::bad_data,
                        fmt::format("{} words are {} subwords; at most {} are {} (the model has no positions for more)",
                                    words, source.ids.size(), known, continued_ ? "a text" : "translated"));
    if (words > longest())
      throw data::Error(
          data::ErrorKind::bad_data,
          fmt::format("{} words; at most {} are {} ({})", words, longest(), continued_ ? "a text" : "translated",
                      longest() < asked() ? "the model has no positions for more" : "--max-length"));
    if (const std::size_t most = apps::most_subwords(words, longest()); source.ids.size() > most)
      throw data::Error(
          data::ErrorKind::bad_data,
          fmt::format("{} word{} of {} subwords; at most {} are {}. Put spaces into the line, or remove the line",
                      words, words == 1 ? "" : "s", source.ids.size(), most, continued_ ? "a text" : "translated"));
  }
  // What has no words has no translation, but it can be gone on with.
  bool answered_blank(const apps::SourceText& source) const { return source.words.empty() && !continued_; }

  data::DecodingMode mode() const {
    return options_.sampling.samples > 0 ? record_mode(run_, data::DecodingMode::sampled)
                                         : search_mode(run_, options_.search.beam);
  }

  // The drawing is all that is printed.
  bool prints_drawing() const { return options_.alignment == "svg" && options_.out.empty(); }

  bool is_list() const { return options_.sampling.samples > 1 || options_.search.n_best > 1; }

  // The text to print for a line without words: the empty translation in the form of the others.
  std::string blank_answer(const apps::SourceText& source, std::size_t id) const {
    if (prints_drawing()) return "";
    data::Record record = data::blank_record(id);
    record.mode = mode();
    record.source_original = data::Original{source.line, {}};
    record.target_original = data::Original{"", {}};
    record.unknown.emplace();
    std::string text;
    for (; record.rank < std::max<std::size_t>(1, options_.sampling.samples); ++record.rank) {
      std::string line = options_.alignment == "hard" || options_.alignment == "soft" ? " ||| " : "";
      if (is_list()) line = fmt::format("{} ||| {} ||| 0", id, line);
      text += (options_.alignment == "jsonl" ? apps::on_screen(format_record(record, "jsonl", style_)) : line + "\n") +
              with_tokens(record);
    }
    return text;
  }

  std::string answer(const apps::SourceText& source, std::vector<models::Hypothesis> found, std::size_t id,
                     Counts& counts, Kept& kept) {
    std::string text;
    for (std::size_t rank = 0; rank < found.size(); ++rank) {
      const bool every_head = options_.alignment == "jsonl" || !options_.page.empty();
      if (every_head && !add_self_attention(found[rank], run_, source)) ++counts.without_self_attention;
      data::Record record = hypothesis_record(run_, source, found[rank], mode(), id, rank);
      counts.unknown_written +=
          static_cast<std::size_t>(std::count(record.target.begin(), record.target.end(), data::unk_token));
      replace_unknown(record, options_.unknown);
      counts.cut += !record.target_eos;
      const data::Tokens words = written(run_, source, record, options_.capitals);
      data::Original sentence = placed_sentence(run_, words);
      add_text(record, run_, source, sentence);
      if (rank == 0 && !options_.page.empty()) kept.own.push_back(record);
      if (options_.alignment == "svg") kept.drawn.push_back(shown(record));
      if (prints_drawing()) continue;
      const std::string tokens = with_tokens(record);
      if (options_.alignment == "jsonl") {
        text += apps::on_screen(format_record(shown(std::move(record)), "jsonl", style_)) + tokens;
        continue;
      }
      const bool aligned = options_.alignment == "hard" || options_.alignment == "soft";
      if (options_.tokenized) sentence = {data::join_words(words), {}};
      std::string line = aligned ? aligned_line(record, words) : sentence.line;
      if (is_list()) line = list_entry(id, line, words, found[rank].score);
      text += apps::on_screen(line) + "\n";
      if (options_.alignment == "plot") text += format_record(shown(std::move(record)), "plot", style_);
      text += tokens;
    }
    return text;
  }

  // The record as it is shown: over its tokens, or over the words of both lines.
  data::Record shown(data::Record record) const {
    if (!over_words(options_.over, options_.alignment)) return record;
    record = data::over_original_words(std::move(record), data::NoLine::tokens_are_words);
    complete(record);  // links are those of the weights that are shown
    return record;
  }

  // Marian's line without its end: what is printed without --alignment, or the tokens, and links or weights.
  std::string aligned_line(data::Record record, const data::Tokens& words) const {
    if (options_.tokenized) {
      data::Original& line = record.target_original.emplace();
      line.line = data::detokenize(words, {data::Tokenization::none}, &line.spans);
    }
    if (over_words(options_.over, options_.alignment))
      record = data::over_original_words(std::move(record), data::NoLine::tokens_are_words);
    else record.target = words;
    std::string line = format_record(record, options_.alignment, style_);
    line.pop_back();
    return line;
  }

  static std::string list_entry(std::size_t id, const std::string& line, const data::Tokens& words, double score) {
    if (std::find(words.begin(), words.end(), "|||") != words.end())
      throw data::Error(data::ErrorKind::bad_data,
                        fmt::format("the translation contains the word |||, which separates the fields of a list of "
                                    "translations. Add --alignment jsonl"));
    return fmt::format("{} ||| {} ||| {:.6g}", id, line, score);
  }

  // The record's line in the file of --tokens, as Answers takes it apart from what is printed; nothing without the
  // option.
  std::string with_tokens(const data::Record& record) const {
    if (options_.over.tokens.empty()) return "";
    return apps::tokens_mark + apps::line_of_tokens(record) + apps::tokens_mark;
  }

  const apps::Run& run_;
  TranslateOptions options_;
  const apps::HeatmapStyle& style_;
  std::unique_ptr<models::Seq2Seq> continued_;  // of a language model: what goes on with each line
  apps::UnknownNote unknown_;
  Counts counts_;
  std::size_t with_tab_ = 0;  // lines
  Kept kept_;
};

// Throws UsageError for an --out or a --page that the other options do not go with.
void check_output(TranslateOptions& o, bool alone) {
  if (o.alignment.empty() && !o.out.empty()) o.alignment = "svg";
  if (!o.out.empty() && o.alignment != "svg")
    throw apps::UsageError(
        fmt::format("--out needs --alignment svg. To write the format {} to a file, replace --out by > {}", o.alignment,
                    data::in_quotes(o.out)));
  if (o.out.ends_with('/') || std::filesystem::is_directory(o.out)) o.out += o.out.ends_with('/') ? "" : "/";
  else if (!o.out.empty() && !apps::is_drawing_name(o.out))
    throw apps::UsageError(
        fmt::format("--out {}: --out writes a drawing, to a file that ends in .svg or .png, or to a folder ({}/) with "
                    "one file per line. Translations go to standard output, so: translate ... > {}",
                    o.out, o.out, o.out));
  apps::check_drawing_name(o.out);
  if (!alone && (o.alignment == "svg" || !o.page.empty()))
    throw apps::UsageError("--alignment svg and --page need one process. Run translate without mpirun");
  if (o.page.empty()) return;
  if (o.runs.size() > 1)
    throw apps::UsageError(
        "--page shows one run, and several --run are given. Give one --run. To compare runs: view --run RUN --compare "
        "RUN2");
  if (o.sampling.samples > 0)
    throw apps::UsageError(
        "--page shows the best translation, and --sample prints random translations. Remove --sample or --page");
}

// All in one drawing, one below the other; or in a folder a file per line, 1.svg for the first, 1-2.svg for its second
// translation.
void write_drawings(const std::vector<data::Record>& records, const std::string& out) {
  apps::Sheet sheet;
  if (!out.ends_with('/')) {
    for (const data::Record& record : records) sheet.add(record);
    if (out.empty()) apps::put(sheet.svg());
    else apps::write_drawing(out, sheet.svg());
    return;
  }
  std::filesystem::create_directories(out);
  for (const data::Record& record : records) {
    apps::Sheet one;
    one.add(record);
    const std::string rank = record.rank > 0 ? fmt::format("-{}", record.rank + 1) : "";
    apps::write_drawing(fmt::format("{}{}{}.svg", out, record.id + 1, rank), one.svg());
  }
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
  data::check_not_read(o.page);
  data::write_file(o.page, apps::make_page(page.title, page.json, page.pictures));
  apps::report("{}: {} sentence{}; open it in a browser\n", o.page, page.sentences, page.sentences == 1 ? "" : "s");
}

// The files that are written after the last line.
void write_files(const Translator& translator, const TranslateOptions& o) {
  if (o.alignment == "svg") write_drawings(translator.kept().drawn, o.out);
  if (!o.page.empty()) write_page(translator.kept().own, o);
}

// Prints answers, of which the tokens go to the file of --tokens.
class Answers {
 public:
  explicit Answers(const apps::Over& over) : tokens_(over) {}
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

// A line of the input, without its end, and why it cannot be read; "" if it can.
struct Line {
  std::string text, problem;
};

// `line` has its end, if it had one; `id` counts from 0.
Line clean(std::string line, const std::string& input_name, std::size_t id) {
  const bool ended = line.ends_with('\n');
  if (ended) line.pop_back();
  try {
    return {data::clean_line(std::move(line), input_name, id + 1, ended), ""};
  } catch (const std::exception& problem) {
    return {"", problem.what()};
  }
}

// Lines that could not be translated: the messages of the first ones, and how many there are.
class Problems {
 public:
  void add(std::size_t id, const std::string& message) { ++count_, keep(id, message); }
  // Adds those of the other processes.
  void gather(const apps::ProcessGroup& processes) {
    const std::vector<std::string> all = apps::all_gather(processes, [&] {
      apps::Packer packed;
      packed(count_), packed(first_.size());
      for (const auto& [id, message] : first_) packed(id), packed(message);
      return packed.take();
    });
    for (std::size_t place = 0; place < all.size(); ++place) {
      if (place == processes.place) continue;
      apps::Unpacker theirs(all[place]);
      count_ += theirs.next<std::size_t>();
      for (auto left = theirs.next<std::size_t>(); left > 0; --left) {
        const auto id = theirs.next<std::size_t>();
        keep(id, theirs.next<std::string>());
      }
    }
  }
  // Throws std::runtime_error if there are any. `lines` is the number of lines; `last` is what ended the input early.
  void report(std::size_t lines, const std::string& last = "") const {
    std::string text;
    for (const auto& [id, message] : first_) text += message + "\n";
    if (count_ > 0)
      text += fmt::format("{} of {} line{} could not be translated{}; the output has a blank answer for {}", count_,
                          lines, lines == 1 ? "" : "s", count_ > first_.size() ? " (the first are named above)" : "",
                          count_ == 1 ? "it" : "each");
    if (!last.empty()) text += (text.empty() ? "" : "\n") + last;
    if (!text.empty()) throw data::Error(data::ErrorKind::bad_data, text);
  }

 private:
  void keep(std::size_t id, const std::string& message) {
    constexpr std::size_t shown = 8;
    first_.emplace(id, message);
    if (first_.size() > shown) first_.erase(std::prev(first_.end()));
  }
  std::size_t count_ = 0;
  std::map<std::size_t, std::string> first_;  // by the line's number
};

// Adds an answer per line to `text`. If a line cannot be translated, its answer is blank and all others are translated.
void add_answers(Translator& translator, const std::vector<Line>& lines, const std::string& input_name, std::size_t id,
                 std::string& text, Problems& problems) {
  std::vector<std::string> answers(lines.size());
  std::vector<Translator::Numbered> sources;
  const auto refuse = [&](std::size_t number, const std::string& message) {
    problems.add(number, message);
    answers[number - id] = translator.unanswered(lines[number - id].text, number);
  };
  const auto placed = [&](std::size_t number, const std::exception& problem) {
    const auto* const refused = dynamic_cast<const std::bad_alloc*>(&problem);
    return fmt::format("{}:{}: {}", input_name, number + 1,
                       refused ? apps::describe_refusal(*refused) : problem.what());
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].problem.empty()) {
      refuse(id + i, lines[i].problem);
      continue;
    }
    try {
      sources.push_back({id + i, translator.read(lines[i].text)});
    } catch (const std::exception& problem) {
      refuse(id + i, placed(id + i, problem));
    }
  }
  const auto answer = [&](const std::vector<Translator::Numbered>& some) {
    std::vector<std::string> found = translator.answers(some);
    for (std::size_t i = 0; i < some.size(); ++i) answers[some[i].id - id] = std::move(found[i]);
  };
  bool together = true;
  try {
    answer(sources);
  } catch (const std::exception&) {
    together = false;  // the line that is the reason is not known
  }
  for (std::size_t i = 0; !together && i < sources.size(); ++i) {
    try {
      answer({sources[i]});
    } catch (const std::exception& problem) {
      refuse(sources[i].id, placed(sources[i].id, problem));
    }
  }
  for (const std::string& one : answers) text += one;
}

// Refuses input whose first line has two columns: it is a TSV file, and both columns would be translated as one
// sentence.
void check_one_column(const apps::Run& run, const std::vector<std::string>& lines, const std::string& input_name) {
  if (lines.empty() || is_of_texts(run.options)) return;
  const std::string& first = lines.front();
  const std::size_t tab = first.find('\t');
  if (tab == std::string::npos || data::split_words(first.substr(0, tab)).empty() ||
      data::split_words(first.substr(tab)).empty())
    return;
  throw data::Error(
      data::ErrorKind::bad_data,
      fmt::format(
          "{}:1: a tab between words; this looks like a TSV file, and translate reads one sentence per line. Give "
          "the column of the sources: cut -f{} FILE | translate --run RUN. If the tab is part of the text: tr "
          "'\\t' ' ' < FILE | translate --run RUN",
          input_name, run.options.swap_sides ? 2 : 1));
}

// As many batches at a time as there are processes, each of which answers one.
int translate_stream(const apps::Run& run, Translator& translator, Answers& answers, const TranslateOptions& o,
                     const apps::ProcessGroup& processes, Input input) {
  const std::size_t batch = o.batch;
  std::size_t id = 0;
  Problems problems;
  const auto next = [&] {
    std::vector<Line> lines;
    const auto read = [&] {
      try {
        std::vector<std::string> some = input.next(batch * processes.count);
        if (id == 0) check_one_column(run, some, input.name);
        return some;
      } catch (const std::exception& problem) {
        problems.report(id, problem.what());
        throw;
      }
    };
    for (std::string& line : broadcast(processes, read))
      lines.push_back(clean(std::move(line), input.name, id + lines.size()));
    return lines;
  };
  for (auto lines = next(); !lines.empty(); lines = next()) {
    const auto part = [&](std::size_t i) {
      const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(i * batch);
      return std::vector<Line>(begin, begin + std::min<std::ptrdiff_t>(batch, lines.end() - begin));
    };
    const auto answer = [&](std::size_t i, std::string& text) {
      add_answers(translator, part(i), input.name, id + i * batch, text, problems);
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
  translator.tell_notes();
  translator.tell_notes_of_stream();
  answers.finish();
  write_files(translator, o);
  problems.report(id);
  return 0;
}

// A line that a person types to end the program or to get help.
bool is_command(const std::string& line) {
  static const std::set<std::string> commands{"quit", "/quit", "exit", "/exit", "q", ":q", "help", "/help"};
  const data::Tokens words = data::split_words(line);
  return words.size() == 1 && commands.count(words.front()) > 0;
}

// A person types: a prompt on standard error, an answer to each line at once, and a line that cannot be translated
// is no reason to end.
int converse(const apps::Run& run, Translator& translator, Answers& answers, const TranslateOptions& o) {
  apps::report("{}; Ctrl-D ends\n",
               is_of_texts(run.options) ? "type the beginning of a text" : "type a sentence to translate");
  apps::Prompt prompt("> ", apps::state_file("translate_history"));
  std::size_t id = 0;
  for (auto line = prompt.next(); line; line = prompt.next()) {
    if (is_command(*line)) {
      apps::report(
          "note: this line is not translated, because it looks like a command. Ctrl-D ends the program. The options: "
          "translate --help\n");
      continue;
    }
    std::vector<std::string> texts;
    try {
      const Line typed = clean(*line + "\n", standard_input, id);
      if (!typed.problem.empty()) throw data::Error(data::ErrorKind::bad_data, typed.problem);
      texts = translator.answers({{id, translator.read(typed.text)}});
    } catch (const std::runtime_error& problem) {
      apps::report("{}\n", problem.what());
    }
    ++id;
    translator.tell_notes();
    for (const std::string& text : texts) answers.print(text);
  }
  apps::report("\n");
  answers.finish();
  write_files(translator, o);
  return 0;
}

// UsageError for the name of a file among the sentences: its text is meant, and it comes by standard input. data::Error
// for a name that ends like a file and is none.
void check_no_files(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) {
    std::error_code none;
    const bool named = sentence.ends_with(".tsv") || sentence.ends_with(".txt");
    if (named && data::split_words(sentence).size() == 1 && !std::filesystem::exists(sentence, none))
      throw data::Error(
          data::ErrorKind::missing_file,
          fmt::format("{}: no such file. To translate this name as a sentence: echo {} | translate --run RUN", sentence,
                      data::shell_word(sentence)));
    if (!std::filesystem::is_regular_file(sentence, none)) continue;
    const std::string file = data::shell_word(sentence);
    throw apps::UsageError(
        sentence.ends_with(".tsv")
            ? fmt::format("{} is a file, and translate reads sentences from standard input. Use: cut -f1 {} | "
                          "translate --run RUN",
                          sentence, file)
            : fmt::format(
                  "{} is a file, and translate reads sentences from standard input. Use: translate --run RUN < {}",
                  sentence, file));
  }
}

// The sentences of the command line, or else standard input.
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

int translate(int argc, char** argv, const apps::Ranks& ranks) {
  apps::CommonOptions common;
  TranslateOptions o;
  apps::CommandLine line(
      "translate",
      "Translates standard input: one output line per input line, blank lines included. You can also give sentences "
      "after the options. A language model continues each line. On a terminal, translate prompts for a sentence; "
      "Ctrl-D ends it.",
      {"translate --run runs/toy \"i love you\"", "echo 'i love you' | translate --run runs/toy --alignment plot",
       "translate --run runs/toy --beam 5 < in.en > out.fr",
       "translate --run runs/toy --beam 5 --n-best 5 < in.en    number ||| translation ||| score",
       "translate --run runs/toy --sample 3 --top-p 0.9 < in.en    number ||| translation ||| log p",
       "echo 'the old man' | translate --run runs/lm --sample 3    texts of a language model",
       "translate --run runs/mine --int8 --shortlist table.tsv < in.en    faster, see links --table",
       "translate --run runs/a --run runs/b --beam 5 < in.en    the ensemble of two runs"},
      common);
  line.add_note(apps::note_of_ranks);
  line.pass_over(apps::training_names());
  line.add_word("sentence", &o.sentences, "sentence to translate, in quotes, instead of standard input");
  line.add_here(apps::runs_table(o.runs));
  declare(line, o.search);
  line.add_here("n-best", &o.search.n_best, "number of translations to print per line, at most --beam",
                apps::between(1, 10000));
  declare(line, o.sampling);
  declare(line, o.unknown);
  declare(line, o.faster);
  line.group("Output");
  line.add_here("alignment", &o.alignment,
                "also print the attention. `plot`: a heatmap after each translation; `soft`, `hard`: the formats of "
                "Marian, after ||| in each line; their positions count the words of the input line and of the printed "
                "line; `jsonl`: one JSON record per line instead of the translation; `svg`: one drawing of all lines "
                "instead of the translations, or in the file --out",
                apps::one_of({"plot", "soft", "hard", "jsonl", "svg"}));
  line.add_here(table(o.matrix));
  line.add_here("out", &o.out,
                "--alignment svg: file to which the drawing is written, .svg or .png (a PNG needs the program "
                "rsvg-convert). Or a folder, for example own/, for one file per line: own/1.svg");
  line.add_here(
      "page", &o.page,
      "also write an interactive page of the translations and their attention, like the pages of the program `view`. "
      "The page also shows how each translation continues after the attention of one step is changed");
  declare(line, o.over);
  declare_case(line, o.capitals);
  line.add_here("color", &o.colour, apps::color_help);
  line.add_here("tokenized", &o.tokenized, "print the tokens of the model, separated by spaces, instead of text");
  line.group("Input");
  line.add_here("batch", &o.batch, "largest number of lines that are translated together", apps::between(1, 10000));
  line.add_here("max-length", &o.max_length, "longest input line, in words; 0: the --max-length of the training",
                apps::between(0, models::longest_sentence));

  return line.run(argc, argv, [&] {
    check_decoding(line, o.search, o.sampling);
    o.seed = common.seed;
    check_output(o, ranks.alone());
    check_no_files(o.sentences);
    if (o.alignment.empty() && !(o.over.units + o.over.tokens).empty())
      throw apps::UsageError(
          "--over and --tokens have an effect only with --alignment. Add --alignment, or remove --over and --tokens");
    check(o.over, o.alignment);
    prepare(o.unknown);
    apps::Run run = apps::load_runs(o.runs);
    apply(o.matrix, run, o.runs.front());
    if (is_of_pictures(run.options) || is_answered(run.options))
      throw data::Error(data::ErrorKind::wrong_usage,
                        fmt::format("--run {}: the model was trained for the task {} and cannot translate. Use the "
                                    "program for this task: {} --run {}",
                                    o.runs.front(), autograd::name_of(run.options.task),
                                    is_of_pictures(run.options)  ? "caption"
                                    : is_of_stories(run.options) ? "answer"
                                                                 : "entail",
                                    o.runs.front()));
    if (!o.alignment.empty())
      check_tokens(o.over, o.alignment, run.options.tokenizer == data::Tokenization::none,
                   fmt::format("the tokens of the run (--tokenizer {})", autograd::name_of(run.options.tokenizer)));
    if (!o.alignment.empty() || !o.page.empty()) check_attends(run, o.runs.front());
    check_case(run, o.capitals);
    prepare(o.faster, run);
    const apps::HeatmapStyle style = apps::screen_style(o.colour);
    Translator translator(run, o, style);
    Answers answers(ranks.first() ? o.over : apps::Over{});
    if (o.sentences.empty() && ranks.alone() && apps::is_terminal(STDIN_FILENO))
      return converse(run, translator, answers, o);
    if (!ranks.alone()) check_same(ranks, {{"parameters", apps::hash(run.params)}, {"threads", common.threads}});
    return translate_stream(run, translator, answers, o, process_group_of(ranks), input_of(o.sentences));
  });
}

}  // namespace

int main(int argc, char** argv) {
  return apps::with_ranks(argc, argv, [&](const apps::Ranks& ranks) { return translate(argc, argv, ranks); });
}
