// This file names the files of a corpus. Every program accepts a corpus as one TSV file or as parallel plain files.
#pragma once

#include <cstddef>
#include <string>

#include "apps/run/train_options.h"
#include "data/corpus/corpus.h"
#include "data/pictures/captions.h"

namespace softalign::apps {

struct CorpusFiles {
  std::string tsv;                        // one TSV file
  std::string source, target, alignment;  // or plain files of sources, targets and, if there are any, gold links
  bool one_based = false;                 // gold links count words from 1
};

// table() declares the options --data, --source, --target, --alignment and --one-based of a program that reads one
// corpus. is_given() returns true if any of these options names a file. check() throws UsageError if the options name
// too many files or too few.
models::Table table(CorpusFiles& files);
bool is_given(const CorpusFiles& files);
void check(const CorpusFiles& files);

// Throws data::Error if the memory is too small for the text of these files and for their pictures. The message names
// the file and says how much memory its text needs. picture_bytes is the size of one picture; 0 means no pictures.
void check_memory_of_text(const CorpusFiles& files, double picture_bytes = 0);

// These functions return the files of the training and of the validation corpus that the options of `train` name. They
// throw UsageError if the options name too many files or too few.
CorpusFiles training_files(const TrainOptions& options);
CorpusFiles validation_files(const TrainOptions& options);

// Checks the files that the options of `train` name. Unless other options name files, --data must name a folder with
// train.tsv and valid.tsv. Throws UsageError if --data names a file. Throws data::Error if the folder lacks one of the
// two files. The message says what the folder contains and what to write instead. If the options name only a training
// file or only a validation file, the other file must be in the folder of --data. Throws UsageError in this case if the
// user has not given --data (`folder_given` is false).
void check_data_folder(const TrainOptions& options, bool folder_given);

// Reads the pairs of these files. A source or a target has at most max_length words; 0 means the --max-length of the
// training. `options` choose the tokeniser and may swap source and target. Throws data::Error like
// data/corpus/corpus.h.
data::Corpus read_corpus(const CorpusFiles& files, const TrainOptions& options, std::size_t max_length,
                         data::TooLong too_long, data::Blank blank = data::Blank::refuse);

// tokenizer() returns a function that splits a sentence by the tokeniser of these options. answer_tokenizer() returns a
// function that splits an answer at white space only.
data::Tokenize tokenizer(const TrainOptions& options);
data::Tokenize answer_tokenizer(const TrainOptions& options);

// Returns the size to which pictures are scaled, and the grid of cells that the model's encoder reads.
data::PictureOptions picture_options(const models::ModelOptions& model);

}  // namespace softalign::apps
