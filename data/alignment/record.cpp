#include "data/alignment/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "data/alignment/argmax_links.h"
#include "data/pictures/captions.h"

namespace softalign::data {

namespace {

constexpr std::string_view before_image = "data:image/png;base64,";
constexpr std::string_view png_signature = "iVBORw0KGgo";  // in base64

// Base64 is defined in RFC 4648, section 4. Four characters stand for three bytes, and = signs fill up the last four.
bool is_base64(std::string_view text) {
  if (text.size() % 4 != 0) return false;
  for (std::size_t filled = 0; filled < 2 && !text.empty() && text.back() == '='; ++filled) text.remove_suffix(1);
  constexpr std::string_view known = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return text.find_first_not_of(known) == std::string_view::npos;
}

std::string problem_of_image(std::string_view image) {
  if (image.size() > longest_image)
    return fmt::format("source_image has {} bytes, and at most {} bytes are allowed. Make the picture smaller",
                       image.size(), longest_image);
  if (image.substr(0, before_image.size()) != before_image)
    return fmt::format("source_image is not a PNG file as a data URI, which starts with {}...", before_image);
  image.remove_prefix(before_image.size());
  if (!is_base64(image) || image.substr(0, png_signature.size()) != png_signature)
    return "source_image does not contain a PNG file in base64";
  return "";
}

std::string problem_of_grid(const Record& record) {
  const auto& [H, W] = *record.source_grid;
  if (H == 0 || W == 0 || H > most_cells || W > most_cells || H * W > most_cells)
    return fmt::format("source_grid is {} x {}, and the number of cells must be from 1 to {}", H, W, most_cells);
  if (record.source.size() != H * W)
    return fmt::format("there are {} source tokens, but source_grid has {} x {} cells", record.source.size(), H, W);
  const Tokens names = cell_names(record.source_grid->H, record.source_grid->W);
  for (std::size_t s = 0; s < names.size(); ++s) {
    if (record.source[s] != names[s])
      return fmt::format("source token {} is {}, but the name of this cell is {}", s, in_quotes(record.source[s]),
                         in_quotes(names[s]));
  }
  return "";
}

}  // namespace

std::string join_source(const Record& record) {
  return record.source_kind == SourceKind::sentences ? fmt::format("{}", fmt::join(record.source, " | "))
                                                     : join_words(record.source);
}

std::string problem_of_source(const Record& record) {
  const bool cells = record.source_kind == SourceKind::cells;
  const std::string kind = autograd::name_of(record.source_kind);
  if (record.source_kind != SourceKind::words && record.source_eos)
    return fmt::format("eos.source is true, but {} have no </s>", kind);
  if (record.source_grid && !cells)
    return fmt::format("source_grid belongs to the cells of a picture, but the source is {}", kind);
  if (record.source_image && !cells)
    return fmt::format("source_image belongs to the cells of a picture, but the source is {}", kind);
  if (cells && !record.source_grid) return "the source has the cells of a picture, but there is no source_grid";
  if (cells) {
    if (const std::string problem = problem_of_grid(record); !problem.empty()) return problem;
  }
  return record.source_image ? problem_of_image(*record.source_image) : "";
}

namespace {

// Each of the next functions returns a description of the problem, or an empty string.

// `past` is true for self-attention. There, a row may have no position to attend to, and all its weights are 0.
std::string problem_of_matrix(const Matrix& matrix, std::size_t rows, std::size_t columns, bool past = false) {
  if (matrix.size() != rows) return fmt::format("{} rows, but {} target tokens", matrix.size(), rows);
  const double rounding = 1e-5 + static_cast<double>(columns) * std::numeric_limits<float>::epsilon() / 2;
  for (std::size_t t = 0; t < rows; ++t) {
    const std::vector<float>& row = matrix[t];
    if (row.size() != columns)
      return fmt::format("row {} has {} weights, but there are {} source tokens", t, row.size(), columns);
    double sum = 0;
    for (const float weight : row) {
      if (!(weight >= 0 && weight <= 1.00001f))
        return fmt::format("row {} contains {}, but a weight is a number from 0 to 1", t, weight);
      sum += weight;
    }
    if (std::abs(sum - 1) > rounding && !(past && sum == 0))
      return fmt::format("the weights of row {} sum to {:.6f} instead of 1", t, sum);
  }
  return "";
}

std::string problem_of_scores(const Matrix& scores, std::size_t rows, std::size_t columns) {
  if (scores.empty()) return "";
  if (scores.size() != rows)
    return fmt::format("there are {} rows of scores, but {} target tokens", scores.size(), rows);
  for (const auto& row : scores) {
    if (row.size() != columns)
      return fmt::format("a row has {} scores, but there are {} source tokens", row.size(), columns);
    if (std::any_of(row.begin(), row.end(), [](float e) { return std::isnan(e) || e > 1e30f; }))
      return "a score is no number";
  }
  return "";
}

// The matrix of self-attention is square, because a text attends to itself.
std::string problem_of_head(const Head& head, std::size_t rows, std::size_t columns) {
  if (attends_to_source(head)) return problem_of_matrix(head.matrix, rows, columns);
  if (head.kind == HeadKind::encoder_self) return problem_of_matrix(head.matrix, columns, columns, true);
  if (head.kind == HeadKind::decoder_self) return problem_of_matrix(head.matrix, rows, rows, true);
  const std::size_t size = head.matrix.size();  // of either text; another program may write a part of it
  if (size == 0 && rows > 0) return "a head of kind self has no rows";
  return problem_of_matrix(head.matrix, size, size, true);
}

std::string problem_of_links(const Links& links, const Record& record, const char* name) {
  for (const Link& link : links) {
    if (link.source >= record.source.size() || link.target >= record.target.size()) {
      return fmt::format("{} [{},{}] is outside {} x {} words", name, link.source, link.target, record.source.size(),
                         record.target.size());
    }
  }
  return "";
}

std::string problem_of_numbers(const std::vector<float>& numbers, std::size_t rows, const char* name) {
  if (numbers.size() != rows) return fmt::format("{} has {} entries for {} tokens", name, numbers.size(), rows);
  const auto bad = std::find_if_not(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); });
  return bad == numbers.end() ? "" : fmt::format("{} holds {}", name, *bad);
}

