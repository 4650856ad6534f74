// Single sentences in the report: one sentence as every model reads it, and the sentences with the largest differences
// between models.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/reproduction/jobs.h"
#include "apps/reproduction/study.h"
#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// One model, of the first seed.
struct ModelAlignments {
  std::string experiment, folder;
  std::vector<data::Record> records;  // of every test sentence, forced; none without attention
  data::Tokens translation;           // of the example, greedy
};

struct TestSetAlignments {
  std::size_t test_pairs = 0;
  std::vector<data::Pair> pairs;        // the first of the test set
  std::size_t example = 0;              // the sentence that all models are shown by
  std::vector<ModelAlignments> models;  // in the order of the study's rows
};

// Loads each model and aligns the first 1,000 pairs of the test set; more would not fit into memory. data::Error as
// load_run and read_tsv.
TestSetAlignments read_test_set(const Study& study, const Outcomes& outcomes, const ReproduceOptions& options);

// Chooses a sentence that shows differences between models and is easy to read. It has 6 to 10 words per side, or a
// similar length if there is none, and the most crossing gold links.
std::size_t choose_example(const std::vector<data::Pair>& pairs);

// The share of attention that two records of one pair put on different words: 1/2 sum_s |a_ts - b_ts|, as a mean over
// the rows t. It is 0 if they agree, and 1 if they never attend to the same word.
double attention_distance(const data::Record& a, const data::Record& b);

// Two models at odds over a sentence.
struct Disagreement {
  std::size_t sentence = 0, a = 0, b = 0;  // places in TestSetAlignments
  double distance = 0;
};

// Chooses the given number of sentences, each with two models that read it differently. Each time, it takes one of the
// pairs of models that were chosen least often, with the largest difference on an unused sentence, so that one unusual
// model does not hide the others. Sentences have at most 12 words per side, if there are enough. The result is empty if
// fewer than two models have attention.
std::vector<Disagreement> greatest_disagreements(const TestSetAlignments& readings, std::size_t count);

// The viewer's page that the report links to: the example and the sentences with the largest differences, with the
// attention of every model.
struct AlignmentPage {
  std::string name;                    // of the file, beside the report; "" where no model has attention
  std::string corpus;                  // the file with its sentences, lines of the test set
  std::vector<std::size_t> sentences;  // places in TestSetAlignments, in the order of the page
  std::vector<std::size_t> models;     // places in TestSetAlignments, in the order of the page

  // The link to this sentence in the page with model a, and with model b next to it if b is another model.
  std::string link(std::size_t sentence, std::size_t a, std::size_t b) const;
};

// Writes OUT/STUDY-sentences.tsv and, by the code of view, OUT/STUDY-alignments.html.
AlignmentPage write_alignment_page(const Study& study, const TestSetAlignments& readings,
                                   const std::vector<Disagreement>& disagreements, const ReproduceOptions& options);

// The words of the example, and the attention and translation of every model; for a model without attention, a line
// says so.
std::string example_section(const Study& study, const TestSetAlignments& readings, const AlignmentPage& page);

// Each sentence by its two models, side by side; "" if there is none.
std::string disagreement_section(const Study& study, const TestSetAlignments& readings,
                                 const std::vector<Disagreement>& disagreements, const AlignmentPage& page);

}  // namespace softalign::apps
