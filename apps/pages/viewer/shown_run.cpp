#include "apps/pages/viewer/shown_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "apps/inference/align_pairs.h"
#include "apps/inference/answers.h"
#include "apps/inference/interventions.h"
#include "apps/pages/picture.h"
#include "apps/run/corpus_files.h"
#include "apps/run/output_folder.h"
#include "apps/run/run_folder.h"
#include "apps/run/run_text.h"
#include "apps/terminal/progress.h"
#include "apps/training/metrics.h"
#include "data/alignment/record_json.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/sentence_pairs/sentence_pairs.h"
#include "data/stories/story_corpus.h"

namespace softalign::apps {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_with_scores = 32;  // sentences of a page

// Sets the source of a story or of two sentences, in the form that the run reads.
void set_parts(data::Pair& pair, const data::Record& r, const TrainOptions& options) {
  const std::string where = fmt::format("record {}", r.id);
  pair.source.clear();
  if (task_of(options).source == Source::story) {
    data::set_story(pair, r.source, r.question.value_or(""), tokenizer(options), where);
    return;
  }
  const auto mark = std::find(r.source.begin(), r.source.end(), data::pair_mark);
  const data::Tokens premise(r.source.begin(), mark), hypothesis(mark + (mark != r.source.end()), r.source.end());
  data::set_premise(pair, data::join_words(premise), data::join_words(hypothesis), {}, where);
}

RecordLine line_of(const data::Record& r, const std::optional<LoadedRun>& run, std::string json) {
  data::Pair pair{r.source, r.target, r.gold, r.tags, 0};
  if (r.source_original) pair.source_line = r.source_original->line;
  if (r.target_original) pair.target_line = r.target_original->line;
  const std::string source = source_text(r);
  if (run && task_of(run->options).one_word) {
    set_parts(pair, r, run->options);
  } else if (r.source_kind != data::SourceKind::words) {
    pair.places = pair.source;
    pair.source = r.source_kind == data::SourceKind::cells ? data::Tokens{} : data::split_words(source);
  }
  return {std::move(json), std::move(pair), r.id, r.rank, source, r.intervention.has_value()};
}
RecordLine line_of(const data::Record& record, const std::optional<LoadedRun>& run) {
  const bool attends = !record.weights.matrix.empty() || record.target.empty();
  return line_of(record, run, attends ? data::to_json(record) : data::json_without_weights(record).dump());
}

RecordLines records_of(const std::string& path, const std::optional<LoadedRun>& run, std::vector<std::string> texts) {
  RecordLines lines;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (data::is_blank(texts[i])) continue;  // earlier releases wrote this for a blank line
    const auto [record, known] = data::with_json_from(texts[i], fmt::format("{}:{}", path, i + 1));
    if (record.weights.matrix.empty()) {
      if (record.target.empty()) continue;  // a blank line has nothing to show
      throw data::Error(
          data::ErrorKind::bad_data,
          fmt::format("{}:{}: the record has no attention weights, so there is nothing to show", path, i + 1));
    }
    const std::size_t rows = record.target.size() + record.target_eos,
                      columns = record.source.size() + record.source_eos;
    for (const data::Head& head : record.weights.heads)
      if (head.kind == data::HeadKind::self && head.matrix.size() != rows && head.matrix.size() != columns)
        throw data::Error(
            data::ErrorKind::damaged_file,
            fmt::format("{}:{}: a head of kind self has {} rows, but the target has {} tokens and the source {}", path,
                        i + 1, head.matrix.size(), rows, columns));
    lines.push_back(line_of(record, run, known.dump()));
  }
  return lines;
}

RecordLines read_lines_of(const std::string& path, const std::optional<LoadedRun>& run) {
  if (!data::exists(path) || fs::is_empty(path)) return {};
  return records_of(path, run, data::read_lines(path));
}

// Adds a line only if it belongs to the first sentence with this source. A source can come again, for example a picture
// with several captions.
void add_first(RecordLines& lines, const RecordLine& line) {
  if (lines.empty() || lines.front().id == line.id) lines.push_back(line);
}

template <class Lines>
RecordLines find(const Lines& lines, const std::string& key) {
  const auto found = lines.find(key);
  return found == lines.end() ? RecordLines{} : found->second;
}

