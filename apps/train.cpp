// The program `train` reads a parallel corpus and writes a run folder.
#include "apps/ranks/with_ranks.h"
#include "apps/training/training_call.h"

using namespace softalign;

int main(int argc, char** argv) {
  return apps::with_ranks(argc, argv, [&](const apps::Communicator& ranks) {
    const auto start = [&](apps::CommandLine& line, const auto& body) { return line.run(argc, argv, body); };
    return apps::train(start, {}, ranks);
  });
}
