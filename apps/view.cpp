// view: a run's alignments as one page that opens from disk in any browser.
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "apps/cli/command_line.h"
#include "apps/pages/viewer/live_parts.h"
#include "apps/pages/viewer/page.h"
#include "apps/pages/viewer/shown_run.h"
#include "apps/terminal/output.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/unicode.h"

using namespace softalign;

namespace {

constexpr std::size_t slow_to_open = 30'000'000;  // bytes

apps::Languages languages_named(const std::string& option) {
  const std::size_t comma = option.find(',');
  const std::string source = option.substr(0, comma), target = comma == option.npos ? "" : option.substr(comma + 1);
  if (source.empty() || target.empty() || target.find(',') != target.npos)
    throw apps::UsageError(fmt::format(
        "--languages {}: two names with a comma between them are needed, for example --languages English,French",
        data::in_quotes(option)));
  return {source, target};
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  apps::PageOptions o;
  std::string out, languages, in;
  bool live = false;
  apps::CommandLine line("view",
                         "Writes the alignments of a run as an interactive page: one HTML file for any browser.",
                         {"view --run runs/demo --out demo.html             shows runs/demo/alignments.jsonl",
                          "view --run runs/demo --data data/toy/test.tsv    aligns now; writes runs/demo/page.html",
                          "view --in links.jsonl --out links.html           records of links, align or translate",
                          "view --run runs/demo --live --out live.html      translates your sentences in the browser",
                          "view --run runs/rnnsearch --compare runs/luong --compare runs/local --data test.tsv"},
                         common);
  line.add_note(
      "The page shows these files of the run folder, if they exist: alignments.jsonl (from align "
      "--out), history.jsonl and metrics.jsonl (from train), beam.jsonl, and interventions.jsonl (from "
      "align --intervene). If the run has a model, view aligns pairs that have no record, and searches "
      "for alternative translations of up to 32 sentences. The training timeline shows the sentences that train "
      "--track recorded. With --compare the page opens with both runs side by side. For your own sentences, use "
      "translate --page FILE.");
  line.pass_over(apps::training_names());
  line.add_here("run", &o.run, "run folder to show");
  line.add_here(
      "in", &in,
      "file of alignment records to show instead of a run folder: the format jsonl of align, translate, links and "
      "convert");
  line.add_here("compare", &o.compare,
                "another run folder. For the same sentences, the page shows the attention of both runs next to each "
                "other",
                {.repeated = true});
  line.add_here(table(o.files));
  line.add_here(table(o.matrix));
  line.add_here("max-length", &o.max_length,
                "largest number of words per side of the pairs; 0: the --max-length of the training",
                apps::between(0, models::longest_sentence));
  line.add_here("sentences", &o.sentences, "show only the first N pairs; 0: all", apps::between(0, models::many));
  line.add_here("languages", &languages,
                "names of the source and the target language, for example English,French. Default: the names in the "
                "file `languages` of the corpus folder, or the endings of parallel files (train.en, train.fr)");
  line.add_here("live", &live,
                "write a live page, which contains the engine and the model of --run. You type a sentence and see its "
                "translation, change attention weights, and train a small model. Needs a translation model with "
                "attention, and the engine for browsers, which `.ci/wasm.sh module` builds");
  line.add_here(
      "out", &out,
      "HTML file to write. An old file is replaced only when the new page is complete. Default: page.html in the "
      "folder --run");

  return line.run(argc, argv, [&] {
    if (o.run.empty() == in.empty())
      throw apps::UsageError(in.empty() ? "nothing to show is given. Add --run RUN, or --in FILE.jsonl"
                                        : "--run and --in both name what to show. Remove one of them");
    if (!in.empty()) {
      if (is_given(o.files))
        throw apps::UsageError(
            "--in shows the records of a file, and --data needs the model of a run. Remove --data, or use --run");
      if (!apps::is_record_file(in))
        throw data::Error(data::ErrorKind::missing_file,
                          fmt::format("--in {}: no such file. To show a run folder, use --run", data::in_quotes(in)));
      o.run = in;
      if (live) throw apps::UsageError("--live needs a model, and --in names a file of records. Use --run RUN");
    }
    if (is_given(o.files)) check(o.files);
    if (in.empty()) apps::check_is_run(o.run);
    if (!languages.empty()) o.languages = languages_named(languages);
    if (!line.given("out")) out = (std::filesystem::path(o.run) / "page.html").string();
    std::optional<apps::LiveParts> parts;
    if (live) parts = apps::live_parts(o.run);
    o.report = [](const std::string& what) { apps::report("{}\n", what); };
    const apps::PageData page = page_data(o);
    if (parts && !parts->note.empty()) apps::report("note: {}\n", parts->note);
    for (const std::string& note : page.notes) apps::report("note: {}\n", note);
    const std::string html = apps::make_page(page.title, page.json, page.pictures, parts ? &*parts : nullptr);
    data::OutputFile(out).write_all(html);
    apps::show("{} has {} {} and {:.1f} MB. Open it in a browser\n", out, page.sentences, page.noun,
               static_cast<double>(html.size()) / 1e6);
    if (html.size() > slow_to_open) {
      apps::report(
          "note: {} is {:.0f} MB, and browsers open a page of this size slowly. For a smaller page, add --sentences "
          "100, or fewer or shorter pairs with --data FILE\n",
          out, static_cast<double>(html.size()) / 1e6);
    }
    return 0;
  });
}