std::string describe(const std::optional<LoadedRun>& run) {
  if (!run) return "";
  const models::ModelOptions& model = run->options.model;
  if (!task_of(run->options).has_source()) return fmt::format("{}, {} units", model.model, model.hidden);
  const bool transformer = model.model == "transformer";
  if (model.model == "memory-network")
    return fmt::format("{}, {} hops, {} units", model.model, model.hops, model.embedding);
  const std::string made = transformer
                               ? fmt::format("{} x {} heads", model.layers, model.heads)
                               : fmt::format("{} attention, {}", has_attention(*run) ? name_of(*model.attention) : "no",
                                             name_of(model.cell));
  const bool usual = model.encoder == (transformer ? "transformer" : name_of(model.cell));
  return fmt::format("{}{}, {}, {} units", model.model, usual ? "" : ", encoder " + model.encoder, made, model.hidden);
}

// Returns what the page needs to write the formula of the scores e_ij: their kind, and the query, which is compared
// with the encoder outputs. Returns null for a model whose attention has another form.
nlohmann::ordered_json score_of(const std::optional<LoadedRun>& run) {
  if (!run || !run->options.model.attention) return nullptr;
  const models::ModelOptions& model = run->options.model;
  const bool previous = model.model == "rnnsearch";
  if ((!previous && model.model != "luong") || *model.attention == layers::ScoreKind::none) return nullptr;
  const char* query = !previous ? "state" : model.query_word ? "previous state and word" : "previous state";
  return {{"kind", name_of(*model.attention)}, {"query", query}, {"scaled", model.scale}, {"coverage", model.coverage}};
}

// Returns true if there is a model that can read the source. It cannot read a picture that only a record describes, or
// a picture of another size than the model reads.
bool can_read(const std::optional<LoadedRun>& run, const data::Pair& pair) {
  if (!run) return false;
  if (!pair.picture) return pair.places.empty() || !pair.parts.empty();
  const data::PictureOptions its = picture_options(run->options.model);
  return pair.picture->height == its.height && pair.picture->width == its.width;
}

}  // namespace

// Returns a text that identifies the source of a record. The cells of all pictures have the same names. If a record has
// no image, the number of the record distinguishes the picture.
std::string source_text(const data::Record& r) {
  if (r.source_kind == data::SourceKind::cells) return r.source_image.value_or(fmt::format("picture {}", r.id + 1));
  const std::string source = data::join_source(r);
  return r.source_kind == data::SourceKind::sentences && r.question ? source + " | " + *r.question : source;
}

std::string source_text(const data::Pair& pair) {
  if (pair.picture) return data_address(*pair.picture);
  if (pair.question.empty()) return data::join_words(places_of(pair));
  return fmt::format("{} | {}", fmt::join(pair.places, " | "), pair.question);
}

std::string noun_of(const std::vector<Sentence>& sentences, std::size_t count) {
  const auto all = [&](bool (*is)(const data::Pair&)) {
    return std::all_of(sentences.begin(), sentences.end(), [&](const Sentence& s) { return is(s.pair); });
  };
  if (all(is_story)) return count == 1 ? "story" : "stories";
  return std::string(all(is_picture) ? "picture" : "sentence") + (count == 1 ? "" : "s");
}

bool is_picture(const data::Pair& pair) { return pair.picture || (!pair.places.empty() && pair.source.empty()); }

bool is_story(const data::Pair& pair) {
  return !pair.question.empty() || (!is_picture(pair) && !pair.places.empty() && pair.parts.empty());
}

bool is_record_file(const std::string& path) { return path == "-" || (data::exists(path) && !fs::is_directory(path)); }

std::string run_name(const std::string& path) {
  if (path == "-") return "standard input";
  const fs::path clean = fs::absolute(path).lexically_normal();
  return (clean.has_filename() ? clean : clean.parent_path()).filename().string();
}

