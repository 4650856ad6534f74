#include "apps/inference/translator.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "apps/inference/align_pairs.h"
#include "apps/run/memory_need.h"
#include "apps/terminal/output.h"
#include "data/alignment/word_level.h"
#include "data/corpus/corpus.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/text/tokenizer.h"
#include "models/registry.h"
#include "models/search/prompt.h"

namespace softalign::apps {

namespace {

std::string list_entry(std::size_t id, const std::string& line, const data::Tokens& words, double score) {
  if (std::find(words.begin(), words.end(), "|||") != words.end())
    throw data::Error(data::ErrorKind::bad_data,
                      fmt::format("the translation contains the word |||, which separates the fields of a list of "
                                  "translations. Add --alignment jsonl"));
  return fmt::format("{} ||| {} ||| {:.6g}", id, line, score);
}

}  // namespace

InputLine input_line(std::string line, const std::string& input_name, std::size_t id) {
  const bool ended = line.ends_with('\n');
  if (ended) line.pop_back();
  try {
    return {data::clean_line(std::move(line), input_name, id + 1, ended), ""};
  } catch (const std::exception& problem) {
    return {"", problem.what()};
  }
}

void UntranslatedLines::gather(const ProcessGroup& processes) {
  const std::vector<std::string> all = all_gather(processes, [&] {
    Packer packed;
    packed(count_), packed(first_.size());
    for (const auto& [id, message] : first_) packed(id), packed(message);
    return packed.take();
  });
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (rank == processes.rank) continue;
    Unpacker theirs(all[rank]);
    count_ += theirs.next<std::size_t>();
    for (auto left = theirs.next<std::size_t>(); left > 0; --left) {
      const auto id = theirs.next<std::size_t>();
      keep(id, theirs.next<std::string>());
    }
  }
}

void UntranslatedLines::report(std::size_t lines, const std::string& last) const {
  std::string text;
  for (const auto& [id, message] : first_) text += message + "\n";
  if (count_ > 0)
    text += fmt::format("{} of {} line{} could not be translated{}. The output has a blank line for {}", count_, lines,
                        lines == 1 ? "" : "s", count_ > first_.size() ? " (the first are named above)" : "",
                        count_ == 1 ? "it" : "each");
  if (!last.empty()) text += (text.empty() ? "" : "\n") + last;
  if (!text.empty()) throw data::Error(data::ErrorKind::bad_data, text);
}

void UntranslatedLines::keep(std::size_t id, const std::string& message) {
  constexpr std::size_t shown = 8;
  first_.emplace(id, message);
  if (first_.size() > shown) first_.erase(std::prev(first_.end()));
}

Translator::Translator(const LoadedRun& run, const TranslatorOptions& options, const HeatmapStyle& style)
    : run_(run),
      options_(options),
      style_(style),
      continued_(task_of(run.options).has_source() ? nullptr : models::prompted(*run.model)),
      unknown_(run) {
  if (continued_) options_.search.max_length = options_.sampling.max_length = longest();
}

std::size_t Translator::longest() const { return std::min(asked(), models::most_words(run_.options.model)); }

void Translator::check_length(const SourceText& source) const {
  const std::size_t words = source.words.size(), known = models::most_words(run_.options.model);
  if (words <= longest() && source.ids.size() > known)
    throw data::Error(data::ErrorKind::bad_data,
                      fmt::format("{} words have {} subwords, but at most {} are {}, because the model has no "
                                  "positions for more. Shorten the line",
                                  words, source.ids.size(), known, continued_ ? "a text" : "translated"));
  if (words > longest())
    throw data::Error(data::ErrorKind::bad_data,
                      fmt::format("the line has {} words, but at most {} are {} ({}). Shorten the line", words,
                                  longest(), continued_ ? "a text" : "translated",
                                  longest() < asked() ? "the model has no positions for more" : "--max-length"));
  if (const std::size_t most = most_subwords(words, longest()); source.ids.size() > most)
    throw data::Error(
        data::ErrorKind::bad_data,
        fmt::format(
            "{} word{} with {} subwords together, but at most {} are {}. Put spaces into the line, or remove the line",
            words, words == 1 ? "" : "s", source.ids.size(), most, continued_ ? "a text" : "translated"));
}

SourceText Translator::read(const std::string& line) const {
  SourceText source = read_source(run_, line);
  check_length(source);
  return source;
}

data::DecodingMode Translator::mode() const {
  return options_.sampling.samples > 0 ? record_mode(run_, data::DecodingMode::sampled)
                                       : search_mode(run_, options_.search.beam);
}

