// The program `view` writes a run's alignments as one page, which any browser opens from disk.
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

struct ViewOptions {
  apps::PageOptions page;
  std::string records;  // --in: a file of records instead of a run
  std::string languages, out;
  bool live = false;
};

void declare(apps::CommandLine& line, ViewOptions& o) {
  line.pass_over(apps::training_names());
  line.add_here("run", &o.page.run, "run folder to show");
  line.add_here(
      "in", &o.records,
      "file of alignment records to show instead of a run folder. align, translate, links and convert write such files "
      "in the format jsonl");
  line.add_here("compare", &o.page.compare,
                "another run folder. For the same sentences, the page shows the attention of both runs next to each "
                "other",
                {.repeated = true});
  line.add_here(table(o.page.files));
  line.add_here(table(o.page.matrix));
  line.add_here("max-length", &o.page.max_length,
                "largest number of words per side of the pairs; 0: the --max-length of the training",
                apps::between(0, models::longest_sentence));
  line.add_here("sentences", &o.page.sentences, "show only the first N pairs; 0: all", apps::between(0, models::many));
  line.add_here("languages", &o.languages,
                "names of the source and the target language, for example English,French. Default: the names in the "
                "file `languages` of the corpus folder, or the endings of parallel files (train.en, train.fr)");
  line.add_here("live", &o.live,
                "write a page that runs the model of --run in the browser (live page). You type a sentence and see its "
                "translation, change attention weights, and train a small model. If the model has another task, you "
                "paint a picture, write a story and a question, or write two sentences or a text. For a model without "
                "attention, the page shows only words and their probabilities. --live needs softalign for browsers, "
                "which `.ci/wasm.sh module` builds");
  line.add_here(
      "out", &o.out,
      "HTML file to write. An old file is replaced only when the new page is complete. Default: page.html in the "
      "folder --run");
}

// Throws UsageError for options that do not fit each other, and sets options that follow from others.
void complete(const apps::CommandLine& line, ViewOptions& o) {
  if (o.page.run.empty() == o.records.empty())
    throw apps::UsageError(
        o.records.empty()
            ? fmt::format("nothing to show is given. Add --run RUN, or --in FILE.jsonl. {}", apps::advice_on_runs())
            : "--run and --in both name what to show. Remove one of them");
  if (!o.records.empty()) {
    if (is_given(o.page.files))
      throw apps::UsageError(
          "--in shows the records of a file, and --data needs the model of a run. Remove --data, or use --run");
    if (!apps::is_record_file(o.records))
      throw data::Error(
          data::ErrorKind::missing_file,
          fmt::format("--in {}: no such file. To show a run folder, use --run", data::in_quotes(o.records)));
    o.page.run = o.records;
    if (o.live) throw apps::UsageError("--live needs a model, and --in names a file of records. Use --run RUN");
  }
  if (is_given(o.page.files)) check(o.page.files);
  if (o.records.empty()) apps::check_is_run(o.page.run);
  if (!o.languages.empty()) o.page.languages = languages_named(o.languages);
  if (!line.given("out")) o.out = (std::filesystem::path(o.page.run) / "page.html").string();
  if (!apps::is_page_name(o.out))
    throw apps::UsageError(
        fmt::format("--out {}: the page is an HTML file. Give a name that ends in .html", data::in_quotes(o.out)));
}

void write_page(ViewOptions& o) {
  std::optional<apps::LiveParts> parts;
  if (o.live) parts = apps::live_parts(o.page.run);
  o.page.without_attention = o.live;
  o.page.report = [](const std::string& what) { apps::report("{}\n", what); };
  const apps::PageData page = page_data(o.page);
  if (parts && !parts->note.empty()) apps::report("note: {}\n", parts->note);
  for (const std::string& note : page.notes) apps::report("note: {}\n", note);
  const std::string html = apps::make_page(page.title, page.json, page.pictures, parts ? &*parts : nullptr);
  data::OutputFile(o.out).write_all(html);
  apps::show("{} has {} {} and {:.1f} MB. Open it in a browser\n", o.out, page.sentences, page.noun,
             static_cast<double>(html.size()) / 1e6);
  if (html.size() > slow_to_open) {
    apps::report(
        "note: {} is {:.0f} MB, and browsers open a page of this size slowly. For a smaller page, add --sentences "
        "100, or fewer or shorter pairs with --data FILE\n",
        o.out, static_cast<double>(html.size()) / 1e6);
  }
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  ViewOptions o;
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
  declare(line, o);
  return line.run(argc, argv, [&] {
    complete(line, o);
    write_page(o);
    return 0;
  });
}
