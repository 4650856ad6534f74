// softalign.links and softalign.records
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "apps/em/em_links.h"
#include "apps/inference/alignment_format.h"
#include "apps/inference/alignment_input.h"
#include "apps/python/bindings.h"
#include "apps/python/call_options.h"
#include "apps/python/engine_call.h"
#include "apps/python/found.h"
#include "data/alignment/em/learnt_links.h"
#include "data/corpus/readers.h"
#include "data/io/files.h"
#include "data/text/tokenizer.h"

namespace softalign::python {

namespace {

using Texts = std::vector<std::string>;

// Returns the pairs of two lists of sentences, split into words as the options say.
std::vector<data::Pair> pairs_of(const Texts& sources, const Texts& targets, const apps::EmLinkOptions& o) {
  const data::TokenizerOptions rule{.scheme = o.tokenizer, .lowercase = o.lowercase};
  std::vector<data::Pair> pairs(sources.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    data::Pair& pair = pairs[i];
    pair.line = i + 1;
    pair.source_line = data::clean_line(sources[i], "the sources", i + 1);
    pair.target_line = data::clean_line(targets[i], "the targets", i + 1);
    pair.source = data::tokenize(pair.source_line, rule);
    pair.target = data::tokenize(pair.target_line, rule);
    pair.blank = pair.source.empty() || pair.target.empty();
  }
  return pairs;
}

// Learns the links of the pairs by EM. A pair that is blank or too long has no links.
std::vector<Found> links(const Texts& sources, const Texts& targets, const py::dict& given) {
  apps::CommonOptions common;
  apps::EmLinkOptions o;
  apps::CommandLine line("links", "", {}, common);
  declare(line, o);
  const Texts words = words_of(given, line);
  std::vector<Found> all;
  const auto body = [&] {
    check(line, o);
    const std::vector<data::Pair> pairs = pairs_of(sources, targets, o);
    const data::CorpusAligner aligner = learn(pairs, o);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      data::Record record = apps::posterior_record(i);
      record.source = pairs[i].source, record.target = pairs[i].target;
      all.push_back({std::move(record), pairs[i].target_line, 0});
    }
    aligner.align(pairs, 0, pairs.size(), [&](std::size_t i, data::EmAligner::BidirectionalPosteriors both) {
      data::Record& record = all[i].record;
      const data::Links joined =
          joint_links(o.rule, both.forward, both.backward, record.source.size(), record.target.size());
      record.weights.matrix = std::move(both.forward);
      complete(record);
      record.links = joined;
    });
    return 0;
  };
  in_engine([&] { return line.call(words, body); });
  return all;
}

// Reads a file of alignments as the program `convert` does.
std::vector<Found> records(const py::dict& given) {
  apps::CommonOptions common;
  apps::AlignmentInput input;
  apps::CorpusFiles files;
  apps::CommandLine line("convert", "", {}, common);
  declare(line, input);
  models::Table of_sentences = table(files);
  std::erase_if(of_sentences, [](const models::Option& option) { return option.name == "alignment"; });
  line.add_here(of_sentences);
  const Texts words = words_of(given, line);
  std::vector<Found> all;
  const auto body = [&] {
    choose(input);
    check_one_based(files, *input.from);
    const data::Format& format = data::format_of(*input.from);
    std::vector<data::Record> read = input.records(format, read_pairs(files, format), files.one_based);
    apps::note_base(read, input.in, format, files.one_based);
    for (data::Record& record : read) {
      std::string text = record.target_original ? record.target_original->line : data::join_words(record.target);
      all.push_back({std::move(record), std::move(text), 0});
    }
    return 0;
  };
  in_engine([&] { return line.call(words, body); });
  return all;
}

}  // namespace

void add_alignments(py::module_& m) {
  m.def("links", links);
  m.def("records", records);
}

}  // namespace softalign::python
