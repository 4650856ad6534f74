#include "apps/training/endings.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/terminal/progress.h"

namespace softalign::apps {

std::string describe_resumed(std::size_t steps, std::size_t epoch, std::size_t epochs) {
  if (epoch > epochs)
    return fmt::format("all {} epochs are done, after {} steps. --epochs {} continues the training", epochs, steps,
                       2 * epochs);
  return fmt::format("continuing at step {}, in epoch {} of {}", steps, epoch, epochs);
}

namespace {

std::size_t target_words(const data::Corpus& corpus) {
  std::size_t words = 0;
  for (const data::Pair& pair : corpus.pairs) words += pair.target.size();
  return words;
}

// If the loss falls by more than this fraction, the model still learns. Otherwise epochs differ by less.
constexpr double clear_fall = 0.01;

// This number comes from Koehn & Knowles 2017, figure 3 (English to Spanish news, attentional encoder-decoder).
constexpr double fewest_words = 400'000;
// In real text, each word occurs at most this often on average. In a toy language, each word occurs hundreds of times.
constexpr double most_repeated = 50;
// A model that uses its attention gives </s> less than this part of it. But if scores grow too fast in the first epoch,
// the softmax gives all weight to </s>. Then the gradient of the softmax is 0, and the attention never changes again.
constexpr double mostly_eos = 0.9;

// Returns true for dot and general scores without --scale. Such a score is a sum over all numbers of a state, so it
// grows with the size of the state.
bool has_unscaled_products(const models::ModelOptions& o) {
  return !o.scale && (o.attention == layers::ScoreKind::dot || o.attention == layers::ScoreKind::general);
}

}  // namespace

std::string note_of_end(const std::vector<double>& losses, const EvaluationScores& best, const TrainingData& data,
                        const std::string& resume_command, const LoadedRun& run) {
  const TrainOptions& options = run.options;
  const auto words = static_cast<double>(target_words(data.train));
  std::string text;
  const std::size_t epochs = losses.size();
  if (epochs > 1 && losses[epochs - 1] < (1 - clear_fall) * losses[epochs - 2] &&
      *std::min_element(losses.begin(), losses.end()) == losses.back())
    text += fmt::format("note: the validation loss still decreases; to continue: {} --epochs {}\n", resume_command,
                        2 * options.epochs);
  if (epochs > 1 && best.translated > 0 && task_of(options).links_words() && best.bleu.score() < 10 &&
      words < 10 * fewest_words && words < most_repeated * static_cast<double>(run.target.size()))
    text += fmt::format(
        "note: BLEU is {:.1f} after training on {} target words. An attention model reached BLEU 1.6 with 400,000 "
        "words of news (Koehn & Knowles 2017). Real text needs more pairs, or simpler sentences\n",
        best.bleu.score(), format_count(static_cast<std::size_t>(words)));
  // If there is an alignment layer, the programs align by it, so the decoder's attention does not matter.
  if (!options.align && best.attention_rows > 0 && best.entropy() > nearly_uniform * best.even_entropy())
    text += fmt::format(
        "note: the attention is nearly uniform (entropy {:.2f} of at most {:.2f} nats), so alignments and heatmaps "
        "of this model mean nothing yet. Train longer\n",
        best.entropy(), best.even_entropy());
  if (!options.align && best.word_rows > 0 && best.end_attention() > mostly_eos)
    text += fmt::format(
        "note: {:.0f}% of the attention is on </s>, the end-of-sentence token. So the model translates from one "
        "vector, and its alignments mean nothing. {}\n",
        100 * best.end_attention(),
        has_unscaled_products(options.model) ? "Train again with --scale"
                                             : "Train again with a lower --lr or another --seed");
  return text;
}

}  // namespace softalign::apps
