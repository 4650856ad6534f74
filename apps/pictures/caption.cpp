// The program `caption` reads pictures and writes one caption per line.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <optional>

#include "apps/cli/command_line.h"
#include "apps/cli/input.h"
#include "apps/inference/align_pairs.h"
#include "apps/inference/alignment_format.h"
#include "apps/inference/decoding.h"
#include "apps/run/run_folder.h"
#include "apps/run/run_text.h"
#include "apps/terminal/output.h"
#include "apps/terminal/terminal.h"
#include "data/alignment/record.h"
#include "data/corpus/corpus.h"
#include "data/io/commands.h"
#include "data/io/error.h"
#include "data/io/unicode.h"
#include "data/pictures/picture_file.h"

using namespace softalign;

namespace {

struct CaptionOptions {
  std::vector<std::string> runs, pictures;
  std::optional<data::AlignmentFormat> alignment;  // jsonl or plot
  apps::UseColour colour = apps::UseColour::automatic;
  models::BeamOptions search;
  std::size_t batch = 32;
};

class Captions {
 public:
  Captions(const apps::LoadedRun& run, const CaptionOptions& options)
      : run_(run), options_(options), style_(apps::screen_style(options.colour)) {
    options_.search.at_most = apps::most_caption_words(run.options);
  }

  // Prints the captions of the pictures in their order. If a name is blank or its picture cannot be read, the line or
  // the record is blank. If `input` is the name of the file with the names, the message about an unreadable picture
  // starts with `input` and the line number.
  void write(const std::vector<std::string>& paths, const std::string& input = "") {
    std::vector<data::EncodedPair> encoded;
    std::vector<std::optional<apps::SourceText>> all;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      all.emplace_back();
      if (!input.empty() && data::split_words(paths[i]).empty()) continue;
      try {
        if (options_.alignment == data::AlignmentFormat::jsonl && data::invalid_utf8(paths[i]))
          throw data::Error(
              data::ErrorKind::bad_data,
              fmt::format("picture {}: the file name is not UTF-8, so a JSON record cannot contain it. Rename the file",
                          written_ + i + 1));
        all.back() = picture_source(run_, data::read_picture(paths[i]), paths[i]);
        encoded.push_back(apps::encoded(*all.back()));
      } catch (const std::runtime_error& cause) {
        apps::report_error(data::without_commands(
            input.empty() ? cause.what() : fmt::format("{}:{}: {}", input, written_ + i + 1, cause.what())));
        all_read_ = false;
      }
    }
    const auto found = apps::search(*run_.model, run_.params, encoded, options_.search, options_.batch);
    auto next = found.begin();
    for (const std::optional<apps::SourceText>& source : all) {
      apps::put_painted(source ? answer(*source, *next++, written_) : blank_answer(written_));
      ++written_;
    }
    std::cout.flush();
    if (!std::cout) throw data::Error(data::ErrorKind::io_error, "standard output could not be written");
  }

  bool all_read() const { return all_read_; }

 private:
  std::string blank_answer(std::size_t id) const {
    if (options_.alignment == data::AlignmentFormat::jsonl) {
      data::Record record = data::blank_record(id);
      record.mode = search_mode(run_, options_.search.beam);
      return apps::on_screen(format_record(record, data::AlignmentFormat::jsonl, style_));
    }
    return options_.search.n_best > 1 ? fmt::format("{} |||  ||| 0\n", id) : "\n";
  }

  std::string answer(const apps::SourceText& source, const std::vector<models::Hypothesis>& found,
                     std::size_t id) const {
    std::string text;
    for (std::size_t rank = 0; rank < found.size(); ++rank) {
      const data::DecodingMode mode = search_mode(run_, options_.search.beam);
      const data::Record record = complete_record(run_, source, found[rank], mode, id, rank);
      const std::string sentence = detokenize(run_, record.target);
      if (options_.alignment == data::AlignmentFormat::jsonl) {
        text += apps::on_screen(format_record(record, data::AlignmentFormat::jsonl, style_));
        continue;
      }
      text += apps::on_screen(options_.search.n_best > 1
                                  ? fmt::format("{} ||| {} ||| {:.6g}\n", id, sentence, found[rank].score)
                                  : sentence + "\n");
      if (options_.alignment == data::AlignmentFormat::plot)
        text += format_record(record, data::AlignmentFormat::plot, style_);
    }
    return text;
  }

  const apps::LoadedRun& run_;
  CaptionOptions options_;
  apps::HeatmapStyle style_;
  std::size_t written_ = 0;
  bool all_read_ = true;
};

std::string no_picture(const CaptionOptions& o) {
  std::string command = data::command("caption");
  for (const std::string& run : o.runs) command += " --run " + data::shell_word(run);
  return fmt::format(
      "no picture is given. Name the files: {0} picture.png. Or give the file names on standard input: find . -name "
      "'*.png' | {0}",
      command);
}

int caption(const CaptionOptions& o) {
  if (o.pictures.empty() && apps::is_terminal(STDIN_FILENO)) throw apps::UsageError(no_picture(o));
  const apps::LoadedRun run = apps::load_runs(o.runs);
  apps::check_task(run.options.task, models::Task::captioning, "--run " + o.runs.front());
  Captions captions(run, o);
  for (std::size_t begin = 0; begin < o.pictures.size(); begin += o.batch) {
    const auto first = o.pictures.begin() + static_cast<std::ptrdiff_t>(begin);
    captions.write({first, first + static_cast<std::ptrdiff_t>(std::min(o.batch, o.pictures.size() - begin))});
  }
  if (!o.pictures.empty()) return captions.all_read() ? 0 : 1;
  const std::string name = "standard input";
  apps::LineReader input(STDIN_FILENO, name);
  bool any = false;
  for (auto paths = input.next(o.batch); !paths.empty(); paths = input.next(o.batch)) {
    captions.write(paths, name);
    any = true;
  }
  if (!any) throw apps::UsageError(no_picture(o));
  return captions.all_read() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  CaptionOptions o;
  apps::CommandLine line(
      "caption",
      "Describes pictures (PNG, JPEG, PPM), one line per picture, and shows which cells the model attended to for each "
      "word. Without arguments, it reads file names from standard input.",
      {"caption --run runs/shapes picture.png --alignment plot", "caption --run runs/shapes *.png --beam 5",
       "find . -name '*.png' | caption --run runs/shapes --alignment jsonl > captions.jsonl"},
      common);
  line.pass_over(apps::training_names());
  line.add_word("PICTURE", &o.pictures, "picture file: PNG, JPEG or PPM");
  line.add_here(apps::runs_table(o.runs));
  line.advise_if_missing("run", apps::advice_on_runs);
  declare(line, o.search);
  line.add_here("n-best", &o.search.n_best, "number of captions to print per picture, at most --beam",
                apps::between(1, 10000));
  line.group("Output");
  line.add_here("alignment", &o.alignment,
                "also print the attention. `plot`: after each caption, a small map for each word, with the weights of "
                "the cells of the picture; `jsonl`: one JSON record per picture instead of the caption",
                apps::one_of({"plot", "jsonl"}));
  line.add_here("color", &o.colour, apps::color_help);
  line.group("Input");
  line.add_here("batch", &o.batch, "number of pictures that are processed together", apps::between(1, 10000));
  return line.run(argc, argv, [&] {
    if (o.search.n_best > o.search.beam)
      throw apps::UsageError("--n-best is larger than --beam. Choose a smaller --n-best or a larger --beam");
    return caption(o);
  });
}
