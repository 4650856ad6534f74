// This file chooses the number of threads for a training. It avoids threads without work, because such threads only
// wait, and waiting threads slow the others down.
#pragma once

#include <cstddef>
#include <string>

#include "apps/ranks/communicator.h"
#include "apps/training/training_task.h"

namespace softalign::apps {

// ThreadWork says how many threads have work in a training step. If all threads share each matrix product, all of them
// have work. If instead each thread computes a part of the batch (a shard), as many threads have work as the largest
// batch has shards.
struct ThreadWork {
  std::size_t threads;   // number of threads that have work
  std::size_t examples;  // number of examples in the largest batch
};
ThreadWork thread_work(const TrainingTask& task, const Communicator& ranks);
// Returns a note for the user if fewer threads than `threads` have work. `name` is the name of the examples, for
// example "pairs".
std::string note_of_threads(const ThreadWork& work, std::size_t threads, const std::string& name);

// Sets the number of threads to the number that have work, and returns this number.
std::size_t use_working_threads(const ThreadWork& work);

}  // namespace softalign::apps
