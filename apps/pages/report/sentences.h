// Single sentences in the report: how the models of a study read them, one by every model, and those over which models
// are most at odds.
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

// Loads each model and lets it read the test set, of which the first 1,000 pairs: no more are held in memory.
// data::Error as of load_run and read_tsv.
TestSetAlignments read_test_set(const Study& study, const Outcomes& outcomes, const ReproduceOptions& options);

// A sentence that tells models apart and is easily read: of those of 6 to 10 words a side the one whose gold links
// cross most often, the first of several; if there is none, of those nearest to that.
std::size_t choose_example(const std::vector<data::Pair>& pairs);

// The share of attention that two records of one pair put on different words: 1/2 sum_s |a_ts - b_ts|, mean over the
// rows t. 0 where they agree, 1 where they never look at the same word.
double attention_distance(const data::Record& a, const data::Record& b);

// Two models at odds over a sentence.
struct Disagreement {
  std::size_t sentence = 0, a = 0, b = 0;  // places in TestSetAlignments
  double distance = 0;
};

// So many sentences, each with two models that read it differently: of the pairs of models that have been taken least
// often so far, the one that is farthest apart over any sentence not yet taken, and so on. That way no odd model hides
// the others. Sentences are of at most 12 words a side, where there are so many; none if fewer than two models attend.
std::vector<Disagreement> greatest_disagreements(const TestSetAlignments& readings, std::size_t count);

// The viewer's page that the report links into: the example and the sentences of greatest disagreement, as every model
// with attention sees them.
struct AlignmentPage {
  std::string name;                    // of the file, beside the report; "" where no model has attention
  std::string corpus;                  // the file with its sentences, lines of the test set
  std::vector<std::size_t> sentences;  // places in TestSetAlignments, in the order of the page
  std::vector<std::size_t> models;     // places in TestSetAlignments, in the order of the page

  // Where the page shows this sentence by model a, and beside it by b, if that is another.
  std::string link(std::size_t sentence, std::size_t a, std::size_t b) const;
};

// Writes OUT/STUDY-sentences.tsv and, by the code of view, OUT/STUDY-alignments.html.
AlignmentPage write_alignment_page(const Study& study, const TestSetAlignments& readings,
                                   const std::vector<Disagreement>& disagreements, const ReproduceOptions& options);

// The example's words, and by every model its attention (of models without, a line that says so) and translation.
std::string example_section(const Study& study, const TestSetAlignments& readings, const AlignmentPage& page);

// Each sentence by its two models, side by side; "" if there is none.
std::string disagreement_section(const Study& study, const TestSetAlignments& readings,
                                 const std::vector<Disagreement>& disagreements, const AlignmentPage& page);

}  // namespace softalign::apps