bool Translator::links_or_weights_in_line() const {
  return options_.alignment == AlignmentFormat::hard || options_.alignment == AlignmentFormat::soft;
}

std::vector<std::string> Translator::answers(const std::vector<Numbered>& lines) {
  std::vector<data::EncodedPair> encoded;  // the lines that are not blank
  std::vector<std::size_t> numbers;        // their numbers
  for (const auto& [id, source] : lines) {
    if (answered_blank(source)) continue;
    encoded.push_back(apps::encoded(source));
    numbers.push_back(id);
  }
  const models::Seq2Seq& model = continued_ ? *continued_ : *run_.model;
  const auto found = options_.sampling.samples > 0
                         ? sample(model, encoded, numbers, options_.sampling, options_.seed)
                         : search(model, run_.params, encoded, options_.search, options_.batch, {},
                                  options_.faster.shortlist ? &*options_.faster.shortlist : nullptr);
  std::vector<std::string> texts;
  Counts counts = counts_;
  TranslationRecords records;
  auto next = found.begin();
  for (const auto& [id, source] : lines)
    texts.push_back(answered_blank(source) ? blank_answer(source, id) : answer(source, *next++, id, counts, records));
  counts_ = counts;
  std::move(records.for_drawing.begin(), records.for_drawing.end(), std::back_inserter(records_.for_drawing));
  std::move(records.for_page.begin(), records.for_page.end(), std::back_inserter(records_.for_page));
  for (const auto& line : lines) unknown_.add_source(line.source.words);
  return texts;
}

void Translator::add_answers(const std::vector<InputLine>& lines, const std::string& input_name, std::size_t id,
                             std::string& text, UntranslatedLines& problems) {
  std::vector<std::string> texts(lines.size());
  std::vector<Numbered> sources;
  const auto refuse = [&](std::size_t number, const std::string& message) {
    problems.add(number, message);
    texts[number - id] = unanswered(lines[number - id].text, number);
  };
  const auto placed = [&](std::size_t number, const std::exception& problem) {
    const auto* const refused = dynamic_cast<const std::bad_alloc*>(&problem);
    return fmt::format("{}:{}: {}", input_name, number + 1, refused ? describe_refusal(*refused) : problem.what());
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].problem.empty()) {
      refuse(id + i, lines[i].problem);
      continue;
    }
    try {
      sources.push_back({id + i, read(lines[i].text)});
    } catch (const std::exception& problem) {
      refuse(id + i, placed(id + i, problem));
    }
  }
  const auto translate = [&](const std::vector<Numbered>& some) {
    std::vector<std::string> found = answers(some);
    for (std::size_t i = 0; i < some.size(); ++i) texts[some[i].id - id] = std::move(found[i]);
  };
  bool together = true;
  try {
    translate(sources);
  } catch (const std::exception&) {
    together = false;  // one line fails, but it is unknown which one
  }
  for (std::size_t i = 0; !together && i < sources.size(); ++i) {
    try {
      translate({sources[i]});
    } catch (const std::exception& problem) {
      refuse(sources[i].id, placed(sources[i].id, problem));
    }
  }
  for (const std::string& one : texts) text += one;
}

std::string Translator::blank_answer(const SourceText& source, std::size_t id) const {
  if (options_.drawing_only) return "";
  data::Record record = data::blank_record(id);
  record.mode = mode();
  record.source_original = data::Original{source.line, {}};
  record.target_original = data::Original{"", {}};
  record.unknown.emplace();
  std::string text;
  for (; record.rank < std::max<std::size_t>(1, options_.sampling.samples); ++record.rank) {
    std::string line = links_or_weights_in_line() ? " ||| " : "";
    if (is_list()) line = fmt::format("{} ||| {} ||| 0", id, line);
    text +=
        (options_.alignment == AlignmentFormat::jsonl ? on_screen(format_record(record, AlignmentFormat::jsonl, style_))
                                                      : line + "\n") +
        with_tokens(record);
  }
  return text;
}

std::string Translator::unanswered(const std::string& line, std::size_t id) const {
  SourceText source;
  source.line = line;
  return blank_answer(source, id);
}

