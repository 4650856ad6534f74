// A Checkpoint is a model, and optionally the complete state of its training, in one file of the format safetensors.
//
//   save_checkpoint(path, {.config = text, .parameters = named_arrays(params), ..});
//   const Checkpoint checkpoint = load_checkpoint(path);
//   check_vocabularies(checkpoint, source.hash(), target.hash());
//   restore(checkpoint.path, checkpoint.parameters, named_arrays(params));
//
// The function load_run (apps/run/run_folder.h) makes these calls, and checks the other files of a run. If a training
// is resumed, apps/training/state.cpp checks the state of the training.
//
// In the file, every parameter has its own name ("encoder/forward/W") and type F32 (32-bit floats). A file with F16
// (16-bit floats) can be read too. The names of the training state begin with "training/", and its counters are 64-bit
// integers (I64). The metadata contains format, version, config, source_vocabulary, target_vocabulary and checksum
// (data/io/safetensors.h). The two entries for vocabularies are hashes. If you save, load and save again, you get the
// same bytes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "autograd/optimise/optimiser.h"
#include "autograd/params.h"

namespace softalign::models {

using autograd::NamedArray;  // a handle: a copy refers to the same numbers
using NamedArrays = std::vector<NamedArray>;

struct Checkpoint {
  std::string config;                    // the run's config.json, as text
  std::string source_hash, target_hash;  // of the vocabularies (Vocabulary::hash)
  NamedArrays parameters;
  // `training` and `counters` are the state of the training. `training` has arrays, for example averages of the
  // optimiser. `counters` has integers, for example the number of steps, positions of random streams and lengths of
  // files in bytes. Both are empty for a finished model. A double that must be restored exactly is stored as an integer
  // with the same bits (std::bit_cast).
  NamedArrays training;
  std::map<std::string, std::int64_t> counters;
  std::string examples = {};  // text of the step that `train --replay` repeats; empty elsewhere
  std::string path;           // the file that load_checkpoint read; not saved
};

// Returns the model's parameters by name. The arrays are handles: if you change their numbers, you change the model.
NamedArrays named_arrays(const autograd::Params& params);

// Writes the complete file, or nothing. In a double-precision build, it also writes 32-bit floats. Throws the errors of
// write_safetensors.
void save_checkpoint(const std::string& path, const Checkpoint& checkpoint);

// Loads a checkpoint. Throws data::Error if the file is incomplete or damaged, or has another version of the format
// (data/io/safetensors.h).
Checkpoint load_checkpoint(const std::string& path);

// Returns "" if the file is a checkpoint of any version. Otherwise it returns a description of the file.
std::string problem_of_format(const std::string& path);

// Throws data::Error if a vocabulary is not the vocabulary of the checkpoint, because its words would have other ids.
// The message shows both hashes.
void check_vocabularies(const Checkpoint& checkpoint, const std::string& source_hash, const std::string& target_hash);

// Returns the name of the first array with NaN or Inf, or "" if all numbers are finite.
std::string first_not_finite(const NamedArrays& arrays);

// Copies each saved array into the model's array with the same name. Throws data::Error if only the file or only the
// model has a name, or if shapes differ. Then the message describes file and model, and nothing is copied. `path` is
// used in the message.
void restore(const std::string& path, const NamedArrays& saved, const NamedArrays& live);

}  // namespace softalign::models
