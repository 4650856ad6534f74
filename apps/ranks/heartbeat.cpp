#include "apps/ranks/heartbeat.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <sstream>
#include <thread>
#include <utility>

namespace softalign::apps {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

std::uint64_t random_key() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

// Returns the IPv4 addresses of this machine, one word each.
std::string own_addresses() {
  std::string words;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return words;
  for (const ifaddrs* i = list; i; i = i->ifa_next) {
    if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET) continue;
    std::array<char, INET_ADDRSTRLEN> text{};
    const void* const address = &reinterpret_cast<const sockaddr_in*>(i->ifa_addr)->sin_addr;
    if (::inet_ntop(AF_INET, address, text.data(), text.size())) words += std::string(" ") + text.data();
  }
  ::freeifaddrs(list);
  return words;
}

// Returns a UDP socket on a free port of all addresses, or -1 if there is none.
int bound_socket() {
  const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  sockaddr_in any{};
  any.sin_family = AF_INET;
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&any), sizeof any) == 0) return fd;
  ::close(fd);
  return -1;
}

std::uint16_t port_of(int fd) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

}  // namespace

class Heartbeat::Thread {
 public:
  // `contact` has the key, the port and the addresses of process 0.
  Thread(int fd, std::size_t rank, std::size_t count, const std::string& contact, Lost lost, milliseconds limit,
         milliseconds interval)
      : socket_(fd), lost_(std::move(lost)), limit_(limit), interval_(interval), silent_(count), heard_(count) {
    own_.rank = rank;
    std::istringstream words(contact);
    std::uint16_t port = 0;
    words >> own_.key >> port;
    for (std::string word; words >> word;) {
      sockaddr_in address{};
      address.sin_family = AF_INET, address.sin_port = htons(port);
      if (::inet_pton(AF_INET, word.c_str(), &address.sin_addr) == 1) first_.push_back(address);
    }
    if (::pipe(stop_.data()) != 0) return;
    thread_ = std::thread([this] { run(); });
  }

  ~Thread() {
    if (thread_.joinable()) {
      ::close(stop_[1]);
      thread_.join();
      ::close(stop_[0]);
    }
    ::close(socket_);
  }

 private:
  // Beat is one message. Messages with another key belong to another job.
  struct Beat {
    std::uint64_t key = 0, rank = 0;
  };

  void send_own(const sockaddr_in& to) const {
    // A message that cannot be sent now is like one that the network lost.
    (void)::sendto(socket_, &own_, sizeof own_, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
  }

  void run() {
    Clock::time_point before = Clock::now(), sent = before - interval_;
    while (true) {
      if (own_.rank != 0 && Clock::now() - sent >= interval_) {
        for (const sockaddr_in& address : first_) send_own(address);
        sent = Clock::now();
      }
      std::array<pollfd, 2> sources{{{socket_, POLLIN, 0}, {stop_[0], POLLIN, 0}}};
      ::poll(sources.data(), sources.size(), static_cast<int>(interval_.count()));
      if (sources[1].revents != 0) return;
      receive();
      const Clock::time_point now = Clock::now();
      // If more than two intervals passed, this process was stopped and could not hear the others, so only two count.
      const auto awake = std::min<Clock::duration>(now - std::exchange(before, now), 2 * interval_);
      for (std::size_t r = 0; r < silent_.size(); ++r)
        if (heard_[r] && (silent_[r] += awake) > limit_) return lost_(r);
    }
  }

  void receive() {
    Beat beat;
    sockaddr_in from{};
    socklen_t size = sizeof from;
    while (::recvfrom(socket_, &beat, sizeof beat, 0, reinterpret_cast<sockaddr*>(&from), &size) == sizeof beat) {
      if (beat.key != own_.key || beat.rank >= silent_.size() || beat.rank == own_.rank) continue;
      heard_[beat.rank] = true;
      silent_[beat.rank] = {};
      if (own_.rank == 0) send_own(from);
      size = sizeof from;
    }
  }

  int socket_;
  Lost lost_;
  milliseconds limit_, interval_;
  Beat own_;
  std::vector<sockaddr_in> first_;       // addresses of process 0
  std::vector<Clock::duration> silent_;  // per process: time since its last message
  std::vector<bool> heard_;              // a process that was never heard is not watched
  std::array<int, 2> stop_{-1, -1};      // a pipe; closing it ends the thread
  std::thread thread_;
};

Heartbeat::Heartbeat(std::size_t rank, const All& all, Lost lost, milliseconds longest, milliseconds every) {
  const int fd = bound_socket();
  std::ostringstream contact;
  if (rank == 0 && fd >= 0) contact << random_key() << ' ' << port_of(fd) << own_addresses();
  const std::vector<std::string> contacts = all(contact.str());
  if (fd >= 0)
    thread_ = std::make_unique<Thread>(fd, rank, contacts.size(), contacts[0], std::move(lost), longest, every);
}

Heartbeat::~Heartbeat() = default;

}  // namespace softalign::apps
