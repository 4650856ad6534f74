#!/usr/bin/env bash
# From nothing to soft alignments: builds, trains Bahdanau's model on the toy corpus, translates, aligns, evaluates, and
# makes a page of it all.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/.ci/setup.sh"
run=runs/demo

say() { printf '\n== %s\n' "$1"; }

say "Building (the first time takes some minutes)"
cmake --preset release
cmake --build build -j "$jobs" --target train translate align evaluate view links

say "Training on data/toy"
build/train --data data/toy --out "$run" --force

say "Translating"
sentences=("i love you" "i do not see the red car" "the zone of international control" "look it up")
printf '%s\n' "${sentences[@]}" | build/translate --run "$run" | paste -d'\n' <(printf '> %s\n' "${sentences[@]}") -

say "Aligning the test pairs"
build/align --run "$run" --data data/toy/test.tsv --out "$run/alignments.jsonl"

say "Evaluating on the test pairs"
build/evaluate --run "$run" --data data/toy/test.tsv

say "Where the decoder looks: rows are the French words, columns the English ones"
links=$(build/translate --run "$run" --alignment hard <<<"i love you")
build/translate --run "$run" --alignment plot <<<"i love you"
printf 'Its argmax alignment, source-target, counted from 0: %s\n' "${links##*||| }"

say "Making the page, with what follows if the tracked sentences' attention is changed"
head -n 8 data/toy/valid.tsv >"$run/tracked.tsv"
build/align --run "$run" --data "$run/tracked.tsv" --intervene all --scores --out "$run/interventions.jsonl"
build/view --run "$run" --out "$run/page.html"

say "Next, open"
cat <<END
$run/page.html          all of this to look at, in a browser: every test pair, the training epoch by epoch
$run/alignments.jsonl   every test pair with its attention matrix, links and gold links
$run/metrics.jsonl      the training, one line an epoch
$run/history.jsonl      how the attention of a few sentences formed, epoch by epoch
models/recurrent/rnnsearch.cpp         the model, formula by formula
Then translate sentences of your own: build/translate --run $run
Its words are in $run/source.vocab, a line each; among them are
$(grep -x '[a-z]\{3,\}' "$run/source.vocab" | head -n 40 | paste -sd' ' | fold -s -w 100)
END
