// This file defines an experiment of the program `reproduce`. The experiment generates its data, so it needs no corpus.
// Its results are a table, charts, and claims that are confirmed or not.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/pages/chart.h"
#include "apps/pages/picture.h"
#include "apps/reproduction/jobs.h"
#include "apps/reproduction/study.h"
#include "data/alignment/record.h"

namespace softalign::apps {

struct ExperimentResult {
  std::string setting;               // one sentence with the sizes and numbers of the experiment
  std::vector<std::string> columns;  // titles of the columns; the first column names the rows
  std::vector<std::vector<std::string>> rows;
  std::vector<std::pair<std::string, Verdict>> claims;
  std::vector<LineChart> charts;
  std::vector<data::Record> matrices;  // records whose weights are drawn
  std::vector<std::string> captions;   // one caption per record
  std::vector<AttendedPicture> pictures;
  std::string files;            // options that name the user's files, as the command has them: " --data my/corpus"
  std::size_t least_seeds = 1;  // the experiment uses this many seeds, even if the user asks for fewer
};

using ProgressReport = std::function<void(const std::string&)>;

struct SmallExperiment {
  std::string name, title;
  // Runs with seeds 1 .. N and reports progress.
  ExperimentResult (*run)(std::size_t seeds, const ProgressReport& report) = nullptr;
  // An experiment on files of the user has this function instead. It reads options.data and options.gold.
  ExperimentResult (*run_on_files)(const ReproduceOptions& options, const ProgressReport& report) = nullptr;
};

// Each function below returns one experiment, and small_experiments() returns all of them. The source file of an
// experiment is in the folder of its subject, for example apps/pictures.
SmallExperiment pooling();
SmallExperiment permutation();
SmallExperiment positions();
SmallExperiment three_ways();
SmallExperiment fast_weights();
SmallExperiment flash();
SmallExperiment induction();
SmallExperiment circuits();
SmallExperiment gaps();
SmallExperiment n_grams();
SmallExperiment modular_addition();
SmallExperiment pervasive_attention();
SmallExperiment captioning();
SmallExperiment cnn_attention();
SmallExperiment gates();
SmallExperiment saliency();
SmallExperiment memory_network();
SmallExperiment entailment();
SmallExperiment intra_attention();
SmallExperiment turing_machine();
SmallExperiment neural_computer();
SmallExperiment alignment_on_real_text();
std::vector<SmallExperiment> small_experiments();

// Calls train(seed) for the seeds 1 to N and returns the results.
template <class Train>
auto with_seeds(std::size_t seeds, const Train& train) {
  std::vector<decltype(train(seeds))> all;
  for (std::size_t seed = 1; seed <= seeds; ++seed) all.push_back(train(seed));
  return all;
}

// figure(training) returns a number, for example the accuracy of the training. This function calls figure() for each
// training, and returns the mean and the range of the numbers. It returns nothing if figure() returns nothing for one
// of the trainings.
template <class Training, class Figure>
std::optional<data::MeanAndRange> mean_and_range_of(const std::vector<Training>& all, const Figure& figure) {
  std::vector<std::optional<double>> values;
  for (const Training& one : all) values.push_back(figure(one));
  return data::mean_and_range(values);
}

// Returns the mean and range of a value over the seeds.
data::MeanAndRange over_seeds(std::size_t seeds, const std::function<double(std::size_t seed)>& value);

// The functions below are for trainings whose model is measured several times while it learns (learn_and_observe).
// `Learnt` is the type of the result of one training. Its member `measured` has one entry per measurement, and each
// entry has an accuracy in percent. The functions compute means and ranges over the trainings, and draw them as lines
// of charts.

// Returns the mean and the range of a number in the last measurement of each training. `figure` points to the member
// with this number, for example the accuracy. Returns nothing if the number is NaN or missing in a training.
template <class Learnt, class Figure>
std::optional<data::MeanAndRange> final_value(const std::vector<Learnt>& all, const Figure& figure) {
  return mean_and_range_of(all, [&](const Learnt& one) { return std::optional<double>(one.measured.back().*figure); });
}

template <class Learnt>
Series accuracy_of(const std::string& name, std::size_t colour, const std::vector<Learnt>& all) {
  Series series{name, colour, {}};
  for (std::size_t i = 0; i < all.front().measured.size(); ++i)
    series.values.push_back(
        mean_and_range_of(all, [i](const Learnt& one) { return std::optional(one.measured[i].accuracy); }));
  return series;
}

// Returns a chart of percentages without lines. Its horizontal axis has `measurements` labels at equal distances. The
// last label is `whole`, for example the number of training steps.
inline LineChart chart_of_measurements(const std::string& title, const std::string& x_title, std::size_t whole,
                                       std::size_t measurements) {
  LineChart chart{.title = title, .x_title = x_title, .x = {}, .high = 100, .series = {}, .context = {}};
  for (std::size_t i = 1; i <= measurements; ++i) chart.x.push_back(std::to_string(i * whole / measurements));
  return chart;
}

// Returns, for example, "3 of 4 claims held, 3 seeds." The last number says how many seeds the experiment used.
std::string summary(const ExperimentResult& result, std::size_t seeds);

// Returns a report in Markdown. It has the claims, the table, the charts, and the command that repeats the experiment.
std::string report_text(const SmallExperiment& experiment, const ExperimentResult& result, std::size_t seeds,
                        const std::string& out);

// Writes OUT/NAME.html, a page without scripts, and the same report as NAME.md and NAME.json. Writes the charts as
// NAME.svg, NAME-2.svg and so on, the weights as NAME-weights.svg, and the pictures as NAME-pictures.svg. Returns the
// names of the files.
std::vector<std::string> write_files(const SmallExperiment& experiment, const ExperimentResult& result,
                                     std::size_t seeds, const std::string& out);

}  // namespace softalign::apps
