// view: a run's alignments as one page that opens from disk in any browser.
#include <fmt/format.h>

#include "apps/cli/command_line.h"
#include "apps/pages/viewer/page.h"
#include "apps/terminal/output.h"
#include "data/io/files.h"
#include "data/io/unicode.h"

using namespace softalign;

namespace {

constexpr std::size_t slow_to_open = 30'000'000;  // bytes

apps::Languages languages_named(const std::string& option) {
  const std::size_t comma = option.find(',');
  const std::string source = option.substr(0, comma), target = comma == option.npos ? "" : option.substr(comma + 1);
  if (source.empty() || target.empty() || target.find(',') != target.npos)
    throw apps::UsageError(fmt::format("--languages {}: give two names with a comma between them, as in English,French",
                                       data::in_quotes(option)));
  return {source, target};
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  apps::PageOptions o;
  std::string out = "page.html", languages;
  apps::CommandLine line("view", "Writes a run's alignments as a page to look at: one file, for any browser.",
                         {"view --run runs/demo --out demo.html             the pairs of runs/demo/alignments.jsonl",
                          "view --run runs/demo --data data/toy/test.tsv    aligned now; the page is page.html",
                          "view --run runs/rnnsearch --compare runs/luong --compare runs/local --data test.tsv"},
                         common);
  line.add_note(
      "A run's alignments.jsonl (align --out), history.jsonl and metrics.jsonl (train), beam.jsonl and\n"
      "interventions.jsonl are shown if they are there. Where it has a model, pairs that have no record\n"
      "yet are aligned, and alternative translations of up to 32 sentences searched for. The film of the\n"
      "training is of the sentences that train --track records, which may be all of the validation pairs;\n"
      "align --intervene writes the interventions of every pair that it is given. With --compare the page\n"
      "opens with both runs next to each other. For sentences of your own: translate --page FILE.");
  line.pass_over(apps::training_names());
  line.add_here("run", &o.run, "the run folder", {.required = true});
  line.add_here("compare", &o.compare, "a further run, to see the same sentences by", {.repeated = true});
  line.add_here(table(o.files));
  line.add_here(table(o.matrix));
  line.add_here("max-length", &o.max_length, "most words a side of these pairs; 0: as in training",
                apps::between(0, models::longest_sentence));
  line.add_here("sentences", &o.sentences, "show only the first so many of the pairs; 0: all",
                apps::between(0, models::many));
  line.add_here("languages", &languages,
                "what the page calls source and target, as in English,French; by default the names in the file "
                "languages of the corpus's folder, or by the endings of parallel files (train.en, train.fr)");
  line.add_here("out", &out, "the page to write, whole or not at all");

  return line.run(argc, argv, [&] {
    if (is_given(o.files)) check(o.files);
    if (!languages.empty()) o.languages = languages_named(languages);
    o.report = [](const std::string& what) { apps::report("{}\n", what); };
    const apps::PageData page = page_data(o);
    for (const std::string& note : page.notes) apps::report("note: {}\n", note);
    const std::string html = apps::make_page(page.title, page.json, page.pictures);
    data::check_not_read(out);
    data::write_file(out, html);
    apps::print("{}: {} {}, {:.1f} MB; open it in a browser\n", out, page.sentences, page.noun,
                static_cast<double>(html.size()) / 1e6);
    if (html.size() > slow_to_open) {
      apps::report(
          "note: {} is {:.0f} MB, and a browser is slow to open a page of this size; --sentences 100 shows the first "
          "100, or choose fewer or shorter pairs with --data\n",
          out, static_cast<double>(html.size()) / 1e6);
    }
    return 0;
  });
}
