#include "data/pictures/captions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "data/corpus/columns.h"
#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/files.h"
#include "data/io/unicode.h"
#include "data/pictures/picture_file.h"

namespace softalign::data {

namespace {

struct WordBox : Box {
  std::size_t word;  // the word that names the object in the box
};

WordBox parse_box(const std::string& text, const Picture& picture, std::size_t words, std::size_t first,
                  const std::string& where) {
  std::vector<std::size_t> numbers;
  const std::size_t dash = std::min(text.find('-'), text.size());
  std::vector<std::string> parts = split_fields(text.substr(0, dash), ",");
  parts.push_back(text.substr(std::min(dash + 1, text.size())));
  for (const std::string& part : parts)
    if (const auto number = data::number<std::size_t>(part)) numbers.push_back(*number);
  if (parts.size() != 5 || numbers.size() != 5)
    fail(where, fmt::format("{} is not a box. Write X,Y,W,H-J: left, top, width and height in pixels, and the number "
                            "of the word, counted from {}",
                            in_quotes(text), first));
  // A number below `first` becomes very large.
  const WordBox box{{numbers[0], numbers[1], numbers[2], numbers[3]}, numbers[4] - first};
  const auto inside = [](std::size_t begin, std::size_t size, std::size_t all) {
    return size > 0 && begin < all && size <= all - begin;
  };
  if (!inside(box.left, box.width, picture.width) || !inside(box.top, box.height, picture.height))
    fail(where, fmt::format("the box {} is not inside the picture of {} x {} pixels (width x height)", text,
                            picture.width, picture.height));
  if (box.word >= words)
    fail(where, fmt::format("the box {} names word {}, but the caption has {} words, counted from {}", text, numbers[4],
                            words, first));
  return box;
}

// Cells 0 .. cells-1 divide `pixels`. covered returns the cells with their middle in [begin, begin + size). If there
// are none, it returns the cell nearest to the middle of this range.
std::pair<std::size_t, std::size_t> covered(std::size_t begin, std::size_t size, std::size_t pixels,
                                            std::size_t cells) {
  const auto first_at = [&](std::size_t pixel) {  // the first cell with (i + 1/2) pixels / cells >= pixel
    const std::size_t doubled = 2 * pixel * cells;
    return doubled <= pixels ? std::size_t{0} : (doubled - pixels + 2 * pixels - 1) / (2 * pixels);
  };
  const std::size_t first = first_at(begin), last = std::min(first_at(begin + size), cells);
  if (first < last) return {first, last};
  const std::size_t nearest = std::min((2 * begin + size) * cells / (2 * pixels), cells - 1);
  return {nearest, nearest + 1};
}

// A box names a word of the caption. gold_of links the cells of the box to all tokens of this word.
Gold gold_of(const std::string& text, const Picture& picture, const PictureOptions& o, const WordsOfTokens& caption,
             std::size_t first_word, const std::string& where) {
  Gold gold;
  for (const std::string& part : split_words(text)) {
    const WordBox box = parse_box(part, picture, caption.words.size(), first_word, where);
    caption.check_left(box.word, fmt::format("box {}", part), where);
    const auto [top, bottom] = covered(box.top, box.height, picture.height, o.rows);
    const auto [left, right] = covered(box.left, box.width, picture.width, o.columns);
    for (std::size_t i = top; i < bottom; ++i)
      for (std::size_t j = left; j < right; ++j)
        for (std::size_t token = caption.first[box.word]; token < caption.first[box.word + 1]; ++token)
          gold.possible.push_back({i * o.columns + j, token});
  }
  std::sort(gold.possible.begin(), gold.possible.end());
  gold.possible.erase(std::unique(gold.possible.begin(), gold.possible.end()), gold.possible.end());
  return gold;
}

}  // namespace

Tokens cell_names(std::size_t rows, std::size_t columns) {
  Tokens names;
  for (std::size_t i = 1; i <= rows; ++i)
    for (std::size_t j = 1; j <= columns; ++j) names.push_back(fmt::format("{},{}", i, j));
  return names;
}

Corpus read_captions(const std::string& path, const PictureOptions& pictures, const CorpusOptions& options) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const Tokens cells = cell_names(pictures.rows, pictures.columns);
  // A picture that several lines name is decoded only once, because a small file may contain many pixels.
  struct Decoded {
    Picture size;  // without its pixels
    std::shared_ptr<const Picture> scaled;
  };
  std::map<std::string, Decoded> known;
  const auto decoded = [&](const std::string& name, const std::string& where) -> const Decoded& {
    const auto found = known.find(name);
    if (found != known.end()) return found->second;
    try {
      const Picture whole = read_picture((folder / name).string());
      auto small = std::make_shared<const Picture>(scaled(whole, pictures.height, pictures.width));
      return known.emplace(name, Decoded{{.height = whole.height, .width = whole.width, .rgb = {}}, std::move(small)})
          .first->second;
    } catch (const std::runtime_error& problem) {
      fail(where, problem.what(), kind_of(problem));
    }
  };
  const RowForm form{2, "the form must be picture<TAB>caption[<TAB>boxes[<TAB>tags]]", "captions"};
  return read_rows(read_lines(path), path, options, form, [&](Row& row, Corpus& corpus) {
    const std::vector<std::string>& columns = row.columns;
    Pair& pair = row.pair;
    if (is_blank(corpus, columns, form.sides, pair.line, options.blank)) return false;
    pair.target = tokens_of(columns[1], options.target, "caption's", row.where);
    if (is_dropped(corpus, pair.target.size(), options, "caption", row.where)) return false;
    const Decoded& picture = decoded(columns[0], row.where);
    if (!split_words(columns[2]).empty()) {
      const GoldSide caption{columns[1], pair.target, options.target, "caption"};
      pair.gold = gold_of(columns[2], picture.size, pictures, words_of_tokens(caption), options.first_word, row.where);
    }
    pair.places = cells;
    pair.picture = picture.scaled;
    return true;
  });
}

}  // namespace softalign::data