std::string Translator::answer(const SourceText& source, std::vector<models::Hypothesis> found, std::size_t id,
                               Counts& counts, TranslationRecords& records) {
  std::string text;
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    const bool every_head = options_.alignment == AlignmentFormat::jsonl || options_.for_page;
    if (every_head && !add_self_attention(found[rank], run_, source)) ++counts.without_self_attention;
    data::Record record = hypothesis_record(run_, source, found[rank], mode(), id, rank);
    counts.unknown_written +=
        static_cast<std::size_t>(std::count(record.target.begin(), record.target.end(), data::unk_token));
    replace_unknown(record, options_.unknown);
    counts.cut += !record.target_eos;
    const data::Tokens words = written(run_, source, record, options_.capitals);
    data::Original sentence = placed_sentence(run_, words);
    add_text(record, run_, source, sentence);
    if (rank == 0 && options_.for_page) records.for_page.push_back(record);
    if (options_.alignment == AlignmentFormat::svg) records.for_drawing.push_back(shown(record));
    if (options_.drawing_only) continue;
    const std::string tokens = with_tokens(record);
    if (options_.alignment == AlignmentFormat::jsonl) {
      text += on_screen(format_record(shown(std::move(record)), AlignmentFormat::jsonl, style_)) + tokens;
      continue;
    }
    if (options_.tokenized) sentence = {data::join_words(words), {}};
    std::string line = links_or_weights_in_line() ? aligned_line(record, words) : sentence.line;
    if (is_list()) line = list_entry(id, line, words, found[rank].score);
    text += on_screen(line) + "\n";
    if (options_.alignment == AlignmentFormat::plot)
      text += format_record(shown(std::move(record)), AlignmentFormat::plot, style_);
    text += tokens;
  }
  return text;
}

data::Record Translator::shown(data::Record record) const {
  if (!counts_words(options_.units, *options_.alignment)) return record;
  record = data::over_original_words(std::move(record), data::NoLine::tokens_are_words);
  complete(record);  // the links must belong to the shown weights
  return record;
}

std::string Translator::aligned_line(data::Record record, const data::Tokens& words) const {
  if (options_.tokenized) {
    data::Original& line = record.target_original.emplace();
    line.line = data::detokenize(words, {data::Tokenization::none}, &line.spans);
  }
  if (counts_words(options_.units, *options_.alignment))
    record = data::over_original_words(std::move(record), data::NoLine::tokens_are_words);
  else record.target = words;
  std::string line = format_record(record, *options_.alignment, style_);
  line.pop_back();
  return line;
}

std::string Translator::with_tokens(const data::Record& record) const {
  if (options_.units.tokens.empty()) return "";
  return tokens_mark + line_of_tokens(record) + tokens_mark;
}

void Translator::note_unknown(const std::string& line) {
  try {
    unknown_.add_source(read(line).words);
  } catch (const std::exception&) {  // the line was not translated, so it does not count
  }
}

void Translator::gather(const ProcessGroup& processes) {
  const std::vector<std::string> all = all_gather(processes, [&] {
    Packer packed;
    packed(counts_);
    return packed.take();
  });
  counts_ = {};
  for (const std::string& one : all) {
    const auto theirs = Unpacker(one).next<Counts>();
    counts_.cut += theirs.cut;
    counts_.without_self_attention += theirs.without_self_attention;
    counts_.unknown_written += theirs.unknown_written;
  }
}

void Translator::print_notes() {
  const std::string unknown = unknown_.take_of_translation();
  report("{}", unknown);
  if (const auto written = std::exchange(counts_.unknown_written, 0U);
      options_.unknown.replace && !unknown.empty() && written == 0)
    report("note: --replace-unknown replaced nothing, because the model wrote no <unk>\n");
  const std::string note = note_of_self_attention(run_, std::exchange(counts_.without_self_attention, 0));
  if (!note.empty()) report("note: {}\n", note);
}

void Translator::print_notes_of_stream() const {
  if (counts_.cut > 0)
    report(
        "note: {} {}{} cut at the length limit, before the model ended {}. The key eos of jsonl records shows this\n",
        counts_.cut, continued_ ? "text" : "translation", counts_.cut == 1 ? " was" : "s were",
        counts_.cut == 1 ? "it" : "them");
  if (with_tab_ > 0)
    report(
        "note: {} contain{} a tab and {} read as one sentence{}. If this is a TSV file, give only one column, for "
        "example with cut -f1\n",
        with_tab_ == 1 ? "1 line" : fmt::format("{} lines", with_tab_), with_tab_ == 1 ? "s" : "",
        with_tab_ == 1 ? "was" : "were", with_tab_ == 1 ? "" : " each");
}

}  // namespace softalign::apps
