// translate: lines in, translations out, in the same order and number.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "apps/cli/command_line.h"
#include "apps/cli/line_reader.h"
#include "apps/cli/prompt.h"
#include "apps/decoding/decoding.h"
#include "apps/decoding/faster.h"
#include "apps/inference/align_pairs.h"
#include "apps/inference/alignment_format.h"
#include "apps/inference/capitals.h"
#include "apps/inference/self_attention.h"
#include "apps/inference/unknown_note.h"
#include "apps/inference/unknown_words.h"
#include "apps/ranks/check_same.h"
#include "apps/ranks/with_ranks.h"
#include "apps/run/ensemble_run.h"
#include "apps/run/memory.h"
#include "apps/run/record_text.h"
#include "apps/terminal/output.h"
#include "apps/terminal/tell.h"
#include "data/alignment/original_words.h"
#include "data/text/detokenizer.h"
#include "models/registry.h"
#include "models/search/prompt.h"

namespace {

constexpr const char* input_name = "standard input";

struct TranslateOptions {
  std::vector<std::string> runs;
  std::string alignment, colour = "auto", capitals = "none";
  apps::Over over;
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

  // What is printed for each of the lines, of which the first is number `first` of the input, from 0.
  std::vector<std::string> answers(const std::vector<std::string>& lines, std::size_t first) {
    std::vector<apps::SourceText> sources;
    std::vector<data::EncodedPair> encoded;  // of the lines that are not blank
    std::vector<std::size_t> numbers;        // theirs
    for (const std::string& line : lines) {
      sources.push_back(read_source(run_, line));
      check_length(sources.back());
      unknown_.add_source(sources.back().words);
      if (answered_blank(sources.back())) continue;
      encoded.push_back(apps::encoded(sources.back()));
      numbers.push_back(first + sources.size() - 1);
    }
    const models::Seq2Seq& model = continued_ ? *continued_ : *run_.model;
    const auto found = options_.sampling.samples > 0
                           ? apps::sample(model, encoded, numbers, options_.sampling, options_.seed)
                           : apps::search(model, run_.params, encoded, options_.search, options_.batch, {},
                                          options_.faster.shortlist ? &*options_.faster.shortlist : nullptr);
    std::vector<std::string> texts;
    auto next = found.begin();
    for (const apps::SourceText& source : sources)
      texts.push_back(answered_blank(source) ? blank_answer(source, first + texts.size())
                                             : answer(source, *next++, first + texts.size()));
    return texts;
  }

  // Words of the lines so far that the vocabulary does not have; of those, too, that another process answers.
  void note_unknown(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) unknown_.add_source(read_source(run_, line).words);
  }
  void tell_notes() {
    apps::tell("{}", unknown_.take());
    const std::string note = note_of_self_attention(run_, std::exchange(without_self_attention_, 0));
    if (!note.empty()) apps::tell("note: {}\n", note);
  }

 private:
  std::size_t asked() const { return options_.max_length > 0 ? options_.max_length : run_.options.max_length; }
  std::size_t longest() const { return std::min(asked(), models::most_words(run_.options.model)); }
  void check_length(const apps::SourceText& source) const {
    const std::size_t words = source.words.size(), known = models::most_words(run_.options.model);
    if (words <= longest() && source.ids.size() > known)
      throw std::runtime_error(
          fmt::format("{} words are {} subwords; at most {} are {} (the model has learnt no more places)", words,
                      source.ids.size(), known, continued_ ? "a text" : "translated"));
    if (words > longest())
      throw std::runtime_error(
          fmt::format("{} words; at most {} are {} ({})", words, longest(), continued_ ? "a text" : "translated",
                      longest() < asked() ? "the model has learnt no more places" : "--max-length"));
    if (const std::size_t most = apps::most_subwords(words, longest()); source.ids.size() > most)
      throw std::runtime_error(
          fmt::format("{} word{} of {} subwords; at most {} are {}; put spaces into the line, or leave it out", words,
                      words == 1 ? "" : "s", source.ids.size(), most, continued_ ? "a text" : "translated"));
  }
  // What has no words has no translation, but it can be gone on with.
  bool answered_blank(const apps::SourceText& source) const { return source.words.empty() && !continued_; }

