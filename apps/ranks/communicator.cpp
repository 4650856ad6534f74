#include "apps/ranks/communicator.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <string_view>
#include <thread>
#include <utility>

#include "autograd/random.h"
#include "data/io/error.h"

#ifdef SOFTALIGN_MPI
#define OMPI_SKIP_MPICXX  // leaves out the C++ interface, which MPI has abandoned
#include <mpi.h>
#endif

namespace softalign::apps {

Communicator::Communicator(Communicator&& other) noexcept
    : rank_(other.rank_), count_(other.count_), here_(other.here_), begun_(std::exchange(other.begun_, false)) {}

int Communicator::threads_each() const {
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());  // cores that this process may use
  const auto all = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  return std::max(1, std::min(cores, all / static_cast<int>(here_)));
}

std::string describe_sent(const Communicator& ranks, std::size_t steps) {
  if (ranks.alone() || steps == 0) return "";
  return fmt::format("{} processes; each process sent {:.2f} MB in {} messages per step\n", ranks.count(),
                     1e-6 * static_cast<double>(ranks.sent().bytes) / static_cast<double>(steps),
                     (ranks.sent().messages + steps / 2) / steps);
}

#ifdef SOFTALIGN_MPI
namespace {

// Returns true if a launcher has started this process as one of several. Open MPI, MPICH and Slurm set these variables.
bool is_launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"})
    if (std::getenv(name)) return true;
  return false;
}

// Collects the bytes of all ranks in `all`, one rank after the other. `sizes` has the number of bytes per rank. MPI
// counts in int, so larger data are broadcast in pieces by one rank after the other.
void gather(const char* mine, char* all, const std::vector<std::size_t>& sizes, std::size_t rank) {
  constexpr std::size_t most = std::size_t{1} << 30;
  std::vector<int> counts, places;
  std::size_t total = 0;
  for (const std::size_t size : sizes) {
    counts.push_back(static_cast<int>(size)), places.push_back(static_cast<int>(total));
    total += size;
  }
  if (total > most) {
    for (std::size_t r = 0; r < sizes.size(); all += sizes[r++]) {
      if (r == rank) std::copy_n(mine, sizes[r], all);
      for (std::size_t begin = 0; begin < sizes[r]; begin += most)
        MPI_Bcast(all + begin, static_cast<int>(std::min(most, sizes[r] - begin)), MPI_BYTE, static_cast<int>(r),
                  MPI_COMM_WORLD);
    }
    return;
  }
  MPI_Allgatherv(mine, counts[rank], MPI_BYTE, all, counts.data(), places.data(), MPI_BYTE, MPI_COMM_WORLD);
}

}  // namespace

Communicator Communicator::started_together() {
  Communicator ranks;
  if (!is_launched()) return ranks;
  // A waiting process gives its core to other processes. If no process needs the core, the waiting process gets it back
  // at once.
  ::setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
  // Before a process sends a large message, it waits for a short answer of the receiver. While the data of another
  // message fill the network, this answer is late, and the sender is idle. With a second TCP connection, the data of
  // two messages are on their way.
  ::setenv("OMPI_MCA_btl_tcp_links", "2", 0);
  MPI_Init(nullptr, nullptr);
  ranks.begun_ = true;
  int rank = 0, count = 1, here = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, &here);
  MPI_Comm_free(&machine);
  ranks.rank_ = static_cast<std::size_t>(rank), ranks.count_ = static_cast<std::size_t>(count);
  ranks.here_ = static_cast<std::size_t>(here);
  return ranks;
}

Communicator::~Communicator() {
  if (begun_) MPI_Finalize();
}

void Communicator::end_all(int status) const {
  std::cout.flush(), std::fflush(nullptr);  // MPI_Abort need not flush streams
  if (begun_ && !alone()) MPI_Abort(MPI_COMM_WORLD, status);
  std::exit(status);
}

#else  // without MPI
namespace {

bool several_are_launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}) {
    const char* const size = std::getenv(name);
    if (size && std::atoi(size) > 1) return true;
  }
  return false;
}

void gather(const char*, char*, const std::vector<std::size_t>&, std::size_t) {}  // there is nothing to gather

}  // namespace

