// This file names the files of a corpus. Every program accepts the same forms: one TSV file, or parallel plain files.
#pragma once

#include <cstddef>
#include <string>

#include "apps/run/train_options.h"
#include "data/corpus/corpus.h"
#include "data/pictures/captions.h"

namespace softalign::apps {

struct CorpusFiles {
  std::string tsv;                        // either this
  std::string source, target, alignment;  // or source and target, with or without gold links
  bool one_based = false;                 // gold links count words from 1
};

// Returns the options --data, --source, --target, --alignment and --one-based of a program that reads one corpus. The
// next functions say whether any of them names a file, and check them. They throw UsageError if the options name too
// many files or too few.
models::Table table(CorpusFiles& files);
bool is_given(const CorpusFiles& files);
void check(const CorpusFiles& files);

// Returns the files that TrainOptions name. Throws UsageError if they name too many or too few.
CorpusFiles training_files(const TrainOptions& options);
CorpusFiles validation_files(const TrainOptions& options);

// Checks that --data of a training is a folder with the files that the training reads. Throws UsageError for the name
// of a file. Throws data::Error for a folder without train.tsv or valid.tsv. The message says what the folder contains
// and what to write instead. Also throws UsageError if the options name only one of the training and validation files,
// and the user has not given the folder of the other file (`folder_given`).
void check_data_folder(const TrainOptions& options, bool folder_given);

// Reads the pairs of these files, with at most max_length words per side (0: as in training). `options` choose the
// tokeniser and may swap the sides. Throws data::Error as in data/corpus/corpus.h.
data::Corpus read_corpus(const CorpusFiles& files, const TrainOptions& options, std::size_t max_length,
                         data::TooLong too_long, data::Blank blank = data::Blank::refuse);

// Returns a function that splits a sentence by the run's tokeniser, and an answer at white space only.
data::Tokenize tokenizer(const TrainOptions& options);
data::Tokenize answer_tokenizer(const TrainOptions& options);

// Returns the size that pictures are scaled to, and the grid of cells of the model's encoder.
data::PictureOptions picture_options(const models::ModelOptions& model);

}  // namespace softalign::apps
