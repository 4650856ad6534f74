#include "apps/ranks/with_ranks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apps/ranks/heartbeat.h"
#include "apps/terminal/address_space.h"
#include "apps/terminal/output.h"
#include "apps/terminal/terminal.h"
#include "autograd/threads/blas.h"

namespace softalign::apps {

namespace {

std::string quoted(const std::vector<std::string>& words) {
  constexpr std::size_t most = 200;  // columns
  return clip(printable(fmt::format("{}", fmt::join(words, " "))), most);
}

// Returns a message if the processes have different command lines, because each would wait for the others for ever.
// Only the name of the program counts, because machines may have the program in different folders.
std::string unlike(const Communicator& ranks, std::vector<std::string> command) {
  if (!command.empty()) command[0] = std::filesystem::path(command[0]).filename().string();
  std::string mine;
  for (const std::string& word : command) mine += word + '\0';
  const std::vector<std::string> all = ranks.all(mine);
  const auto other = std::find_if(all.begin(), all.end(), [&](const std::string& its) { return its != all[0]; });
  if (other == all.end()) return "";
  const auto words = [](const std::string& joined) {
    std::vector<std::string> list;
    for (std::size_t begin = 0; begin < joined.size(); begin = joined.find('\0', begin) + 1)
      list.emplace_back(joined.c_str() + begin);
    return list;
  };
  return fmt::format(
      "the processes have different command lines, so they cannot work together. Start all of them with the same "
      "command:\n  process 0: {}\n  process {}: {}",
      quoted(words(all[0])), other - all.begin(), quoted(words(*other)));
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

// Ends this process if a process on another machine no longer answers. mpirun then ends the others.
std::optional<Heartbeat> watch_over(const Communicator& ranks) {
  if (ranks.here() == ranks.count()) return std::nullopt;  // mpirun notices if a process on its own machine fails
  const auto all = [&](const std::string& mine) { return ranks.all(mine); };
  return std::optional<Heartbeat>(std::in_place, ranks.rank(), all, [hosts = all(host_name())](std::size_t rank) {
    report_error(fmt::format(
        "process {} on the machine {} has not answered for {} seconds, so its machine or the network has failed. "
        "Therefore this process ends. The files that were saved before are complete. Repair the machine or the "
        "network, and start the program again; a training continues with --resume",
        rank, printable(hosts[rank]), Heartbeat::limit.count() / 1000));
    std::_Exit(1);  // MPI may be waiting in another thread
  });
}

}  // namespace

int with_ranks(int argc, char** argv, const std::function<int(const Communicator&)>& body) {
  check_address_space_first();  // before threads are counted
  const std::vector<std::string> command(argv, argv + argc);
  std::optional<const Communicator> ranks;
  try {
    ranks.emplace(Communicator::started_together());
  } catch (const std::exception& error) {
    report_error(error.what());
    return 1;
  }
  if (ranks->alone()) return body(*ranks);
  if (!ranks->first()) be_silent(fmt::format("rank {} of {}", ranks->rank(), ranks->count()));
  if (const std::string problem = unlike(*ranks, command); !problem.empty()) {
    if (ranks->first()) report_error(problem);
    ranks->barrier();
    ranks->end_all(2);
  }
  try {
    autograd::set_threads(ranks->threads_each());
  } catch (const std::exception& error) {
    report_error(error.what());
    ranks->end_all(1);
  }
  const std::optional<Heartbeat> heartbeat = watch_over(*ranks);
  const int status = body(*ranks);
  constexpr int interrupted = 130;  // Ctrl-C stops all processes
  if (status != 0 && status != interrupted) ranks->end_all(status);
  ranks->barrier();  // process 0 must not end before the others, which watch it
  return status;
}

ProcessGroup process_group_of(const Communicator& ranks) {
  return {ranks.rank(), ranks.count(), [&ranks](const std::string& mine) { return ranks.all(mine); }};
}

}  // namespace softalign::apps