Communicator Communicator::started_together() {
  if (several_are_launched())
    throw data::Error(data::ErrorKind::wrong_usage,
                      "mpirun started several processes, but this build has no MPI. Install libopenmpi-dev and "
                      "openmpi-bin, and then configure and build again. Or start only one process");
  return {};
}
Communicator::~Communicator() = default;
void Communicator::end_all(int status) const { std::exit(status); }

#endif

namespace {

template <class T>
std::vector<T> gathered(const Communicator& ranks, std::span<const T> mine, const std::vector<std::size_t>& sizes) {
  if (ranks.alone()) return {mine.begin(), mine.end()};
  std::vector<T> all(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
  std::vector<std::size_t> bytes;
  for (const std::size_t size : sizes) bytes.push_back(size * sizeof(T));
  gather(reinterpret_cast<const char*>(mine.data()), reinterpret_cast<char*>(all.data()), bytes, ranks.rank());
  return all;
}

template <class T>
std::vector<T> gathered(const Communicator& ranks, std::span<const T> mine) {  // same size in each rank
  return gathered(ranks, mine, std::vector<std::size_t>(ranks.count(), mine.size()));
}

}  // namespace

void Communicator::barrier() const { any(false); }

bool Communicator::any(bool mine) const {
  const std::vector<char> flags = gathered<char>(*this, std::vector<char>{mine ? char{1} : char{0}});
  return std::find(flags.begin(), flags.end(), 1) != flags.end();
}

std::vector<std::uint64_t> Communicator::all(std::uint64_t mine) const {
  return gathered<std::uint64_t>(*this, std::vector<std::uint64_t>{mine});
}

std::vector<std::string> Communicator::all(const std::string& mine) const {
  const std::vector<std::uint64_t> lengths = all(mine.size());
  const std::vector<char> text = gathered<char>(*this, mine, {lengths.begin(), lengths.end()});
  std::vector<std::string> parts;
  auto begin = text.begin();
  for (const std::uint64_t length : lengths) {
    const auto end = begin + static_cast<std::ptrdiff_t>(length);
    parts.emplace_back(std::exchange(begin, end), end);
  }
  return parts;
}

void Communicator::sum(std::span<double> values) const {
  if (alone() || values.empty()) return;
  const std::vector<double> theirs = gathered<double>(*this, values);
  std::fill(values.begin(), values.end(), 0.);
  for (std::size_t i = 0; i < theirs.size(); ++i) values[i % values.size()] += theirs[i];
  count_sent(values.size_bytes() * (count_ - 1), count_ - 1);
}

std::vector<std::uint32_t> Communicator::joined(const std::vector<std::uint32_t>& mine) const {
  return joined(mine, std::vector<std::size_t>(count_, mine.size()));
}

std::vector<std::uint32_t> Communicator::joined(const std::vector<std::uint32_t>& mine,
                                                const std::vector<std::size_t>& sizes) const {
  count_sent(mine.size() * sizeof(std::uint32_t) * (count_ - 1), count_ - 1);
  return gathered<std::uint32_t>(*this, mine, sizes);
}

std::vector<Real> Communicator::joined(const std::vector<Real>& mine, const std::vector<std::size_t>& sizes) const {
  count_sent(mine.size() * sizeof(Real) * (count_ - 1), count_ - 1);
  return gathered<Real>(*this, mine, sizes);
}

void check_same(const Communicator& ranks, const std::vector<std::pair<std::string, std::uint64_t>>& values) {
  for (const auto& [what, mine] : values) {
    const std::vector<std::uint64_t> theirs = ranks.all(mine);
    const auto other = std::find_if(theirs.begin(), theirs.end(), [&](auto its) { return its != theirs[0]; });
    if (other != theirs.end())
      throw data::Error(data::ErrorKind::wrong_usage,
                        fmt::format("process {} has different {} than process 0. Give all processes the same files and "
                                    "options, and run them on processors of one kind",
                                    other - theirs.begin(), what));
  }
}

std::uint64_t hash(const autograd::Params& params) {
  autograd::Fnv1a h;
  for (const autograd::Parameter& p : params.all())
    h.add(std::string_view(reinterpret_cast<const char*>(p.var.value().data()), p.var.value().size() * sizeof(Real)));
  return h.value;
}

}  // namespace softalign::apps
