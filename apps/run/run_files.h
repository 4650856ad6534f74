// This file names the files of a run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace softalign::apps {

struct RunFolder {
  std::string path;
  std::string file(const std::string& name) const { return path + "/" + name; }
  std::string config() const { return file("config.json"); }         // the values of all options
  std::string source_vocab() const { return file("source.vocab"); }  // one token per line
  std::string target_vocab() const { return file("target.vocab"); }
  std::string source_subwords() const { return file("source.spm"); }  // only with --tokenizer sentencepiece
  std::string target_subwords() const { return file("target.spm"); }
  std::string target_case() const { return file("target.case"); }                // the capitals of target words
  std::string alignment_layer() const { return file("alignment.safetensors"); }  // from train --align
  std::string model() const { return file("model.safetensors"); }                // the best epoch's parameters
  std::string last() const { return file("last.safetensors"); }                  // the state of the training
  std::string diverged() const { return file("diverged.safetensors"); }          // a step for train --replay
  std::string metrics() const { return file("metrics.jsonl"); }                  // one line per epoch
  std::string timing() const { return file("timing.jsonl"); }                    // wall-clock times, one line per epoch
  std::string card() const { return file("README.md"); }                         // model_card.h
  std::string history() const { return file("history.jsonl"); }              // alignment records of tracked sentences
  std::string alignments() const { return file("alignments.jsonl"); }        // written by align
  std::string beam() const { return file("beam.jsonl"); }                    // all ranks of some sentences, for view
  std::string lock() const { return file(".lock"); }                         // while a program writes to the folder
  std::string interventions() const { return file("interventions.jsonl"); }  // results of interventions, for view
  RunFolder reverse() const { return {file("reverse")}; }  // a run of the opposite direction (train --both-directions)
};

// With --keep-epochs, a training keeps the parameters of its last epochs, one file per epoch, in addition to the
// parameters of the best epoch. The program `average` computes the mean of these parameters.

std::string epoch_file(const RunFolder& folder, std::size_t epoch);  // RUN/epoch-K.safetensors

// Returns the numbers of the epochs whose parameters are in the folder, in rising order. Returns none if the folder
// does not exist.
std::vector<std::size_t> kept_epochs(const RunFolder& folder);

// Removes the parameters of all epochs up to `epoch`. Throws data::Error if it cannot remove one of the files.
void forget_epochs(const RunFolder& folder, std::size_t epoch);

}  // namespace softalign::apps
