// Sharing: what several processes do together, each a part, so that all have the whole. They do the same things in the
// same order; only what is shared out here each does a part of. Of one process all is its own.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "apps/sharing/packed.h"

namespace softalign::apps {

struct Sharing {
  std::size_t place = 0, count = 1;  // of this process, and of them all
  // What each says, by place: called by all.
  std::function<std::vector<std::string>(std::string mine)> exchange = [](std::string mine) {
    return std::vector<std::string>{std::move(mine)};
  };

  bool alone() const { return count == 1; }
  bool first() const { return place == 0; }
};

// The strings that `get` gives to the first, in all.
std::vector<std::string> of_first(const Sharing& sharing, const std::function<std::vector<std::string>()>& get);

// What mine() gives in each, by place. What it throws in one, all throw: of several the first one's.
std::vector<std::string> all_of(const Sharing& sharing, const std::function<std::string()>& mine);

// Those of 0 .. n - 1 that are this process's.
std::vector<std::size_t> part_of(const Sharing& sharing, std::size_t n);

// results[i] for i = 0 .. n - 1, in all; work(mine, results) finds those of `mine`. What it throws in one, all throw.
template <class Result, class Work>
std::vector<Result> share_out(const Sharing& sharing, std::size_t n, const Work& work) {
  std::vector<Result> results(n);
  const std::vector<std::size_t> mine = part_of(sharing, n);
  if (sharing.alone()) {
    work(mine, results);
    return results;
  }
  const std::vector<std::string> all = all_of(sharing, [&] {
    work(mine, results);
    Packer packed;
    for (const std::size_t i : mine) packed(results[i]);
    return packed.take();
  });
  for (std::size_t place = 0; place < sharing.count; ++place) {
    if (place == sharing.place) continue;
    Unpacker theirs(all[place]);
    for (std::size_t i = place; i < n; i += sharing.count) theirs(results[i]);
  }
  return results;
}

// Text of so many parts, in their order to `write` in the first process. make(part, text) adds to the text of a part as
// it goes; what it throws all throw, once the text before it is written.
void write_in_order(const Sharing& sharing, std::size_t parts,
                    const std::function<void(std::size_t part, std::string& text)>& make,
                    const std::function<void(const std::string&)>& write);

}  // namespace softalign::apps
