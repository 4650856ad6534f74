#include "autograd/threads/internal/blas_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "autograd/memory.h"
#include "autograd/threads/blas.h"

// The declarations of OpenBLAS's <cblas.h> conflict with those of xtensor-blas. Therefore this file declares the
// extensions of OpenBLAS itself.
extern "C" {
char* openblas_get_config();
char* openblas_get_corename();
int openblas_get_parallel();  // 0 sequential, 1 threads of its own, 2 OpenMP
int openblas_get_num_threads();
void openblas_set_num_threads(int threads);
}

namespace softalign::autograd {
namespace {

constexpr int with_openmp = 2;

// kernel_width returns the vector width that a kernel uses, in bits.
int kernel_width(const std::string& core) {
  const auto among = [&](std::initializer_list<const char*> names) {
    return std::find(names.begin(), names.end(), core) != names.end();
  };
  if (among({"SkylakeX", "Cooperlake", "SapphireRapids"})) return 512;
  if (among({"Haswell", "Zen", "Excavator"})) return 256;
  return 128;
}

int cpu_width() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return 512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 256;
#endif
  return 128;
}

void give_kernel(const char* core) {
  // OpenBLAS exports these functions if it has several kernels, but no header declares them. If they are missing, the
  // kernel stays as it is, and blas_warnings() reports it.
  const auto quit = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "gotoblas_dynamic_quit"));
  const auto start = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "gotoblas_dynamic_init"));
  if (!quit || !start) return;
  setenv("OPENBLAS_CORETYPE", core, 1);
  quit();
  start();
  unsetenv("OPENBLAS_CORETYPE");
}

std::size_t limit_of(__rlimit_resource_t resource) {
  struct rlimit limit {};
  const bool limited = ::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return limited ? static_cast<std::size_t>(limit.rlim_cur) : 0;
}

// fit returns whether this many buffers can be mapped in addition to the memory in use.
bool fit(std::size_t buffers) {
  std::vector<void*> mapped;
  bool all = true;
  while (all && mapped.size() < buffers) {
    void* const place = ::mmap(nullptr, blas_buffer_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    all = place != MAP_FAILED;
    if (all) mapped.push_back(place);
  }
  for (void* const place : mapped) ::munmap(place, blas_buffer_bytes);
  return all;
}

double own_addresses() {
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

// address_limit returns the smaller of the limits of addresses (ulimit -v, ulimit -d), or 0 if there is no limit.
std::size_t address_limit() {
  const std::size_t addresses = limit_of(RLIMIT_AS), data = limit_of(RLIMIT_DATA);
  return addresses == 0 || data == 0 ? std::max(addresses, data) : std::min(addresses, data);
}

// If addresses are limited, take_blas_buffers allocates all buffers now and releases them. OpenBLAS keeps its buffers
// for later callers, so it never needs another one. The number of threads must be set before, because setting it
// allocates the first half of the buffers.
void take_blas_buffers(int threads) {
  if (address_limit() == 0) return;
  const auto allocate = reinterpret_cast<void* (*)(int)>(dlsym(RTLD_DEFAULT, "blas_memory_alloc"));
  const auto release = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_DEFAULT, "blas_memory_free"));
  if (!allocate || !release) return;
  std::vector<void*> taken(static_cast<std::size_t>(threads));
  for (void*& each : taken) each = allocate(0);
  for (void* const each : taken) release(each);
}

// debian_alternative returns Debian's name for the choice between the builds of OpenBLAS.
std::string debian_alternative() {
#if defined(__aarch64__)
  return "libopenblas.so.0-aarch64-linux-gnu";
#else
  return "libopenblas.so.0-x86_64-linux-gnu";
#endif
}

}  // namespace

void choose_blas_kernel() {
  const int width = cpu_width();
  if (!std::getenv("OPENBLAS_CORETYPE") && kernel_width(openblas_get_corename()) < width)
    give_kernel(width == 512 ? "SkylakeX" : "Haswell");
}

std::string describe_blas() {
  std::istringstream config(openblas_get_config());  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH USE_OPENMP ..."
  std::string name, version;
  config >> name >> version;
  const int parallel = openblas_get_parallel(), n = openblas_get_num_threads();
  const char* variant = parallel == with_openmp ? "OpenMP" : parallel == 1 ? "own threads" : "sequential";
  return fmt::format("{} {}, {}, {} kernel, {} thread{}", name, version, variant, openblas_get_corename(), n,
                     n == 1 ? "" : "s");
}

std::vector<std::string> blas_library_warnings() {
  std::vector<std::string> warnings;
  const std::string core = openblas_get_corename();
  if (kernel_width(core) < cpu_width()) {
    const char* forced = std::getenv("OPENBLAS_CORETYPE");
    const std::string cause =
        forced ? fmt::format("OPENBLAS_CORETYPE={} in the environment forces", forced) : "OpenBLAS runs";
    const std::string cure =
        forced ? "unset it"
               : "call choose_blas_kernel() at start, or set OPENBLAS_CORETYPE=Haswell, SkylakeX for 512 bits";
    warnings.push_back(
        fmt::format("{} the {} kernel ({} bits) on a CPU with {} bits, which at least halves the speed; {}", cause,
                    core, kernel_width(core), cpu_width(), cure));
  }
  if (openblas_get_parallel() != with_openmp)
    warnings.push_back(
        "this OpenBLAS is not the OpenMP build, so it runs on one thread. On Debian: sudo apt-get install "
        "libopenblas0-openmp, then choose it: sudo update-alternatives --config " +
        debian_alternative());
  return warnings;
}

void check_blas_buffers(int threads) {
  const std::size_t limit = address_limit();
  if (limit == 0) return;
  static std::size_t mapped = static_cast<std::size_t>(std::max(openblas_get_num_threads(), 1));  // at load time
  const std::size_t needed = 2 * static_cast<std::size_t>(threads);
  if (needed <= mapped) return;
  if (!fit(needed - mapped))
    throw std::runtime_error(
        fmt::format("not enough memory: OpenBLAS needs {} of addresses for {} thread{}, besides the program's own {}, "
                    "and ulimit {} "
                    "leaves {} in all; {}raise the limit",
                    format_bytes(static_cast<double>(needed * blas_buffer_bytes)), threads, threads == 1 ? "" : "s",
                    format_bytes(own_addresses() - static_cast<double>(mapped * blas_buffer_bytes)),
                    limit == limit_of(RLIMIT_AS) ? "-v" : "-d", format_bytes(static_cast<double>(limit)),
                    threads == 1 ? "" : "give fewer --threads or "));
  mapped = needed;
}

void set_blas_threads(int threads) {
  openblas_set_num_threads(openblas_get_parallel() == with_openmp ? threads : 1);
  take_blas_buffers(threads);
}

}  // namespace softalign::autograd