std::string problem_of_original(const std::optional<Original>& original, std::size_t words, const char* side) {
  if (!original || original->spans.empty()) return "";
  if (original->spans.size() != words)
    return fmt::format("{} {} spans for {} words", original->spans.size(), side, words);
  const std::size_t points = decode_utf8(original->line).size();
  std::size_t last = 0;
  for (const Span& span : original->spans) {
    if (span.begin < last || span.end < span.begin || span.end > points) {
      return fmt::format("{} span [{},{}] begins before the previous span, or lies outside of a line of {} characters",
                         side, span.begin, span.end, points);
    }
    last = span.begin;
  }
  return "";
}

std::string problem_of_unknown(const std::vector<std::size_t>& positions, std::size_t words, const char* side) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] >= words || (i > 0 && positions[i] <= positions[i - 1]))
      return fmt::format("the list `unknown` has {} word {}, which is outside of {} words or out of order", side,
                         positions[i], words);
  }
  return "";
}

std::string problem_of_layer_share(const AttentionWeights& weights) {
  if (!weights.layer_share) return "";
  if (!weights.decoder_head()) return "layer_share needs a head of the kind decoder";
  return *weights.layer_share >= 0 && *weights.layer_share <= 1
             ? ""
             : fmt::format("layer_share is {}, but a share is a number from 0 to 1", *weights.layer_share);
}