RunView::RunView(const std::string& path, std::function<void(const std::string&)> report, const MatrixChoice& matrix)
    : report_(std::move(report)), folder_{path} {
  if (is_record_file(path)) {
    add_alignments(records_of(path, model_, data::read_lines(path)));
    return;
  }
  check_is_run(path);
  check_regular_files(folder_);
  if (data::exists(folder_.model())) {
    model_ = load_run(path);
    apply(matrix, *model_, path);
  }
  history_ = records_of(folder_.history(), model_, read_journal(folder_.history()));
  for (const RecordLine& line : history_) {
    history_by_pair_[pair_key(line)].push_back(line);
  }
  add_alignments(read_lines_of(folder_.alignments(), model_));
  for (const RecordLine& line : read_lines_of(folder_.beam(), model_)) {
    add_first(beams_by_source_[line.source], line);
  }
  std::size_t left_out = 0;
  for (const RecordLine& line : read_lines_of(folder_.interventions(), model_)) {
    if (line.changed) add_first(interventions_by_source_[line.source], line);
    else ++left_out;
  }
  if (left_out > 0)
    add_note(
        fmt::format("the page leaves out {} records of interventions.jsonl, because they contain no intervention. "
                    "align --intervene all --out {} writes interventions",
                    left_out, folder_.interventions()));
}

void RunView::add_alignments(RecordLines lines) {
  for (RecordLine& line : lines) {
    if (line.rank > 0) {
      add_first(beams_by_source_[line.source], line);
      continue;
    }
    alignments_by_pair_[pair_key(line)] = {line};
    alignments_by_source_[line.source].push_back(line);
    alignments_.push_back(std::move(line));
  }
}

void RunView::say(const std::string& what) const {
  if (report_) report_(fmt::format("{}: {}", run_name(folder_.path), what));
}

void RunView::add_note(const std::string& what) {
  notes_.push_back(fmt::format("{}: {}", run_name(folder_.path), what));
}

// A run may have another answer for a picture or a story than the page, but it must have exactly one.
RecordLines RunView::said_of(const Sentence& sentence) const {
  RecordLines said = find(alignments_by_source_, sentence.source);
  return said.size() == 1 ? said : RecordLines{};
}

std::vector<std::optional<RecordLine>> RunView::records(const std::vector<Sentence>& sentences, bool fresh,
                                                        AttentionDetail detail) const {
  std::vector<std::optional<RecordLine>> records(sentences.size());
  std::vector<std::size_t> tracked, of_corpus;  // indices of sentences without a record in the folder
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const std::string key = pair_key(sentences[i]);
    RecordLines kept = fresh ? RecordLines{} : find(alignments_by_pair_, key);
    const bool readable = can_read(model_, sentences[i].pair);
    if (kept.empty() && !readable) kept = find(history_by_pair_, key);
    if (kept.empty() && !readable && !sentences[i].pair.places.empty()) kept = said_of(sentences[i]);
    if (!kept.empty()) {
      records[i] = kept.back();
    } else if (readable) {
      (sentences[i].tracked ? tracked : of_corpus).push_back(i);
    }
  }
  if (!model_) return records;
  // Scores are written with all digits, so a page with many scores would be several times as large.
  const auto scored = [&](std::size_t place) {
    return sentences[place].tracked && place < most_with_scores && model_->source_segmenter.whole_words();
  };
  // Tracked sentences are aligned separately. Then the corpus has the same batches as in `align`, and its weights are
  // equal to the weights from `align` to the last digit.
  for (const std::vector<std::size_t>& places : {tracked, of_corpus}) {
    std::vector<data::Pair> pairs;
    for (const std::size_t place : places) pairs.push_back(sentences[place].pair);
    if (!pairs.empty()) say(fmt::format("aligning {} pairs", format_count(pairs.size())));
    align_pairs(*model_, folder_.path, pairs, Units::words, detail, [&](data::Record record) {
      const std::size_t done = record.id + 1, place = places[record.id];
      if (done % 1000 == 0) say(fmt::format("{} of {} aligned", format_count(done), format_count(pairs.size())));
      if (scored(place)) add_scores(record, *model_, encode(*model_, {pairs[record.id]}).front());
      record.id = sentences[place].id;
      records[place] = line_of(record, model_);
    });
  }
  return records;
}

