#include "data/text/subwords.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

#include "data/corpus/vocabulary.h"
#include "data/io/error.h"
#include "data/io/files.h"

#ifndef SOFTALIGN_WITHOUT_SENTENCEPIECE
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>
#endif

namespace softalign::data {

namespace {

const std::string word_start = "\u2581";         // begins a word in SentencePiece
const std::string escaped_start = "\U000F2581";  // a word_start in the text, which SentencePiece would take for a space

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

#ifdef SOFTALIGN_WITHOUT_SENTENCEPIECE

struct Segmenter::Model {
  std::string bytes;
  Tokens subwords() const { return {}; }
  Tokens split(const std::string&) const { return {}; }
};

Segmenter Segmenter::train(const std::vector<Tokens>&, const SubwordOptions&) {
  throw Error(ErrorKind::unsupported_format,
              "--subwords needs SentencePiece, which this program was built without; train on words, or build it with "
              "-DSOFTALIGN_SENTENCEPIECE=ON");
}

Segmenter Segmenter::load(const std::string& path) {
  throw Error(ErrorKind::unsupported_format,
              fmt::format("{}: this run has subwords, and this program was built without SentencePiece, which splits "
                          "them. Use a run of words, or build the program with -DSOFTALIGN_SENTENCEPIECE=ON",
                          path));
}

#else

namespace {

// Sentences passes sentences to SentencePiece's trainer.
class Sentences : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(const std::vector<Tokens>& sentences) : sentences_(sentences) { join(); }
  bool done() const override { return at_ >= sentences_.size(); }
  void Next() override {
    ++at_;
    join();
  }
  const std::string& value() const override { return text_; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  void join() {
    if (!done()) text_ = replaced(join_words(sentences_[at_]), word_start, escaped_start);
  }
  const std::vector<Tokens>& sentences_;
  std::size_t at_ = 0;
  std::string text_;
};

}  // namespace

struct Segmenter::Model {
  sentencepiece::SentencePieceProcessor processor;
  std::string bytes;

