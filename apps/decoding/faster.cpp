#include "apps/decoding/faster.h"

#include <stdexcept>

#include "apps/cli/command_line.h"
#include "apps/decoding/shortlist.h"
#include "autograd/kernels/int8_weights.h"

namespace softalign::apps {

void declare(CommandLine& line, Faster& faster) {
  line.group("Speed");
  line.add_here("int8", &faster.int8,
                "int8 quantisation: multiply by weights rounded to 8 bits; large models gain most");
  line.add_here(
      "shortlist", &faster.table,
      "TSV file of translations (links --table): write only likely ones of a line's words, or frequent words");
}

void prepare(Faster& faster, const Run& run) {
  if (!faster.table.empty()) {
    if (is_of_texts(run.options))
      throw UsageError("--shortlist: a language model has no source words whose translations could be listed");
    faster.shortlist = read_shortlist(faster.table, run);
  }
  autograd::set_int8(faster.int8);
}

}  // namespace softalign::apps
