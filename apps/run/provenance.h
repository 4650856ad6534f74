// The file provenance.json stores which files a run was trained on, the folder in which the training was started, and a
// hash of the contents. A program that reads the files again compares the hash, because the content may have changed.
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

// Returns a hash with 16 hexadecimal digits. It covers all words, answers and pictures of the examples in order, but
// not the gold links.
std::string hash_of(const std::vector<data::Pair>& pairs);

std::string provenance_file(const RunFolder& folder);

Provenance make_provenance(const TrainOptions& options, const std::vector<data::Pair>& training,
                           const std::vector<data::Pair>& validation);
std::string to_json(const Provenance& provenance);

// Reads the provenance of a run. Returns nothing if an earlier build trained the run. Throws data::Error if the file is
// damaged.
std::optional<Provenance> read_provenance(const RunFolder& folder);

// Resolves the names of files in the options, except for the options in `except`. A relative name becomes a path in the
// folder in which the training was started, if there is a file with this path.
void resolve_files(TrainOptions& options, const Provenance& provenance, const std::vector<std::string>& except = {});

}  // namespace softalign::apps
