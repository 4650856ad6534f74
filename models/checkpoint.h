// A Checkpoint is a model, and optionally the complete state of its training, as one safetensors file.
//
//   save_checkpoint(path, {.config = text, .parameters = named_arrays(params), ..});
//   const Checkpoint checkpoint = load_checkpoint(path);
//   check_vocabularies(checkpoint, source.hash(), target.hash());
//   restore(checkpoint.path, checkpoint.parameters, named_arrays(params));
//
// load_run (apps/run/run_folder.h) makes these calls and the checks of a run around them. apps/training/state.cpp
// checks the state of a training that is resumed.
//
// In the file, every parameter has its own name ("encoder/forward/W") and type F32. Numbers of the training have names
// "training/..", and counters are I64 scalars. The metadata holds format, version, config, source_vocabulary,
// target_vocabulary (the hashes) and checksum (data/io/safetensors.h). If you save, load and save again, the bytes are
// the same.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "autograd/optimise/optimiser.h"
#include "autograd/params.h"

namespace softalign::models {

using autograd::NamedArray;  // a handle: copying it copies no numbers
using NamedArrays = std::vector<NamedArray>;

struct Checkpoint {
  std::string config;                    // the run's config.json, as text
  std::string source_hash, target_hash;  // of the vocabularies that number its words (Vocabulary::hash)
  NamedArrays parameters;
  // This is the training state: arrays such as the optimiser's moments, and integers such as steps, positions of random
  // streams and byte lengths of files. It is empty for a finished model. A double that must be restored exactly is
  // converted by std::bit_cast.
  NamedArrays training;
  std::map<std::string, std::int64_t> counters;
  std::string examples = {};  // text of the step that `train --replay` repeats; empty elsewhere
  std::string path;           // the file that load_checkpoint read; not saved
};

// Returns the model's parameters as handles. If you copy numbers into them before the next product, the model uses
// them.
NamedArrays named_arrays(const autograd::Params& params);

// Writes the file completely or not at all. The double build writes float32 numbers, too. Throws the errors of
// write_safetensors.
void save_checkpoint(const std::string& path, const Checkpoint& checkpoint);

// Throws data::Error if the file is not a complete, undamaged checkpoint of this format version
// (data/io/safetensors.h).
Checkpoint load_checkpoint(const std::string& path);

// Returns "" if the file is a checkpoint of any version, and otherwise a description of the file.
std::string problem_of_format(const std::string& path);

// Throws data::Error if a vocabulary differs, because its words would have other ids. The message has both hashes.
void check_vocabularies(const Checkpoint& checkpoint, const std::string& source_hash, const std::string& target_hash);

// Returns the name of the first array with NaN or Inf, or "" if all numbers are finite.
std::string first_not_finite(const NamedArrays& arrays);

// Copies each saved array into the array of the same name. Throws data::Error if a name is on one side only, or if
// shapes differ. The message describes both sides, and nothing is copied. `path` is for the message.
void restore(const std::string& path, const NamedArrays& saved, const NamedArrays& live);

}  // namespace softalign::models
