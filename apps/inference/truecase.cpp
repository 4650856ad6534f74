#include "apps/inference/truecase.h"

#include <fmt/format.h>

#include "apps/cli/command_line.h"
#include "data/io/error.h"
#include "data/text/tokenizer.h"
#include "data/text/truecasing.h"

namespace softalign::apps {

void declare_case(CommandLine& line, Capitals& how) {
  line.add_here("case", &how,
                "how to capitalise the translation. `none`: keep what the model writes; `source`: copy the capitals of "
                "the aligned source words; `table`: write each word as the training text most often writes the word. "
                "With `source` and `table`, a translation begins with a capital if its source begins with one");
}

void check_case(const LoadedRun& run, Capitals how) {
  if (how == Capitals::none) return;
  const data::TokenizerOptions text = tokenizer_options(run.options);
  if (!text.lowercase || text.scheme == data::Tokenization::none) {
    throw data::Error(
        data::ErrorKind::wrong_usage,
        fmt::format("--case {} has no effect, because the model of this run writes capitals itself. Remove --case",
                    autograd::name_of(how)));
  }
  if (how == Capitals::source && !run.model->decoder().attends()) {
    throw data::Error(data::ErrorKind::wrong_usage,
                      fmt::format("--case source finds the source words by the attention, and the model {} has no "
                                  "attention. Use --case table",
                                  run.options.model.model));
  }
  if (how == Capitals::table && run.truecase_model.empty()) {
    throw data::Error(data::ErrorKind::wrong_usage,
                      "--case table: the run folder has no file target.case. train writes this file only if the "
                      "training text has capitals. Use --case source");
  }
}

data::Tokens written(const LoadedRun& run, const SourceText& source, const data::Record& record, Capitals how) {
  if (how == Capitals::none) return record.target;
  data::TokenizerOptions as_written = tokenizer_options(run.options);
  as_written.lowercase = false;
  const data::Tokens forms = data::tokenize(source.line, as_written);
  if (forms.size() != source.words.size()) return record.target;  // capitals changed the number of tokens
  const data::Tokens tokens = how == Capitals::table
                                  ? data::truecased(record.target, run.truecase_model)
                                  : data::cased_like_source(record.target, source.words, forms, record.links);
  return data::with_first_capital(tokens, forms);
}

}  // namespace softalign::apps