  std::string mode() const {
    return record_mode(run_, options_.sampling.samples > 0 ? "sampled" : options_.search.beam == 1 ? "greedy" : "beam");
  }

  bool is_list() const { return options_.sampling.samples > 1 || options_.search.n_best > 1; }

  // What is printed for a line without words: the empty translation in the form of the others.
  std::string blank_answer(const apps::SourceText& source, std::size_t id) const {
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

  std::string answer(const apps::SourceText& source, std::vector<models::Hypothesis> found, std::size_t id) {
    std::string text;
    for (std::size_t rank = 0; rank < found.size(); ++rank) {
      if (options_.alignment == "jsonl" && !add_self_attention(found[rank], run_, source)) ++without_self_attention_;
      data::Record record = hypothesis_record(run_, source, found[rank], mode(), id, rank);
      replace_unknown(record, options_.unknown);
      const data::Tokens words = written(run_, source, record, options_.capitals);
      data::Original sentence = placed_sentence(run_, words);
      add_text(record, run_, source, sentence);
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
    record = data::over_original_words(record, data::NoLine::tokens_are_words);
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
      record = data::over_original_words(record, data::NoLine::tokens_are_words);
    else record.target = words;
    std::string line = format_record(record, options_.alignment, style_);
    line.pop_back();
    return line;
  }

  static std::string list_entry(std::size_t id, const std::string& line, const data::Tokens& words, double score) {
    if (std::find(words.begin(), words.end(), "|||") != words.end())
      throw std::runtime_error(fmt::format(
          "the translation has the word |||, which separates the fields of a list of translations; --alignment jsonl "
          "holds it"));
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
  std::size_t without_self_attention_ = 0;  // records whose translation has more tokens than the model has positions
};

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
    if (!std::cout) throw std::runtime_error("standard output could not be written");
  }
  void finish() { tokens_.finish(); }

 private:
  apps::TokensFile tokens_;
  bool first_ = true;  // nothing has been printed
};

// What stands before a line that cannot be translated is worth having, so that one is looked for.
void add_answers(Translator& translator, const std::vector<std::string>& lines, std::size_t id, std::string& text) {
  std::vector<std::string> answers;
  try {
    answers = translator.answers(lines, id);
  } catch (const std::exception& problem) {
    const auto* const refused = dynamic_cast<const std::bad_alloc*>(&problem);
    const std::string what = refused ? apps::describe_refusal(*refused) : problem.what();
    if (lines.size() == 1) throw std::runtime_error(fmt::format("{}:{}: {}", input_name, id + 1, what));
    for (const std::string& line : lines) add_answers(translator, {line}, id++, text);
  }
  for (const std::string& answer : answers) text += answer;
}

// As many batches at a time as there are processes, each of which answers one.
int translate_stream(Translator& translator, Answers& answers, std::size_t batch, const apps::Sharing& sharing) {
  apps::LineReader input(STDIN_FILENO, input_name);
  const auto next = [&] { return of_first(sharing, [&] { return input.next(batch * sharing.count); }); };
  std::size_t id = 0;
  for (auto lines = next(); !lines.empty(); lines = next()) {
    const auto part = [&](std::size_t i) {
      const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(i * batch);
      return std::vector<std::string>(begin, begin + std::min<std::ptrdiff_t>(batch, lines.end() - begin));
    };
    const auto answer = [&](std::size_t i, std::string& text) {
      add_answers(translator, part(i), id + i * batch, text);
    };
    const std::size_t parts = (lines.size() + batch - 1) / batch;
    write_in_order(sharing, parts, answer, [&](const std::string& text) { answers.print(text); });
    if (sharing.first())
      for (std::size_t i = 1; i < parts; ++i) translator.note_unknown(part(i));
    id += lines.size();
  }
  translator.tell_notes();
  answers.finish();
  return 0;
}

// A person types: a prompt on standard error, an answer to each line at once, and a line that cannot be translated
// is no reason to end.
int converse(Translator& translator, Answers& answers) {
  apps::Prompt prompt("> ", apps::state_file("translate_history"));
  std::size_t id = 0;
  for (auto line = prompt.next(); line; line = prompt.next()) {
    std::vector<std::string> texts;
    try {
      texts = translator.answers({*line}, id++);
    } catch (const std::runtime_error& problem) {
      apps::tell("{}\n", problem.what());
    }
    translator.tell_notes();
    for (const std::string& text : texts) answers.print(text);
  }
  apps::tell("\n");
  answers.finish();
  return 0;
}

int translate(int argc, char** argv, const apps::Ranks& ranks) {
  apps::CommonOptions common;
  TranslateOptions o;
  apps::CommandLine line("translate",
                         "Translates standard input line by line: one line out for each line in, blank ones included. "
                         "A language model goes on with each line, as a text that begins so. On a terminal it prompts; "
                         "Ctrl-D ends.",
                         {"echo 'i love you' | translate --run runs/toy --alignment plot",
                          "translate --run runs/toy --beam 5 < in.en > out.fr",
                          "translate --run runs/toy --beam 5 --n-best 5 < in.en    number ||| translation ||| score",
                          "translate --run runs/toy --sample 3 --top-p 0.9 < in.en    number ||| translation ||| log p",
                          "echo 'the old man' | translate --run runs/lm --sample 3    texts of a language model",
                          "translate --run runs/mine --int8 --shortlist table.tsv < in.en    faster, see links --table",
                          "translate --run runs/a --run runs/b --beam 5 < in.en    the ensemble of two runs"},
                         common);
  line.add_note(apps::note_of_ranks);
  line.pass_over(apps::training_names());
  line.add_here(apps::runs_table(o.runs));
  declare(line, o.search);
  line.add_here("n-best", &o.search.n_best, "translations printed a line, at most --beam", apps::between(1, 10000));
  declare(line, o.sampling);
  declare(line, o.unknown);
  declare(line, o.faster);
  line.group("Output");
  line.add_here(
      "alignment", &o.alignment,
      "plot: a heatmap after each line; soft, hard: Marian's, after |||, between the words of the input line and of "
      "the line printed; jsonl: records in place of lines",
      apps::one_of({"plot", "soft", "hard", "jsonl"}));
  declare(line, o.over);
  declare_case(line, o.capitals);
  line.add_here("color", &o.colour, "colours of plot", apps::one_of({"auto", "always", "never"}));
  line.add_here("tokenized", &o.tokenized, "print tokens, separated by spaces");
  line.group("Input");
  line.add_here("batch", &o.batch, "lines translated together, if they are there already", apps::between(1, 10000));
  line.add_here("max-length", &o.max_length, "most words a line may have; 0: as in training",
                apps::between(0, models::longest_sentence));

  return line.run(argc, argv, [&] {
    check_decoding(line, o.search, o.sampling);
    o.seed = common.seed;
    if (o.alignment.empty() && !(o.over.over + o.over.tokens).empty())
      throw apps::UsageError("--over and --tokens say what the positions of --alignment count; give --alignment too");
    check(o.over, o.alignment);
    prepare(o.unknown);
    const apps::Run run = apps::load_runs(o.runs);
    if (is_of_pictures(run.options) || is_answered(run.options))
      throw std::runtime_error(
          fmt::format("--run {}: its task is {}; it translates nothing (see caption, answer, entail)", o.runs.front(),
                      run.options.task));
    if (!o.alignment.empty())
      check_tokens(o.over, o.alignment, run.options.tokenizer == "none",
                   fmt::format("the tokens of the run (--tokenizer {})", run.options.tokenizer));
    if (!o.alignment.empty()) check_attends(run, o.runs.front());
    check_case(run, o.capitals);
    prepare(o.faster, run);
    const apps::HeatmapStyle style = apps::screen_style(o.colour);
    Translator translator(run, o, style);
    Answers answers(ranks.first() ? o.over : apps::Over{});
    if (ranks.alone() && apps::is_terminal(STDIN_FILENO)) return converse(translator, answers);
    if (!ranks.alone()) check_same(ranks, {{"parameters", apps::hash(run.params)}, {"threads", common.threads}});
    return translate_stream(translator, answers, o.batch, sharing_of(ranks));
  });
}

}  // namespace

int main(int argc, char** argv) {
  return apps::with_ranks(argc, argv, [&](const apps::Ranks& ranks) { return translate(argc, argv, ranks); });
}
