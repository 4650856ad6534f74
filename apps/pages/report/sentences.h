// This file shows single sentences in a report. It shows the attention of every model for one sentence, and the
// sentences whose attention differs most between models.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/reproduction/jobs.h"
#include "apps/reproduction/study.h"
#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// ModelAlignments has the records of one model that was trained with the first seed.
struct ModelAlignments {
  std::string experiment, folder;
  std::vector<data::Record> records;  // every test sentence by teacher forcing; empty without attention
  data::Tokens translation;           // greedy translation of the example
};

struct TestSetAlignments {
  std::size_t test_pairs = 0;
  std::vector<data::Pair> pairs;        // the first pairs of the test set
  std::size_t example = 0;              // index of the sentence for which the report shows all models
  std::vector<ModelAlignments> models;  // models in the order of the study's rows
};

// Loads each model and aligns the first 1,000 pairs of the test set, because more pairs need too much memory. Throws
// data::Error like load_run and read_tsv.
TestSetAlignments read_test_set(const Study& study, const RunOutcomes& outcomes, const ReproduceOptions& options);

// Chooses a sentence pair that is easy to read and shows differences between models. Its source and its target have 6
// to 10 words each, or a length near this range if the test set has no such pair. Among these pairs, the function
// chooses the pair with the most crossing gold links.
std::size_t choose_example(const std::vector<data::Pair>& pairs);

// Returns the distance of two records a and b of one pair, as a mean over the target positions t. The distance of a row
// is 1/2 sum_s |a_ts - b_ts|, where a_ts and b_ts are the weights on source position s. It is 0 if both rows are equal,
// and 1 if a and b attend to different words in this row.
double attention_distance(const data::Record& a, const data::Record& b);

// Disagreement has a sentence and two models a and b whose attention differs on it.
struct Disagreement {
  std::size_t sentence = 0, a = 0, b = 0;  // indices in TestSetAlignments
  double distance = 0;
};

// Chooses `count` sentence pairs. For each sentence pair, it also chooses two models whose attention differs much on
// this pair. It prefers models that it has chosen least often. Otherwise, one unusual model would be part of every
// choice. Source and target have at most 12 words each, if there are enough such pairs. The result is empty if fewer
// than two models have attention.
std::vector<Disagreement> greatest_disagreements(const TestSetAlignments& readings, std::size_t count);

// AlignmentPage is a page of the viewer to which the report links. The page shows the sentence that choose_example()
// chose, and the sentences that greatest_disagreements() chose, with the attention of every model.
struct AlignmentPage {
  std::string name;                    // name of its file, next to the report; "" if no model has attention
  std::string corpus;                  // name of the file with its sentences, which are lines of the test set
  std::vector<std::size_t> sentences;  // indices in TestSetAlignments, in the order of the page
  std::vector<std::size_t> models;     // indices in TestSetAlignments, in the order of the page

  // Returns the URL at which the page shows `sentence` with the attention of model a. If b is another model, the page
  // also shows the attention of model b.
  std::string link(std::size_t sentence, std::size_t a, std::size_t b) const;
};

// Writes the sentences to FOLDER/NAME-sentences.tsv, and the page to FOLDER/NAME-alignments.html. FOLDER is the output
// folder (options.out), and NAME is the name of the study. The program `view` makes its pages by the same code.
AlignmentPage write_alignment_page(const Study& study, const TestSetAlignments& readings,
                                   const std::vector<Disagreement>& disagreements, const ReproduceOptions& options);

// Returns the section of the report about the sentence that choose_example() chose: its words, and the attention and
// the translation of every model. For a model without attention, a line says so.
std::string example_section(const Study& study, const TestSetAlignments& readings, const AlignmentPage& page);

// Returns the section of the report that shows each sentence of `disagreements` with the attention of its two models,
// side by side. Returns "" if there are no such sentences.
std::string disagreement_section(const Study& study, const TestSetAlignments& readings,
                                 const std::vector<Disagreement>& disagreements, const AlignmentPage& page);

}  // namespace softalign::apps