  Tokens subwords() const {
    Tokens subwords;
    for (int id = 0; id < processor.GetPieceSize(); ++id)
      if (!processor.IsUnknown(id) && !processor.IsControl(id)) subwords.push_back(processor.IdToPiece(id));
    return subwords;
  }
  Tokens split(const std::string& word) const { return processor.EncodeAsPieces(word); }
};

Segmenter Segmenter::train(const std::vector<Tokens>& sentences, const SubwordOptions& options) {
  // With these arguments, the trainer leaves out no long lines and samples nothing. One thread adds in a fixed order.
  const std::unordered_map<std::string, std::string> arguments{
      {"model_type", options.model == SubwordModel::bpe ? "bpe" : "unigram"},
      {"vocab_size", fmt::format("{}", options.vocabulary_size)},
      {"hard_vocab_limit", "false"},
      {"character_coverage", "1"},
      {"normalization_rule_name", "identity"},
      {"max_sentence_length", "1000000000"},
      {"num_threads", "1"},
      {"minloglevel", "3"}};
  auto model = std::make_shared<Model>();
  Sentences iterator(sentences);
  auto status = sentencepiece::SentencePieceTrainer::Train(arguments, &iterator, &model->bytes);
  if (status.ok()) status = model->processor.LoadFromSerializedProto(model->bytes);
  if (!status.ok()) {
    throw Error(
        ErrorKind::bad_data,
        fmt::format("--subwords {}: so many subwords cannot be learned from {} sentences: {}. Use a smaller number",
                    options.vocabulary_size, sentences.size(), status.error_message()));
  }
  Segmenter segmenter;
  segmenter.model_ = std::move(model);
  return segmenter;
}

Segmenter Segmenter::load(const std::string& path) {
  auto model = std::make_shared<Model>();
  model->bytes = read_bytes(path);
  std::string problem;
  try {
    const auto status = model->processor.LoadFromSerializedProto(model->bytes);
    if (!status.ok()) problem = status.error_message();
  } catch (const std::exception&) {  // the dictionary in the library throws instead of returning a status
    problem = "its pieces cannot be looked up";
  }
  if (!problem.empty())
    throw Error(ErrorKind::damaged_file,
                fmt::format("{}: the file is not a SentencePiece model, or it is damaged: {}", path, problem));
  Segmenter segmenter;
  segmenter.model_ = std::move(model);
  return segmenter;
}

#endif

void Segmenter::save(const std::string& path) const {
  if (whole_words()) throw std::invalid_argument("Segmenter::save: whole words have no model");
  write_file(path, model_->bytes);
}

Tokens Segmenter::subwords() const {
  if (whole_words()) return {};
  Tokens subwords = model_->subwords();
  std::erase_if(subwords, is_special);  // text may be spelt like a special word
  return subwords;
}

Segments Segmenter::segment(const Tokens& words) const {
  Segments segments;
  if (whole_words()) {
    segments.subwords = words;
    segments.word.resize(words.size());
    std::iota(segments.word.begin(), segments.word.end(), std::size_t{0});
    return segments;
  }
  // No subword crosses the end of a word. Therefore the best subwords of the words are also the best subwords of the
  // sentence.
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = replaced(words[i], word_start, escaped_start);
    Tokens subwords = model_->split(word);
    if (subwords.empty()) subwords.push_back(word);
    for (std::string& subword : subwords) {
      segments.subwords.push_back(std::move(subword));
      segments.word.push_back(i);
    }
  }
  return segments;
}

Joined Segmenter::join(const Tokens& subwords) const {
  if (whole_words()) {
    const Segments same = segment(subwords);
    return {same.subwords, same.word};
  }
  Joined joined;
  bool begins = true;  // the next subword begins a word, even without a mark
  for (const std::string& subword : subwords) {
    const bool marked = subword.starts_with(word_start), unknown = subword == unk_token;
    const bool open = !joined.words.empty() && joined.words.back().empty();  // a mark began a word without text so far
    if ((begins || marked || unknown) && !open) joined.words.emplace_back();
    joined.words.back() += replaced(marked ? subword.substr(word_start.size()) : subword, escaped_start, word_start);
    joined.word.push_back(joined.words.size() - 1);
    begins = unknown;
  }
  if (joined.words.empty() || !joined.words.back().empty()) return joined;
  if (joined.words.size() == 1) {
    joined.words.back() = word_start;
    return joined;
  }
  joined.words.pop_back();
  for (std::size_t& word : joined.word) word = std::min(word, joined.words.size() - 1);
  return joined;
}

namespace {

constexpr std::string_view goes_on = "@@";  // ends a subword of subword-nmt

struct Marks {
  std::size_t words = 0, marked = 0;
};

Marks count(const std::vector<Pair>& pairs, std::string_view mark, bool begins) {
  Marks marks;
  for (const Pair& pair : pairs) {
    for (const std::string* line : {&pair.source_line, &pair.target_line}) {
      marks.words += 1 + static_cast<std::size_t>(std::count(line->begin(), line->end(), ' '));
      if (line->find(mark) == std::string::npos) continue;
      for (const std::string& word : split_words(*line))
        marks.marked += word.size() > mark.size() && (begins ? word.starts_with(mark) : word.ends_with(mark));
    }
  }
  return marks;
}

}  // namespace

std::string note_of_segments(const std::vector<Pair>& pairs) {
  for (const bool begins : {true, false}) {
    const Marks marks = count(pairs, begins ? std::string_view(word_start) : goes_on, begins);
    if (marks.marked == 0 || 100 * marks.marked < marks.words) continue;
    return fmt::format(
        "note: {} of some {} words {}: the text seems to be split into subwords already. Each subword is read as a "
        "word, also in links. Use the text before the split, with --tokenizer sentencepiece\n",
        marks.marked, marks.words, begins ? "begin with \u2581 (U+2581)" : "end in @@");
  }
  return "";
}

}  // namespace softalign::data
