#include "data/stories/story_corpus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "data/corpus/columns.h"
#include "data/io/fields.h"
#include "data/io/files.h"
#include "data/io/unicode.h"

namespace softalign::data {

namespace {

constexpr const char* bar = "|";

void add_part(Pair& pair, const Tokens& words, const char* what, std::size_t number, const std::string& where) {
  if (words.empty())
    fail(where, fmt::format("{}{} has no words", what, number > 0 ? fmt::format(" {}", number) : std::string()));
  pair.source.insert(pair.source.end(), words.begin(), words.end());
  pair.parts.push_back(words.size());
}

// parse_sentences reads the numbers of sentences. Each of these sentences has a sure link to the answer.
Gold parse_sentences(const std::string& text, std::size_t sentences, std::size_t first, const std::string& where) {
  Gold gold;
  for (const std::string& word : split_words(text)) {
    const auto given = data::number<std::size_t>(word);
    if (!given || *given < first || *given - first >= sentences)
      fail(where,
           fmt::format(
               "{} is not the number of a sentence of the story. Write numbers from {} to {}, separated by spaces",
               in_quotes(word), first, first + sentences - 1));
    gold.sure.push_back({*given - first, 0});
  }
  std::sort(gold.sure.begin(), gold.sure.end());
  if (std::adjacent_find(gold.sure.begin(), gold.sure.end()) != gold.sure.end())
    fail(where, fmt::format("gold {} names a sentence twice", in_quotes(text)));
  return gold;
}

}  // namespace

void set_story(Pair& pair, const std::vector<std::string>& sentences, const std::string& question,
               const Tokenize& tokenize, const std::string& where) {
  if (sentences.empty()) fail(where, "a story without a sentence");
  const auto words_of = [&](const std::string& text) { return tokenize ? tokenize(text) : split_words(text); };
  for (const std::string& sentence : sentences) {
    add_part(pair, words_of(sentence), "sentence", pair.parts.size() + 1, where);
    pair.places.push_back(join_words(split_words(sentence)));
  }
  add_part(pair, words_of(question), "the question", 0, where);
  pair.question = join_words(split_words(question));
}

Corpus read_stories(const std::string& path, const CorpusOptions& options) {
  const RowForm form{3, "the form must be sentence | sentence<TAB>question<TAB>answer[<TAB>gold[<TAB>tags]]",
                     "stories"};
  Corpus read = read_rows(read_lines(path), path, options, form, [&](Row& row, Corpus& corpus) {
    const std::vector<std::string>& columns = row.columns;
    Pair& pair = row.pair;
    if (is_blank(corpus, columns, form.sides, pair.line, options.blank)) return false;
    set_story(pair, split_fields(columns[0], bar), columns[1], options.source, row.where);
    pair.target = answer_of(columns[2], options.target, "answer", row.where);
    if (is_dropped(corpus, pair.source.size(), options, "story", row.where)) return false;
    if (!split_words(columns[3]).empty())
      pair.gold = parse_sentences(columns[3], pair.places.size(), options.first_word, row.where);
    return true;
  });
  note_index_base(read, path, options.first_word, "sentence");
  return read;
}

std::string format_story(const std::vector<Tokens>& sentences, const Tokens& question, const std::string& answer,
                         const std::vector<std::size_t>& gold) {
  std::vector<std::string> texts;
  for (const Tokens& sentence : sentences) texts.push_back(join_words(sentence));
  return fmt::format("{}\t{}\t{}\t{}", fmt::join(texts, " | "), join_words(question), answer, fmt::join(gold, " "));
}

}  // namespace softalign::data
