#include "apps/inference/unknown_words.h"

#include <stdexcept>

#include "apps/cli/command_line.h"
#include "data/alignment/lexicon.h"

namespace softalign::apps {

void declare(CommandLine& line, UnknownWords& unknown) {
  line.group("Unknown words");
  line.add_here("replace-unknown", &unknown.replace,
                "write for each <unk> the source word that it looked at most, translated by --lexicon if that has it");
  line.add_here("lexicon", &unknown.lexicon_path, "TSV file of source words and their translations (align --lexicon)");
}

void prepare(UnknownWords& unknown) {
  if (unknown.lexicon_path.empty()) return;
  if (!unknown.replace) throw UsageError("--lexicon is for --replace-unknown; give both");
  unknown.lexicon = data::read_lexicon(unknown.lexicon_path);
}

void replace_unknown(data::Record& record, const UnknownWords& unknown) {
  if (!unknown.replace) return;
  if (record.matrix.empty()) {
    throw std::runtime_error("--replace-unknown: the run's model has no attention to find the source words by");
  }
  data::replace_unknown(record, unknown.lexicon);
}

}  // namespace softalign::apps
