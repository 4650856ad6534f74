#include "apps/cli/generate.h"

#include "apps/cli/completion.h"
#include "apps/cli/man_page.h"
#include "data/io/choice.h"

namespace softalign::apps {

namespace {

using Write = std::string (*)(const Manual&);

const data::Choice<Write>& forms() {
  static const data::Choice<Write> choice(
      "form", {{"man", man_page}, {"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}});
  return choice;
}

}  // namespace

const std::vector<std::string>& generated_forms() { return forms().names(); }

std::string generate(const Manual& manual, const std::string& form) {
  Manual installed = manual;
  installed.called = "softalign-" + manual.program;
  return forms().at(form)(installed);
}

}  // namespace softalign::apps