std::vector<RecordLines> RunView::beams(const std::vector<Sentence>& sentences) {
  std::vector<RecordLines> beams;
  std::vector<SourceText> sources;
  std::vector<data::EncodedPair> texts;
  std::vector<std::size_t> places;
  for (const Sentence& sentence : sentences) {
    beams.push_back(find(beams_by_source_, sentence.source));
    if (!beams.back().empty() || !can_read(model_, sentence.pair) || !task_of(model_->options).has_source()) continue;
    sources.push_back(source_of(*model_, sentence.pair));
    texts.push_back(encoded(sources.back()));
    places.push_back(beams.size() - 1);
  }
  if (sources.empty()) return beams;
  say(fmt::format("searching for other {} of {} {}", task_of(model_->options).targets, sources.size(),
                  noun_of(sentences, sources.size())));
  constexpr std::size_t n = 5;
  std::size_t left_out = 0;
  models::BeamOptions options{.beam = n, .n_best = n};
  options.at_most = most_caption_words(model_->options);
  auto found = task_of(model_->options).one_word ? find_answers(*model_, texts, n)
                                                 : search(*model_->model, model_->params, texts, options);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (std::size_t rank = 0; rank < found[i].size(); ++rank) {
      const data::DecodingMode mode = record_mode(*model_, data::DecodingMode::beam);
      if (!add_self_attention(found[i][rank], *model_, sources[i])) ++left_out;
      const std::size_t id = sentences[places[i]].id;
      beams[places[i]].push_back(line_of(complete_record(*model_, sources[i], found[i][rank], mode, id, rank), model_));
    }
  }
  if (left_out > 0) add_note(note_of_self_attention(*model_, left_out));
  return beams;
}

RecordLine RunView::line(const data::Record& record) const { return line_of(record, model_); }

RecordLine RunView::own(data::Record record) const {
  if (model_->source_segmenter.whole_words() && !record.weights.matrix.empty()) {
    const data::Pair pair{record.source, record.target, {}, {}, 0};
    add_scores(record, *model_, encode(*model_, {pair}).front());
  }
  return line_of(record, model_);
}

std::vector<RecordLines> RunView::intervene(const std::vector<Sentence>& sentences, std::uint64_t seed) {
  std::vector<RecordLines> found;
  const bool whole = model_->source_segmenter.whole_words();
  if (!whole || !model_->model->decoder().has_scores()) {
    add_note(whole
                 ? "on the page you cannot change the attention, because the model has no attention that can be changed"
                 : "on the page you cannot change the attention, because the run splits words into subwords");
    return found;
  }
  std::vector<data::Pair> pairs;
  for (const Sentence& sentence : sentences) pairs.push_back(sentence.pair);
  say(fmt::format("changing the attention of {} sentence{}, step by step", pairs.size(), pairs.size() == 1 ? "" : "s"));
  InterventionOptions all;
  all.kind = "all";
  softalign::apps::intervene(*model_, all, pairs, seed, true, [&](const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
      lines.push_back(text.substr(begin, end - begin));
    for (RecordLine& line : records_of("interventions", model_, std::move(lines))) {
      if (found.size() <= line.id) found.resize(line.id + 1);
      found[line.id].push_back(std::move(line));
    }
  });
  return found;
}

RecordLines RunView::epochs(const Sentence& sentence) const { return find(history_by_pair_, pair_key(sentence)); }

RecordLines RunView::interventions(const Sentence& sentence) const {
  return find(interventions_by_source_, sentence.source);
}

nlohmann::ordered_json RunView::description() const {
  nlohmann::ordered_json json{{"name", run_name(folder_.path)},
                              {"about", describe(model_)},
                              {"score", score_of(model_)},
                              {"kept_epoch", nullptr}};
  json["metrics"] = nlohmann::ordered_json::array();
  // An answer is one word, so its BLEU is always 0 and is left out.
  const bool of_one_word =
      model_ ? task_of(model_->options).one_word : !alignments_.empty() && is_story(alignments_.front().pair);
  if (is_record_file(folder_.path)) return json;
  for (const CurvePoint& point : read_curve(folder_.metrics())) {
    nlohmann::ordered_json shown{{"epoch", point.epoch}, {"loss", point.loss}, {"bleu", nullptr},
                                 {"exact", nullptr},     {"aer", nullptr},     {"accuracy", nullptr}};
    if (point.bleu && !of_one_word) shown["bleu"] = *point.bleu;
    if (point.exact && of_one_word) shown["exact"] = *point.exact;
    if (point.accuracy) shown["accuracy"] = *point.accuracy;
    else if (point.aer) shown["aer"] = *point.aer;
    json["metrics"].push_back(std::move(shown));
    if (point.best) json["kept_epoch"] = point.epoch;
  }
  return json;
}

}  // namespace softalign::apps
