// Checks, before everything else, whether OpenBLAS can be loaded under ulimit -v.
#pragma once

namespace softalign::apps {

// OpenBLAS allocates buffers when it is loaded, before main, and never returns if the system refuses them. A function
// in address_space.cpp runs before that. If there is a limit, it starts the program again with OMP_NUM_THREADS=1, so
// that OpenBLAS allocates a single buffer at first. If even that does not fit, the program ends with status 1 and a
// message. This function restores the number of threads; call it first in main.
void check_address_space_first();

}  // namespace softalign::apps
