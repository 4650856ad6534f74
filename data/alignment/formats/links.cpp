#include "data/alignment/formats/internal/links.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "data/alignment/formats/marian_soft.h"
#include "data/io/internal/fields.h"

namespace softalign::data {
namespace {

// The links of a text, over `extra` more positions than there are words, and all of them.
Links read_links(const std::string& text, const Record& record, size_t extra, const AlignmentFile& file,
                 const std::string& where) {
  const Gold gold =
      parse_gold(text, record.source.size() + extra, record.target.size() + extra, where, file.first_word);
  Links links = gold.sure;
  links.insert(links.end(), gold.possible.begin(), gold.possible.end());
  std::sort(links.begin(), links.end());
  return links;
}

// Marian links the source's </s>, position S, from any row, and the target's </s>, row T, in every sentence. A file
// without links of row T counts something else than these words where it links position S.
void check_ends(const std::vector<Record>& records, const AlignmentFile& file) {
  const auto links_row_T = [](const Record& r) {
    return std::any_of(r.links.begin(), r.links.end(), [&](const Link& l) { return l.target == r.target.size(); });
  };
  const auto without = std::find_if(records.begin(), records.end(),
                                    [&](const Record& r) { return !r.links.empty() && !links_row_T(r); });
  if (without == records.end()) return;
  for (const Record& record : records) {
    for (const Link& link : record.links) {
      const bool at_source = link.source == record.source.size();
      if (!at_source && link.target < record.target.size()) continue;
      fail(file.where(record.id),
           fmt::format("link {}-{}: the {} has {} word{}, counted from {}. Position {} would be </s>, but line {} has "
                       "no link of the target's </s>, so the links count other words, for example a model's tokens: "
                       "give the sentences that they count{}",
                       link.source + file.first_word, link.target + file.first_word, at_source ? "source" : "target",
                       at_source ? record.source.size() : record.target.size(),
                       (at_source ? record.source.size() : record.target.size()) == 1 ? "" : "s", file.first_word,
                       (at_source ? link.source : link.target) + file.first_word, without->id + 1,
                       file.first_word ? "" : " (does the file count from 1? --one-based)"));
    }
  }
}

Record record_of(const Pair& pair, size_t id) {
  Record record;
  record.id = id;
  record.source = pair.source;
  record.target = pair.target;
  return record;
}

// `A-12<TAB>rest`: the number, and the rest in `rest`.
size_t read_fairseq_key(const std::string& line, std::string& rest, const std::string& where) {
  const size_t tab = line.find('\t');
  if (line.size() < 3 || line[1] != '-' || tab == std::string::npos) {
    fail(where, "expected A-NUMBER<TAB>links; other output goes with grep '^A-'");
  }
  rest = line.substr(tab + 1);
  return read_number(std::string_view(line).substr(2, tab - 2), "number of the pair", where);
}

}  // namespace

std::string write_pharaoh(const Record& record) { return format_links(record.links) + "\n"; }

std::vector<Record> read_pharaoh(const AlignmentFile& file) {
  std::vector<Record> records;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const std::string where = file.where(i);
    Record record = record_of(pair_of(file, i, where), i);
    record.links = read_links(file.lines[i], record, 0, file, where);
    records.push_back(std::move(record));
  }
  check_all_read(file, records.size());
  return records;
}

std::string write_tsv(const Record& record) {
  return fmt::format("{}\t{}\t{}\n", join_words(record.source), join_words(record.target), format_links(record.links));
}

std::vector<Record> read_tsv_links(const AlignmentFile& file) {
  std::vector<Record> records;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const std::string where = file.where(i);
    const std::vector<std::string> columns = split_fields(file.lines[i], "\t");
    if (columns.size() < 3) fail(where, "expected source<TAB>target<TAB>links");
    Record& record = records.emplace_back();
    record.id = i;
    record.source = split_words(columns[0]);
    record.target = split_words(columns[1]);
    record.links = read_links(columns[2], record, 0, file, where);
  }
  return records;
}

std::string write_marian_hard(const Record& record) {
  return join_words(record.target) + " ||| " + format_links(record.links) + "\n";
}

std::vector<Record> read_marian_hard(const AlignmentFile& file) {
  std::vector<Record> records;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const std::string where = file.where(i);
    Record record = record_of(pair_of(file, i, where), i);
    const std::string links = read_marian_line(file.lines[i], record.target, where);
    record.links = read_links(links, record, 1, file, where);
    records.push_back(std::move(record));
  }
  check_all_read(file, records.size());
  check_ends(records, file);
  for (Record& record : records) {
    std::erase_if(record.links, [&](const Link& link) {
      return link.source >= record.source.size() || link.target >= record.target.size();
    });
  }
  return records;
}

std::string write_fairseq(const Record& record) {
  return fmt::format("A-{}\t{}\n", record.id, format_links(record.links));
}

std::vector<Record> read_fairseq(const AlignmentFile& file) {
  std::map<size_t, std::vector<Record>> by_pair;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const std::string where = file.where(i);
    std::string rest;
    const size_t id = read_fairseq_key(file.lines[i], rest, where);
    const char kind = file.lines[i][0];
    if (kind == 'A') {
      std::vector<Record>& ranks = by_pair[id];
      Record record = record_of(pair_of(file, id, where), id);
      record.rank = ranks.size();
      if (rest.find(',') == std::string::npos) record.links = read_links(rest, record, 0, file, where);
      else record = with_marian_weights(std::move(record), rest, where);
      ranks.push_back(std::move(record));
    } else if (std::string("STHDP").find(kind) == std::string::npos) {
      fail(where, fmt::format("a line of kind {}-; expected A-NUMBER<TAB>links", kind));
    }
  }
  std::vector<Record> records;
  for (auto& [id, ranks] : by_pair) std::move(ranks.begin(), ranks.end(), std::back_inserter(records));
  check_all_read(file, by_pair.size());
  return records;
}

}  // namespace softalign::data
