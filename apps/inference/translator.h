// Translates lines of text into text to print: one answer per line, also for a line that cannot be translated. The
// answer may contain the attention, several translations, or a JSON record.
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
  std::optional<AlignmentFormat> alignment;  // what each answer shows of the attention
  bool drawing_only = false;                 // the drawing of the format svg is all that is printed
  bool for_page = false;                     // records are kept for a page
  Capitals capitals = Capitals::none;
  Over over;
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
// `line` has its end, if it had one; `id` counts from 0.
InputLine input_line(std::string line, const std::string& input_name, std::size_t id);

// Lines that could not be translated: the messages of the first ones, and how many there are.
class UntranslatedLines {
 public:
  void add(std::size_t id, const std::string& message) { ++count_, keep(id, message); }
  // Adds those of the other processes.
  void gather(const ProcessGroup& processes);
  // Throws std::runtime_error if there are any. `lines` is the number of lines; `last` is what ended the input early.
  void report(std::size_t lines, const std::string& last = "") const;

 private:
  void keep(std::size_t id, const std::string& message);

  std::size_t count_ = 0;
  std::map<std::size_t, std::string> first_;  // by the line's number
};

class Translator {
 public:
  // `run` and `style` must outlive the translator.
  Translator(const Run& run, const TranslatorOptions& options, const HeatmapStyle& style);

  struct Numbered {
    std::size_t id;  // number of the line, from 0
    SourceText source;
  };

  // Throws std::runtime_error for a line that is too long.
  SourceText read(const std::string& line) const;

  // The text to print for each of the lines. Notes count them if it throws nothing.
  std::vector<std::string> answers(const std::vector<Numbered>& lines);

  // Adds an answer per line to `text`. If a line cannot be translated, its answer is blank and all others are
  // translated. `id` is the number of the first line.
  void add_answers(const std::vector<InputLine>& lines, const std::string& input_name, std::size_t id,
                   std::string& text, UntranslatedLines& problems);

  // The records of the translations so far, for a drawing and for a page, if there is to be one.
  struct Kept {
    std::vector<data::Record> for_drawing, for_page;
  };
  const Kept& kept() const { return kept_; }

  // Words of a line that another process answers and that the vocabulary does not have.
  void note_unknown(const std::string& line);
  void note_tab(const std::string& line) { with_tab_ += line.find('\t') != std::string::npos; }
  // Adds what the other processes counted.
  void gather(const ProcessGroup& processes);
  // Prints notes about the lines since the last notes, and about all lines.
  void print_notes();
  void print_notes_of_stream() const;

 private:
  struct Counts {
    std::size_t cut = 0;                     // translations that end at the length limit
    std::size_t without_self_attention = 0;  // records whose translation has more tokens than the model has positions
    std::size_t unknown_written = 0;         // <unk>, before --replace-unknown
  };
  std::size_t asked() const { return options_.max_length > 0 ? options_.max_length : run_.options.max_length; }
  std::size_t longest() const;
  void check_length(const SourceText& source) const;
  // A source without words has no translation. A language model continues it nevertheless.
  bool answered_blank(const SourceText& source) const { return source.words.empty() && !continued_; }
  data::DecodingMode mode() const;
  bool is_list() const { return options_.sampling.samples > 1 || options_.search.n_best > 1; }
  bool links_or_weights_in_line() const;
  // The text to print for a line without words: the empty translation in the form of the others.
  std::string blank_answer(const SourceText& source, std::size_t id) const;
  // The text to print for a line that cannot be translated, so that n lines give n lines.
  std::string unanswered(const std::string& line, std::size_t id) const;
  std::string answer(const SourceText& source, std::vector<models::Hypothesis> found, std::size_t id, Counts& counts,
                     Kept& kept);
  // The record as it is shown: over its tokens, or over the words of both lines.
  data::Record shown(data::Record record) const;
  // Marian's line without its end: what is printed without --alignment, or the tokens, and links or weights.
  std::string aligned_line(data::Record record, const data::Tokens& words) const;
  // The record's line in the file of --tokens, as `apart` takes it from what is printed; nothing without the option.
  std::string with_tokens(const data::Record& record) const;

  const Run& run_;
  TranslatorOptions options_;
  const HeatmapStyle& style_;
  std::unique_ptr<models::Seq2Seq> continued_;  // of a language model: what goes on with each line
  UnknownNote unknown_;
  Counts counts_;
  std::size_t with_tab_ = 0;  // lines
  Kept kept_;
};

}  // namespace softalign::apps
