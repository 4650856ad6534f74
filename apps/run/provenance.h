// provenance.json stores the files that a run was trained on, the folder of the training, and a hash of the content of
// the files. A program that reads the files again compares the hash, because a path may name another file today.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/run/run_files.h"
#include "apps/run/train_options.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

struct Provenance {
  struct Part {
    std::vector<std::string> files;  // the names in the options
    std::size_t examples = 0;
    std::string hash;  // hash_of(pairs)
  };
  std::string folder;  // the training started here; relative names start from this folder
  Part training, validation;
};

// Returns a hash with 16 hexadecimal digits of all words, answers and pictures, one example after the other, without
// gold links.
std::string hash_of(const std::vector<data::Pair>& pairs);

std::string provenance_file(const RunFolder& folder);

Provenance make_provenance(const TrainOptions& options, const std::vector<data::Pair>& training,
                           const std::vector<data::Pair>& validation);
std::string to_json(const Provenance& provenance);

// Reads the provenance of a run. There is no result for the run of an earlier build. Throws data::Error if the file is
// damaged.
std::optional<Provenance> read_provenance(const RunFolder& folder);

// Resolves the names of files in the options, except those in `except`. A relative name becomes the path in the folder
// in which the training was started, if the file exists there.
void resolve_files(TrainOptions& options, const Provenance& provenance, const std::vector<std::string>& except = {});

}  // namespace softalign::apps
