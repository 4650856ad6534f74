#include "autograd/linalg/blas_buffers.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "autograd/storage/memory_limit.h"

extern "C" int openblas_get_num_threads();

namespace softalign::autograd {
namespace {

std::size_t limit_of(__rlimit_resource_t resource) {
  struct rlimit limit {};
  const bool limited = ::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return limited ? static_cast<std::size_t>(limit.rlim_cur) : 0;
}

// Whether so many buffers can be mapped besides what there is.
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

}  // namespace

std::size_t address_limit() {
  const std::size_t addresses = limit_of(RLIMIT_AS), data = limit_of(RLIMIT_DATA);
  return addresses == 0 || data == 0 ? std::max(addresses, data) : std::min(addresses, data);
}

void check_blas_buffers(int threads) {
  const std::size_t limit = address_limit();
  if (limit == 0) return;
  static std::size_t mapped = static_cast<std::size_t>(std::max(openblas_get_num_threads(), 1));  // when it was loaded
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

// OpenBLAS keeps what it has mapped, and gives it to the next caller.
void take_blas_buffers(int threads) {
  if (address_limit() == 0) return;
  const auto allocate = reinterpret_cast<void* (*)(int)>(dlsym(RTLD_DEFAULT, "blas_memory_alloc"));
  const auto release = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_DEFAULT, "blas_memory_free"));
  if (!allocate || !release) return;
  std::vector<void*> taken(static_cast<std::size_t>(threads));
  for (void*& each : taken) each = allocate(0);
  for (void* const each : taken) release(each);
}

}  // namespace softalign::autograd
