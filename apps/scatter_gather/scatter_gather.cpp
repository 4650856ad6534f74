#include "apps/scatter_gather/scatter_gather.h"

#include <exception>
#include <optional>

#include "data/io/error.h"

namespace softalign::apps {

namespace {

// Said has the text that a process made, and the error that ended it.
struct Said {
  std::string text;
  std::optional<std::string> problem;
  data::ErrorKind kind = data::ErrorKind::bad_data;
};

auto fields(Said& said) {
  auto& [text, problem, kind] = said;
  return std::tie(text, problem, kind);
}

// Calls make(text) in each process, and then use(text) for the text of each process in order. If processes throw
// errors, all processes throw the first one.
void for_all(const ProcessGroup& processes, const std::function<void(std::string& text)>& make,
             const std::function<void(std::string text)>& use) {
  Said mine;
  std::exception_ptr own;
  try {
    make(mine.text);
  } catch (const std::exception& problem) {
    own = std::current_exception();
    mine.problem = problem.what();
    mine.kind = data::kind_of(problem);
  }
  Packer packed;
  packed(mine);
  const std::vector<std::string> all = processes.exchange(packed.take());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    Said said = Unpacker(all[rank]).next<Said>();
    use(std::move(said.text));
    if (!said.problem) continue;
    if (rank == processes.rank) std::rethrow_exception(own);
    throw data::Error(said.kind, *said.problem);
  }
}

}  // namespace

std::vector<std::string> broadcast(const ProcessGroup& processes,
                                   const std::function<std::vector<std::string>()>& get) {
  Packer packed;
  packed(processes.first() ? get() : std::vector<std::string>());
  return Unpacker(processes.exchange(packed.take()).front()).next<std::vector<std::string>>();
}

std::vector<std::string> all_gather(const ProcessGroup& processes, const std::function<std::string()>& mine) {
  std::vector<std::string> texts;
  for_all(
      processes, [&](std::string& text) { text = mine(); },
      [&](std::string text) { texts.push_back(std::move(text)); });
  return texts;
}

std::vector<std::size_t> rank_slice(const ProcessGroup& processes, std::size_t n) {
  std::vector<std::size_t> mine;
  for (std::size_t i = processes.rank; i < n; i += processes.count) mine.push_back(i);
  return mine;
}

void write_in_order(const ProcessGroup& processes, std::size_t parts,
                    const std::function<void(std::size_t part, std::string& text)>& make,
                    const std::function<void(const std::string&)>& write) {
  for (std::size_t begin = 0; begin < parts; begin += processes.count) {
    const std::size_t mine = begin + processes.rank;
    const auto make_mine = [&](std::string& text) {
      if (mine >= parts) return;
      make(mine, text);
    };
    for_all(processes, make_mine, [&](const std::string& text) {
      if (processes.first()) write(text);
    });
  }
}

}  // namespace softalign::apps
