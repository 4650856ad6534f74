#include "apps/training/recorded_pairs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "data/corpus/pharaoh.h"
#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/unicode.h"

namespace softalign::apps {

namespace {

// A source has at most this many positions, and a picture has at most this many pixels per side. Larger numbers show
// that softalign did not write the file.
constexpr std::size_t most_places = 1 << 20;

std::string format(const data::Ids& ids) { return fmt::format("{}", fmt::join(ids, " ")); }

// Returns the bytes as hexadecimal digits, for example "ffe0".
std::string in_hex(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

std::string format_source(const data::EncodedPair& pair) {
  std::string text = format(pair.source);
  if (pair.places > 0) text += fmt::format("/ {}", pair.places);
  if (pair.picture)
    text += fmt::format(" {} {} {}", pair.picture->height, pair.picture->width, in_hex(pair.picture->rgb));
  return text;
}

std::vector<std::string> cut(const std::string& text, char at, std::size_t most) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; parts.size() + 1 < most && (end = text.find(at, begin)) != std::string::npos; begin = end + 1)
    parts.push_back(text.substr(begin, end - begin));
  parts.push_back(text.substr(begin));
  return parts;
}

data::Ids parse_ids(const std::string& text, std::size_t words, const std::string& path) {
  data::Ids ids;
  if (text.empty()) return ids;  // the source of a language model
  for (const std::string& part : cut(text, ' ', text.size() + 1)) {
    const auto id = data::number<std::size_t>(part);
    if (!id || *id >= words)
      throw data::Error(
          data::ErrorKind::damaged_file,
          fmt::format("{}: the word id {} is not in a vocabulary of {} words", path, data::in_quotes(part), words));
    ids.push_back(static_cast<data::Id>(*id));
  }
  return ids;
}

std::uint8_t hex_digit(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const std::size_t place = digits.find(c);
  if (place == std::string_view::npos) throw std::invalid_argument("no hexadecimal digit");
  return static_cast<std::uint8_t>(place);
}

// Reads the text that format_source wrote. Throws std::invalid_argument or data::Error for text with wrong numbers.
void parse_source(const std::string& text, std::size_t words, const std::string& path, data::EncodedPair& pair) {
  const std::vector<std::string> parts = cut(text, '/', 2);
  pair.source = parse_ids(parts.front(), words, path);
  if (parts.size() < 2) return;
  const std::vector<std::string> more = cut(parts[1], ' ', 5);  // "", places, height, width, bytes
  std::vector<std::size_t> numbers;
  for (std::size_t i = 1; i < std::min<std::size_t>(more.size(), 4); ++i) {
    const auto number = data::number<std::size_t>(more[i]);
    if (!number || *number == 0 || *number > most_places) throw std::invalid_argument(more[i]);
    numbers.push_back(*number);
  }
  if (more.size() != 2 && more.size() != 5) throw std::invalid_argument(text);
  pair.places = numbers[0];
  if (more.size() < 5) return;
  data::Picture picture{numbers[1], numbers[2], {}};
  if (more[4].size() != picture.height * picture.width * 6) throw std::invalid_argument("bytes");
  for (std::size_t i = 0; i < more[4].size(); i += 2)
    picture.rgb.push_back(static_cast<std::uint8_t>(hex_digit(more[4][i]) << 4 | hex_digit(more[4][i + 1])));
  pair.picture = std::make_shared<const data::Picture>(std::move(picture));
}

}  // namespace

std::string format(const RecordedPairs& recorded) {
  std::string text = fmt::format("{} {}\n", recorded.source_words, recorded.target_words);
  auto name = recorded.names.begin();
  for (const std::vector<data::EncodedPair>& batch : recorded.batches) {
    text += "\n";
    for (const data::EncodedPair& pair : batch)
      text += fmt::format("{}\t{}\t{}\t{}\n", format_source(pair), format(pair.target), data::format_links(pair.sure),
                          *name++);
  }
  return text;
}

RecordedPairs parse_recorded(const std::string& text, const std::string& path) {
  const auto no_examples = [&] {
    return data::Error(
        data::ErrorKind::unsupported_format,
        fmt::format(
            "{}: the file contains no examples of a step. --replay needs the file diverged.safetensors of a run",
            path));
  };
  const std::vector<std::string> lines = cut(text, '\n', text.size() + 1);
  const std::vector<std::string> sizes = cut(lines.front(), ' ', 2);
  const auto source = data::number<std::size_t>(sizes.front()), target = data::number<std::size_t>(sizes.back());
  if (sizes.size() != 2 || !source || !target) throw no_examples();
  RecordedPairs recorded{*source, *target, {}, {}};
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].empty()) {
      if (i + 1 < lines.size()) recorded.batches.emplace_back();
      continue;
    }
    const std::vector<std::string> fields = cut(lines[i], '\t', 4);
    if (fields.size() != 4 || recorded.batches.empty()) throw no_examples();
    data::EncodedPair pair;
    try {
      parse_source(fields[0], *source, path, pair);
    } catch (const std::invalid_argument&) {
      throw no_examples();
    }
    pair.target = parse_ids(fields[1], *target, path);
    pair.sure =
        data::parse_gold(fields[2], pair.places > 0 ? pair.places : pair.source.size(), pair.target.size(), path).sure;
    recorded.batches.back().push_back(std::move(pair));
    recorded.names.push_back(fields[3]);
  }
  for (const auto& batch : recorded.batches)
    if (batch.empty()) throw no_examples();
  if (recorded.batches.empty()) throw no_examples();
  return recorded;
}

}  // namespace softalign::apps
