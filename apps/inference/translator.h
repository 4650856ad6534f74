// This file translates lines of text into text to print. Each line gets one answer, even if it cannot be translated.
// The answer may contain the attention, several translations, or a JSON record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/inference/alignment_format.h"
#include "apps/inference/decoding.h"
#include "apps/inference/truecase.h"
#include "apps/inference/unknown_words.h"
#include "apps/run/run_folder.h"
#include "apps/run/run_text.h"
#include "apps/scatter_gather/scatter_gather.h"
#include "apps/terminal/heatmap.h"
#include "data/alignment/record.h"
#include "models/search/beam_search.h"
#include "models/search/sampling.h"

namespace softalign::apps {

struct TranslatorOptions {
  std::optional<AlignmentFormat> alignment;  // form in which an answer shows the attention
  bool drawing_only = false;                 // only the drawing (svg) is printed, and no translations
  bool for_page = false;                     // keep records for a page
  Capitals capitals = Capitals::none;
  UnitOptions units;
  models::BeamOptions search;
  models::SamplingOptions sampling = {.samples = 0};  // 0 samples: beam search
  UnknownWords unknown;
  Faster faster;
  std::size_t batch = 32, max_length = 0;
  bool tokenized = false;
  std::uint64_t seed = 1;
};

// InputLine has the text of one line of the input, without the newline. If the line cannot be read, `problem` says why.
// Otherwise `problem` is "".
struct InputLine {
  std::string text, problem;
};
// Creates the InputLine of line `id`, which counts from 0. `line` ends with a newline, but the last line of the input
// may have none.
InputLine input_line(std::string line, const std::string& input_name, std::size_t id);

// UntranslatedLines counts the lines that could not be translated, and keeps the messages of the first ones.
class UntranslatedLines {
 public:
  void add(std::size_t id, const std::string& message) { ++count_, keep(id, message); }
  // Adds the lines that the other processes could not translate.
  void gather(const ProcessGroup& processes);
  // Throws data::Error if lines could not be translated, or if `last` says why the input ended early. `lines` is the
  // number of all lines.
  void report(std::size_t lines, const std::string& last = "") const;

 private:
  void keep(std::size_t id, const std::string& message);

  std::size_t count_ = 0;
  std::map<std::size_t, std::string> first_;  // the number of a line and its message
};

class Translator {
 public:
  // `run` and `style` must outlive the translator.
  Translator(const LoadedRun& run, const TranslatorOptions& options, const HeatmapStyle& style);

  struct Numbered {
    std::size_t id;  // number of the line, from 0
    SourceText source;
  };

  // Splits a line into the words and ids that the model reads. Throws data::Error if the line is too long.
  SourceText read(const std::string& line) const;

  // Translates the lines, and returns the text to print for each of them. It also counts what print_notes() reports,
  // for example unknown words. If this function throws an exception, it counts nothing.
  std::vector<std::string> answers(const std::vector<Numbered>& lines);

  // Adds one answer per line to `text`. If a line cannot be translated, its answer is blank, and the other lines are
  // still translated. `id` is the number of the first line.
  void add_answers(const std::vector<InputLine>& lines, const std::string& input_name, std::size_t id,
                   std::string& text, UntranslatedLines& problems);

  // TranslationRecords has the records of the translations so far. One list is for a drawing of all records (svg), and
  // one is for a page of the viewer.
  struct TranslationRecords {
    std::vector<data::Record> for_drawing, for_page;
  };
  const TranslationRecords& records() const { return records_; }

  // Collects the unknown words of a line that another process translates, because only this process prints the note
  // about unknown words.
  void note_unknown(const std::string& line);
  void note_tab(const std::string& line) { with_tab_ += line.find('\t') != std::string::npos; }
  // Adds the counts of the other processes.
  void gather(const ProcessGroup& processes);
  // print_notes() prints notes about the lines since its last call. print_notes_of_stream() prints notes about all
  // lines.
  void print_notes();
  void print_notes_of_stream() const;

 private:
  struct Counts {
    std::size_t cut = 0;                     // translations that end at the length limit
    std::size_t without_self_attention = 0;  // records whose translation has more tokens than the model has positions
    std::size_t unknown_written = 0;         // translated words that are <unk>, before --replace-unknown
  };
  std::size_t asked() const { return options_.max_length > 0 ? options_.max_length : run_.options.max_length; }
  std::size_t longest() const;
  void check_length(const SourceText& source) const;
  // Returns true if the answer is blank because the source has no words. A language model continues even an empty text.
  bool answered_blank(const SourceText& source) const { return source.words.empty() && !continued_; }
  data::DecodingMode mode() const;
  bool is_list() const { return options_.sampling.samples > 1 || options_.search.n_best > 1; }
  bool links_or_weights_in_line() const;
  // Returns the text to print for a source without words. It has an empty translation, and the format of other answers.
  std::string blank_answer(const SourceText& source, std::size_t id) const;
  // Returns the text to print for a line that cannot be translated. So the output has one answer per input line.
  std::string unanswered(const std::string& line, std::size_t id) const;
  std::string answer(const SourceText& source, std::vector<models::Hypothesis> found, std::size_t id, Counts& counts,
                     TranslationRecords& records);
  // Returns the record that the user sees. The option --over decides whether positions in it mean words of the user's
  // lines or tokens of the model.
  data::Record shown(data::Record record) const;
  // Returns an answer in the format of the program Marian, without a line end: the translation, and then its links or
  // weights. Their positions mean words of the lines, or tokens of the model with --over tokens.
  std::string aligned_line(data::Record record, const data::Tokens& words) const;
  // Returns the line of this record for the file that --tokens names. A mark (tokens_mark) precedes and follows the
  // line. Returns "" if the user does not give --tokens.
  std::string with_tokens(const data::Record& record) const;

  const LoadedRun& run_;
  TranslatorOptions options_;
  const HeatmapStyle& style_;
  std::unique_ptr<models::Seq2Seq> continued_;  // a language model that continues each line; null for translation
  UnknownNote unknown_;
  Counts counts_;
  std::size_t with_tab_ = 0;  // number of lines that contain a tab
  TranslationRecords records_;
};

}  // namespace softalign::apps
