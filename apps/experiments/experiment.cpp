#include "apps/experiments/experiment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/pages/digest.h"
#include "apps/pages/html.h"
#include "apps/pages/matrix.h"
#include "apps/pages/report/page.h"
#include "apps/pages/report/style.h"
#include "apps/pages/report/tables.h"
#include "data/io/commands.h"
#include "data/io/files.h"
#include "data/io/own_files.h"

namespace softalign::apps {

std::vector<SmallExperiment> small_experiments() {
  return {pooling(),
          permutation(),
          positions(),
          three_ways(),
          fast_weights(),
          flash(),
          induction(),
          circuits(),
          gaps(),
          n_grams(),
          modular_addition(),
          pervasive_attention(),
          captioning(),
          cnn_attention(),
          gates(),
          saliency(),
          memory_network(),
          entailment(),
          intra_attention(),
          turing_machine(),
          neural_computer(),
          alignment_on_real_text()};
}

data::MeanAndRange over_seeds(std::size_t seeds, const std::function<double(std::size_t seed)>& value) {
  std::vector<std::optional<double>> values;
  for (std::size_t seed = 1; seed <= seeds; ++seed) values.emplace_back(value(seed));
  return data::mean_and_range(values).value();
}

namespace {

// Returns the command that makes the report again, as it is typed in the project folder.
std::string command(const SmallExperiment& experiment, const ExperimentResult& result, std::size_t seeds,
                    const std::string& out) {
  return fmt::format("build/reproduce {}{}{} --out {}", experiment.name, result.files,
                     seeds > 1 ? fmt::format(" --seeds {}", seeds) : "", data::shell_word(out));
}

std::string chart_name(const SmallExperiment& experiment, std::size_t i) {
  return i == 0 ? experiment.name + ".svg" : fmt::format("{}-{}.svg", experiment.name, i + 1);
}

std::string matrices_name(const SmallExperiment& experiment) { return experiment.name + "-weights.svg"; }

std::string pictures_name(const SmallExperiment& experiment) { return experiment.name + "-pictures.svg"; }

std::string sheet_of(const ExperimentResult& result) {
  Sheet sheet;
  for (std::size_t i = 0; i < result.matrices.size(); ++i) sheet.add(result.matrices[i], result.captions.at(i));
  return sheet.svg();
}

std::string as_json(const SmallExperiment& experiment, const ExperimentResult& result, std::size_t seeds,
                    const std::string& out) {
  nlohmann::ordered_json claims = nlohmann::ordered_json::array(), figures = nlohmann::ordered_json::array();
  for (const auto& [claim, verdict] : result.claims)
    claims.push_back({{"claim", claim}, {"held", verdict.held}, {"figures", verdict.figures}});
  for (std::size_t i = 0; i < result.charts.size(); ++i)
    figures.push_back({{"file", chart_name(experiment, i)}, {"title", result.charts[i].title}});
  if (!result.matrices.empty())
    figures.push_back({{"file", matrices_name(experiment)}, {"title", "attention weights"}});
  if (!result.pictures.empty())
    figures.push_back({{"file", pictures_name(experiment)}, {"title", "attention over the picture"}});
  return nlohmann::ordered_json{{"study", experiment.name},
                                {"title", experiment.title},
                                {"command", command(experiment, result, seeds, out)},
                                {"seeds", std::max(seeds, result.least_seeds)},
                                {"setting", result.setting},
                                {"claims", claims},
                                {"columns", result.columns},
                                {"rows", result.rows},
                                {"figures", figures}}
             .dump(2) +
         "\n";
}

std::string html_table(const ExperimentResult& result) {
  std::string head, body;
  for (const std::string& column : result.columns) head += header(column);
  for (const std::vector<std::string>& row : result.rows) {
    std::string cells = element("th", {{"scope", "row"}}, text(row.front()));
    for (std::size_t i = 1; i < row.size(); ++i) cells += element("td", {}, text(row[i]));
    body += element("tr", {}, cells) + "\n";
  }
  return framed_table(element("thead", {}, element("tr", {}, head)) + "\n" + element("tbody", {}, "\n" + body), "");
}

// Returns the charts. Each chart has a frame that scrolls on a narrow screen. A single chart is as wide as the page.
std::string charts_of(const ExperimentResult& result) {
  const bool only = result.charts.size() == 1 && result.pictures.empty();
  std::string charts;
  for (LineChart chart : result.charts) {
    if (only) chart.width = 720, chart.height = 320;
    charts += element("div", {{"tabindex", "0"}}, draw(chart));
  }
  if (!result.pictures.empty()) charts += draw(result.pictures);
  return charts.empty() ? "" : element("div", {{"class", only ? "charts only" : "charts"}}, charts);
}

// A small matrix has large cells, because the page is also for a projector. On a phone, a figure scrolls.
std::string weights_of(const ExperimentResult& result) {
  constexpr double scale = 1.6, side = 200, smallest = 16, largest = 28;
  std::string weights;
  for (std::size_t i = 0; i < result.matrices.size(); ++i) {
    const auto& rows = result.matrices[i].weights.matrix;
    const std::size_t cells = rows.empty() ? 1 : std::max(rows.size(), rows.front().size());
    const MatrixStyle style{.cell = std::clamp(side / static_cast<double>(cells), smallest, largest)};
    weights +=
        element("figure", {{"tabindex", "0"}},
                element("figcaption", {}, text(result.captions.at(i))) + draw_matrix(result.matrices[i], scale, style));
  }
  return weights.empty() ? "" : element("div", {{"class", "weights"}, {"id", "weights"}}, weights);
}

std::string html(const SmallExperiment& experiment, const ExperimentResult& result, std::size_t seeds,
                 const std::string& out) {
  std::string claims;
  for (const auto& [claim, verdict] : result.claims) claims += claim_line(claim, verdict) + "\n";
  const std::string content =
      element("section", {{"id", "conclusion"}},
              element("p", {{"class", "lead"}}, element("b", {}, text(summary(result, seeds)))) +
                  element("ol", {{"class", "claims"}}, "\n" + claims)) +
      "\n" +
      element("section", {{"id", "figure"}}, element("h2", {}, "Figures") + charts_of(result) + weights_of(result)) +
      "\n" +
      element("section", {{"id", "results"}},
              element("h2", {}, "Results") + element("p", {}, text(result.setting)) + html_table(result)) +
      "\n" +
      element("section", {{"id", "origin"}},
              element("h2", {}, "How to reproduce") +
                  element("pre", {{"tabindex", "0"}}, text(command(experiment, result, seeds, out))) +
                  element("p", {{"class", "quiet"}},
                          text("In the project folder, this command makes the same figures, except for times.")));
  const std::string title = text(experiment.title), style = page_style(), hash = policy_hash(style);
  return fill_template(report_template, {{"title", title},
                                         {"style_hash", hash},
                                         {"style", style},
                                         {"content", content},
                                         {"images", result.pictures.empty() ? "" : "img-src data:; "}});
}

}  // namespace

std::string summary(const ExperimentResult& result, std::size_t seeds) {
  const auto held =
      std::count_if(result.claims.begin(), result.claims.end(), [](const auto& c) { return c.second.held; });
  const std::size_t used = std::max(seeds, result.least_seeds);
  return fmt::format("{} of {} claims held, {} seed{}.", held, result.claims.size(), used, used == 1 ? "" : "s");
}

std::string report_text(const SmallExperiment& experiment, const ExperimentResult& result, std::size_t seeds,
                        const std::string& out) {
  std::string text = fmt::format("# {}\n\n{}\n\n", experiment.title, summary(result, seeds));
  for (const auto& [claim, verdict] : result.claims)
    text += fmt::format("- **{}** {}: {}.\n", verdict.held ? "Held." : "Did not hold.", claim, verdict.figures);
  text += fmt::format("\n| {} |\n|", fmt::join(result.columns, " | "));
  for (std::size_t i = 0; i < result.columns.size(); ++i) text += "---|";
  text += "\n";
  for (const std::vector<std::string>& row : result.rows) text += fmt::format("| {} |\n", fmt::join(row, " | "));
  text += "\n" + result.setting + "\n";
  for (std::size_t i = 0; i < result.charts.size(); ++i)
    text += fmt::format("\n![{}]({})\n", result.charts[i].title, chart_name(experiment, i));
  if (!result.matrices.empty()) text += fmt::format("\n![weights]({})\n", matrices_name(experiment));
  if (!result.pictures.empty()) text += fmt::format("\n![what is looked at]({})\n", pictures_name(experiment));
  return text + "\n## Command\n\n```\n" + command(experiment, result, seeds, out) + "\n```\n";
}

std::vector<std::string> write_files(const SmallExperiment& experiment, const ExperimentResult& result,
                                     std::size_t seeds, const std::string& out) {
  std::vector<std::string> names;
  const auto write = [&](const std::string& name, const std::string& content) {
    names.push_back(name);
    data::write_own_file(out + "/" + name, content);
  };
  const std::string report = experiment.name + ".md";
  // The report is written first, because it shows that `reproduce` made the other files (reproduce.cpp).
  data::write_own_file(out + "/" + report, report_text(experiment, result, seeds, out));
  write(experiment.name + ".html", html(experiment, result, seeds, out));
  names.push_back(report);
  write(experiment.name + ".json", as_json(experiment, result, seeds, out));
  for (std::size_t i = 0; i < result.charts.size(); ++i)
    write(chart_name(experiment, i), standalone(draw(result.charts[i])));
  if (!result.matrices.empty()) write(matrices_name(experiment), sheet_of(result));
  if (!result.pictures.empty()) write(pictures_name(experiment), standalone(draw(result.pictures)));
  return names;
}

}  // namespace softalign::apps