std::string problem_of_gate(const std::vector<float>& gate, std::size_t rows) {
  const std::string sizes = problem_of_numbers(gate, rows, "gate");
  if (!sizes.empty()) return sizes;
  const auto out_of_range = std::find_if(gate.begin(), gate.end(), [](float g) { return !(g >= 0 && g <= 1); });
  return out_of_range == gate.end()
             ? ""
             : fmt::format("gate contains {}, but a share is a number from 0 to 1", *out_of_range);
}

}  // namespace

Record blank_record(std::size_t id) {
  Record record;
  record.id = id;
  record.source_eos = record.target_eos = false;
  return record;
}

float entropy(const std::vector<float>& weights) {
  double sum = 0;
  for (const double a : weights) sum -= a > 0 ? a * std::log(a) : 0;
  return static_cast<float>(std::max(sum, 0.0));
}

void complete(Record& record) {
  record.links =
      argmax_links(record.weights.matrix, record.source.size(), record.target.size(), record.attends == Attends::input);
  record.entropy.clear();
  for (const auto& row : record.weights.matrix) record.entropy.push_back(entropy(row));
}

void leave_end_out(Record& record) {
  if (!record.target_eos) return;
  record.target_eos = false;
  const std::size_t T = record.target.size();
  const auto cut = [T](auto& rows) {
    if (rows.size() > T) rows.resize(T);
  };
  cut(record.weights.matrix), cut(record.weights.scores), cut(record.entropy), cut(record.logprob),
      cut(record.weights.gate);
  for (Head& head : record.weights.heads)
    if (attends_to_source(head)) cut(head.matrix), cut(head.scores);
}

std::string problem_of(const Record& record) {
  const std::size_t rows = record.target.size() + record.target_eos, columns = record.source.size() + record.source_eos;
  std::vector<std::string> problems = {
      problem_of_source(record),
      problem_of_matrix(record.weights.matrix, rows, columns),
      problem_of_links(record.links, record, "link"),
      problem_of_numbers(record.entropy, rows, "entropy"),
      record.logprob.empty() ? "" : problem_of_numbers(record.logprob, rows, "logprob"),
      problem_of_scores(record.weights.scores, rows, columns)};
  if (record.weights.norms) {
    problems.push_back(problem_of_numbers(record.weights.norms->source, columns, "norms of the source"));
    problems.push_back(problem_of_numbers(record.weights.norms->context, rows, "norms of the context"));
  }
  if (!record.weights.gate.empty()) problems.push_back(problem_of_gate(record.weights.gate, rows));
  problems.push_back(problem_of_layer_share(record.weights));
  problems.push_back(problem_of_original(record.source_original, record.source.size(), "source"));
  problems.push_back(problem_of_original(record.target_original, record.target.size(), "target"));
  if (record.unknown) {
    problems.push_back(problem_of_unknown(record.unknown->source, record.source.size(), "source"));
    problems.push_back(problem_of_unknown(record.unknown->target, record.target.size(), "target"));
  }
  if (record.gold) {
    problems.push_back(problem_of_links(record.gold->sure, record, "sure link"));
    problems.push_back(problem_of_links(record.gold->possible, record, "possible link"));
  }
  if (record.intervention) {
    if (record.intervention->source && *record.intervention->source >= columns)
      problems.push_back(fmt::format("the intervention names source position {}, but the source has {} positions",
                                     *record.intervention->source, columns));
    if (record.intervention->kind != InterventionKind::none && !record.intervention->step)
      problems.push_back(fmt::format("intervention {} without a step", autograd::name_of(record.intervention->kind)));
  }
  constexpr std::size_t most = 10000;
  if (record.rank >= most) problems.push_back(fmt::format("rank {} is impossible in an n-best list", record.rank));
  for (const Head& head : record.weights.heads) {
    if (head.layer >= most || head.head >= most)
      problems.push_back(
          fmt::format("head {} of layer {} is too large a number; the limit is {}", head.head, head.layer, most));
    problems.push_back(problem_of_head(head, rows, columns));
    problems.push_back(problem_of_scores(head.scores, rows, columns));
  }
  for (const std::string& problem : problems) {
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace softalign::data
