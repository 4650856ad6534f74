// Before everything else: whether OpenBLAS can be loaded at all under ulimit -v.
#pragma once

namespace softalign::apps {

// OpenBLAS takes buffers when it is loaded, before main, and never comes back where the system refuses them. A function
// in address_space.cpp runs before that. Under a limit it starts the program again with OMP_NUM_THREADS=1, so that
// OpenBLAS takes a single buffer at first, and ends it with status 1 and a message where even that does not fit. This
// function sets the number of threads back to what it was; call it first in main.
void check_address_space_first();

}  // namespace softalign::apps
