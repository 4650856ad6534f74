#!/usr/bin/env bash
# Builds the programs, trains Bahdanau's model on the toy corpus, translates, aligns, evaluates, and makes a page for the
# browser. Each step prints how long it takes on two cores.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/.ci/setup.sh"
run=runs/demo

say() { printf '\n== %s\n' "$1"; }

say "Building: 2 to 4 minutes the first time, seconds afterwards"
cmake --preset release -DSOFTALIGN_BY_FOLDER=ON
cmake --build build -j "$jobs" --target train translate align evaluate view links make_corpus

say "Training on data/toy: 1 to 2 minutes"
build/train --data data/toy --out "$run" --force

say "Translating: a second"
sentences=("i love you" "i do not see the red car" "the zone of international control" "look it up")
printf '%s\n' "${sentences[@]}" | build/translate --run "$run" | paste -d'\n' <(printf '> %s\n' "${sentences[@]}") -

say "Aligning and scoring the 500 test pairs: some seconds"
build/align --run "$run" --data data/toy/test.tsv --scores --out "$run/alignments.jsonl"
build/evaluate --run "$run" --data data/toy/test.tsv

say "Attention: rows are French words, columns are English words"
links=$(build/translate --run "$run" --alignment hard <<<"i love you")
build/translate --run "$run" --alignment plot <<<"i love you"
echo "nats: entropy, 0 if one word has all the weight; p: probability of the word"
echo "Links, source-target from 0, between the words of \"i love you\" and \"${links%% |||*}\": ${links##*||| }"

say "Making the page, with attention interventions: some seconds"
head -n 8 data/toy/valid.tsv >"$run/tracked.tsv"
build/align --run "$run" --data "$run/tracked.tsv" --intervene all --scores --out "$run/interventions.jsonl"
build/view --run "$run" --out "$run/page.html"
live="needs .ci/wasm.sh module (10 minutes, once), then build/view --run $run --live --out $run/live.html"
if [ -e build-wasm/softalign.wasm ]; then
  build/view --run "$run" --live --out "$run/live.html"
  live="open $run/live.html, which translates what you type"
fi

say "Next"
cat <<END
the page             open $run/page.html in a browser: every test pair, the training epoch by epoch
the course           docs/course/README.md, from one derivative to the Transformer
all other programs   cmake --build build -j $jobs
a live page          $live
your own sentence    echo "the cat sees a dog" | build/translate --run $run --alignment plot
END
