// This file checks, before main begins, whether OpenBLAS can be loaded under a limit of `ulimit -v`, and whether the
// stack of `ulimit -s` is large enough.
#pragma once

namespace softalign::apps {

// OpenBLAS allocates buffers when it is loaded, before main. If the system refuses them, OpenBLAS never returns.
// Therefore a function in address_space.cpp runs even earlier. If `ulimit -v` limits the memory, this function starts
// the program again with OMP_NUM_THREADS=1, so that OpenBLAS allocates a single buffer at first. If even one buffer
// does not fit, the program prints a message and ends with status 1. check_address_space_first() restores the number of
// threads, so call it first in main.
void check_address_space_first();

}  // namespace softalign::apps
