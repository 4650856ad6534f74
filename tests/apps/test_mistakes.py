"""Mistakes of newcomers: each row has a command that somebody typed, here or in the forum of another tool. It also has the
exit status and the part of the message that says what to do next. Judge each message on its own."""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import programs

PAIRS = [("i see", "je vois"), ("the cat", "le chat"), ("a dog", "un chien")]


def table(separator):
    return "".join(f"{source}{separator}{target}\n" for source, target in PAIRS).encode()


FILES = {
    # The separators of other programs instead of the tab.
    "comma/train.tsv": table(","), "space/train.tsv": table("   "),
    "semicolon/train.tsv": table(";"), "pairs.csv": b'"i see, you","je vois"\n"a dog","un chien"\n',
    "commas.csv": b"i see,je vois\nthe cat, you see,le chat\n", "gaps.txt": b"i see   je vois\nthe cat  sees   le chat\n",
    "picture.tsv": b"\x89PNG\r\n\x1a\n\0\0", "array.npy": b"\x93NUMPY\1\0v\0",
    "literal.tsv": table("\\t"), "word.tsv": table("<TAB>"), "pipe.tsv": table(" | "), "bars.fr-en": table(" ||| "),
    "one.txt": b"i see\nthe cat\n", "second.tsv": b"i see\tje vois\na dog ||| un chien\n",
    # Files of other kinds.
    "book.xlsx": b"PK\3\4\x14\0\6\0", "paper.pdf": b"%PDF-1.5\n%\xe2\xe3\n", "page.html": b"<!DOCTYPE html>\n<html>\n",
    "memory.tmx": b'<?xml version="1.0"?>\n<tmx version="1.4">\n', "data.json": b'{"en": "i see", "fr": "je vois"}\n',
    "pointer.tsv": b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n",
    "windows.tsv": "i see\tje vois\n".encode("utf-16"), "latin.tsv": "caf\xe9\tcaf\xe9\n".encode("latin-1"),
    "tatoeba.tsv": b"1276\tLet's try something.\t2481\tIntentemos algo.\n", "wide.tsv": b"a\tb\t0-0\tx\ty\tz\n",
    "numbered.tsv": b"7\ti see\tje vois\n", "twotabs.tsv": b"i see\t\tje vois\n", "own.tsv": table("\t"),
    "linked.tsv": b"i see\tje vois\t0-0 1-1\n", "nul.tsv": b"i see\0\tje vois\n", "vide.tsv": b"", "blank.tsv": b"i see\tje vois\n\tle chat\n", "config.yaml": b"name: small\n",
    # Folders that are not a corpus of softalign.
    "moses/train.en": b"i see\n", "moses/train.fr": b"je vois\n", "moses/dev.en": b"i see\n", "moses/dev.fr": b"je vois\n",
    "dev/train.tsv": table("\t"), "dev/dev.tsv": table("\t"), "only/all.tsv": table("\t"), "above/good/train.tsv": table("\t"),
    "above/good/valid.tsv": table("\t"), "texts/train.txt": b"i see\n", "texts/valid.txt": b"i see\n",
    "bert/config.json": b'{"architectures": ["BertModel"], "model_type": "bert"}', "bert/model.safetensors": b"w",
    "records.jsonl": b'{"schema":"softalign/1","id":0,"source_sent":"i see"}\n', "pretty.json": b'{\n  "en": "i see"\n}\n',
    "left.en": b"i see\nthe cat\n", "right.fr": b"je vois\n", "good.links": b"0-0\n0-0 1-1\n0-0\n",
}
FILES |= {f"{folder}/valid.tsv": FILES[f"{folder}/train.tsv"] for folder in ("comma", "space", "semicolon")}

# Exit status | text of the message, where BUILD is the folder of the programs | command. The first rows come from shared
# reviews, the others from forums.
MISTAKES = r"""
1 | comma/train.tsv:1: the line has no tab; the form must be source<TAB>target[<TAB>alignment[<TAB>tags]]. The line has a comma, as a CSV file does, instead of the tab. This command writes tabs into the file, and keeps the old file as comma/train.tsv.bak:\n  sed -i.bak '/,.*,/!s/, */\t/' comma/train.tsv | train --data comma --out out
1 | The line has several spaces instead of the tab. This command writes tabs into the file, and keeps the old file as space/train.tsv.bak:\n  sed -i.bak '/  .*[^ ]  /!s/  \+/\t/' space/train.tsv | train --data space --out out
1 | The line has a semicolon, as a CSV file does, instead of the tab. This command writes tabs into the file, and keeps the old file as semicolon/train.tsv.bak:\n  sed -i.bak '/;.*;/!s/; */\t/' semicolon/train.tsv | train --data semicolon --out out
2 | --data toy/train.tsv is a file, and --data needs the folder with train.tsv and valid.tsv: --data toy. For single files: --train toy/train.tsv --valid FILE | train --data toy/train.tsv --out out
1 | only: the folder has no train.tsv. It contains all.tsv. Split this file with BUILD/make_corpus split only/all.tsv --out DIR, and then train with BUILD/train --data DIR | train --data only --out out
1 | run/model.safetensors is a file, and --run needs its folder: --run run | translate --run run/model.safetensors
1 | run/config.json is a file, and --run needs its folder: --run run | align --run run/config.json --data toy/test.tsv
1 | run/config.json is a file, and --run needs its folder: --run run | view --run run/config.json
1 | run/config.json is a file, and --run needs its folder: --run run | average --run run/config.json --out out
1 | toy is a corpus, and --run needs a trained model. Train one with: BUILD/train --data toy --out runs/NAME | translate --run toy
2 | toy/test.tsv is a file, and translate reads sentences from standard input. Use: cut -f1 toy/test.tsv \| BUILD/translate --run run | translate --run run toy/test.tsv
1 | s.tsv: no such file. To translate this name as a sentence: echo s.tsv \| BUILD/translate --run run | translate --run run s.tsv
1 | toy/none.txt: no such file. | translate --run run "i see" toy/none.txt
2 | one.txt is a file, and translate reads sentences from standard input. Use: BUILD/translate --run run < one.txt | translate --run run one.txt
1 | standard input:1: the line has a tab between words. This looks like a TSV file, and translate reads one sentence per line. Keep only the column of source sentences: cut -f1 FILE \| BUILD/translate --run run. If the tab is part of the text: tr '\t' ' ' < FILE \| BUILD/translate --run run | translate --run run < toy/test.tsv
1 | error: standard input is a trained model (safetensors); text in UTF-8 is needed here. To use the model, name its folder: --run FOLDER\n | translate --run run < run/model.safetensors
1 | error: run/model.safetensors is a trained model (safetensors); text in UTF-8 is needed here. To use the model, name its folder: --run run\n | translate --run run run/model.safetensors
1 | error: run/model.safetensors is a trained model (safetensors); text in UTF-8 is needed here. To use the model, name its folder: --run run\n | align --run run --data run/model.safetensors
1 | error: standard input looks like JSON, and translate reads one sentence per line. First write the sentences to a text file, one per line\n | translate --run run < data.json
1 | error: standard input looks like JSON, and translate reads one sentence per line. First write | translate --run run < pretty.json
1 | error: pretty.json looks like JSON, and translate reads one sentence per line. First write | translate --run run pretty.json
1 | These are alignment records. To show them: BUILD/view --in FILE. To translate their sources: python3 -c 'import json, sys; [print(json.loads(line)["source_sent"]) for line in sys.stdin]' < FILE \| BUILD/translate --run run\n | translate --run run < records.jsonl
1 | These are alignment records. To show them: BUILD/view --in records.jsonl. To translate their sources: python3 -c 'import json, sys; [print(json.loads(line)["source_sent"]) for line in sys.stdin]' < records.jsonl \| BUILD/translate --run run\n | translate --run run records.jsonl
1 | The file has alignment records in JSON. To show them: BUILD/view --in records.jsonl. To convert them: BUILD/convert records.jsonl --format pharaoh\n | align --run run --data records.jsonl
2 | error: --run is required. The folder runs/ has no run here. Train one: BUILD/train --data DIR --out runs/NAME\n | translate "i see"
2 | Name the run folder to score, or a file of links: --links FILE --gold FILE. The folder runs/ has no run here | evaluate --data own.tsv
2 | error: nothing to show is given. Add --run RUN, or --in FILE.jsonl. The folder runs/ has no run here | view
2 | no picture is given. Name the files: BUILD/caption --run pictures picture.png. Or give the file names on standard input: find . -name '*.png' \| BUILD/caption --run pictures | caption --run pictures
2 | --page "own.svg": the page is an HTML file. Give a name that ends in .html. For a drawing: translate ... --alignment svg --out own.svg | translate --run run --page own.svg hello
2 | --out "page.json": the page is an HTML file. Give a name that ends in .html | view --run run --data toy/test.tsv --out page.json
1 | --compare stories: this run was trained for the task questions, but the run of --run run was trained for the task translation. Compare runs of one task | view --run run --compare stories --out out
1 | --run stories: the model was trained for the task questions and cannot translate. Use the program for this task: BUILD/answer --run stories | translate --run stories < one.txt
1 | --run run: the model was trained for the task translation and cannot answer questions. The program for this run is BUILD/translate --run run. Train a run of the task questions with: BUILD/train --task questions --data DIR --out runs/NAME | answer --run run one.txt who
1 | and cannot write captions. The program for this run is BUILD/answer --run stories. Train a run | caption --run stories a.png
1 | linked.tsv:1: column 3 has gold links, "0-0 1-1", but the answer is expected there. So the file has sentence pairs for translation, and no stories with questions. Give a file for the task of this run | evaluate --run stories --data linked.tsv
2 | no option --gpu: softalign runs only on CPUs. Remove --gpu. --threads N sets the number of threads | train --data toy --gpu 0 --out out
2 | no option --device: softalign runs only on CPUs. Remove --device. --threads N sets the number of threads | translate --run run --device cuda
2 | no option --cuda: softalign runs only on CPUs | train --data toy --cuda --out out
2 | unknown value "gpt"; GPT is a language model with the decoder of the Transformer. Use --model transformer-lm | train --data toy --model gpt --out out
2 | For sentence pairs with a label, use --model decomposable | train --data toy --model bert --out out
2 | for Vaswani et al. 2017, use transformer | reproduce vaswani
2 | make_corpus needs a task or --grammar FILE. Try one of these commands. The last one splits your own file:\n  BUILD/make_corpus reverse --split train=5000 | make_corpus
2 | \n  BUILD/make_corpus split pairs.tsv --valid 500 --test 500 --out my/corpus\n | make_corpus
2 | --out is required: the output folder, for example --out runs/data | make_corpus shapes
2 | no option --epoch; did you mean --epochs? | train --data toy --epoch 3
2 | unknown value 'json'; known are: | align --run run --data toy/test.tsv --format json
2 | did you mean bahdanau, which is another name of one of these? | train --data toy --model bahdanou
1 | cannot read nowhere/train.tsv: No such file or directory; the folder nowhere does not exist; check the spelling | train --data nowhere --out out
2 | lr is 0,001; a number in 0..1000 is expected. Write the number with a decimal point: 0.001 | train --data toy --lr 0,001
1 | python3 -c 'import csv, sys; [print(*row, sep="\t") for row in csv.reader(sys.stdin, skipinitialspace=True)]' < pairs.csv > pairs.tsv | train --train pairs.csv --valid pairs.csv --out out
1 | The line has a backslash and the letter t instead of the tab. This command writes tabs into the file, and keeps the old file as literal.tsv.bak:\n  sed -i.bak 's/\\t/\t/g' literal.tsv | train --train literal.tsv --valid literal.tsv --out out
1 | The line has the word <TAB> instead of the tab | train --train word.tsv --valid word.tsv --out out
1 | The line has the character \| instead of the tab | align --run run --data pipe.tsv
1 | second.tsv:2: the line has no tab; the form must be source<TAB>target[<TAB>alignment[<TAB>tags]]. The line has |||, as fast_align's files do, instead of the tab\n | align --run run --data second.tsv
1 | If the translations are in their own file, use --source and --target. For text in one language, train a language model: train --task language-model | train --train one.txt --valid one.txt --out out
1 | one.txt:1: the line has no tab | train --train one.txt --valid one.txt --model luong --out out
1 | commas.csv:1: the line has no tab; the form must be source<TAB>target[<TAB>alignment[<TAB>tags]]. The line has a comma, as a CSV file does, instead of the tab. Some lines have several commas, and only you can tell which one separates the sentences. Put the tabs into the file by hand, or export it again with tabs\n | links --data commas.csv --out out
1 | Some lines have several such gaps, and only you can tell which one | links --data gaps.txt --out out
1 | picture.tsv is a picture (PNG); text in UTF-8 is needed here | links --data picture.tsv --out out
1 | array.npy is an array of NumPy; text in UTF-8 is needed here | convert array.npy --from jsonl --format tsv
2 | error: --threshold is 2; a number in 0..1 is expected | links --data own.tsv --threshold 2
2 | To score a file of links: BUILD/evaluate --links FILE --gold FILE | links --data own.tsv --gold good.links --out out
2 | error: --max-length is -1; a whole number | links --data own.tsv --max-length -1
2 | unknown value "gdfa"; write grow-diag-final-and. Known are: agreement, forward | links --data own.tsv --rule gdfa
2 | unknown value "gdfa"; write --symmetrise grow-diag-final-and. Known are: best, best-word | align --run run --data own.tsv --rule gdfa
2 | unknown value "gdfa"; write grow-diag-final-and. Known are: | align --run run --data own.tsv --symmetrise gdfa
2 | the model transformer supports only attention qkv, not additive. Remove --attention additive | train --data toy --model transformer --attention additive --out out
2 | model encdec has no attention, so attention dot is impossible; use --model rnnsearch or luong | train --data toy --model encdec --attention dot --out out
1 | book.xlsx is a spreadsheet. Save it as CSV in UTF-8, with the tab as separator | train --train book.xlsx --valid book.xlsx --out out
1 | paper.pdf is a PDF document. First extract its text, for example with pdftotext | align --run run --data paper.pdf
1 | The file is a web page, perhaps an error page that was downloaded instead of the file. Download the file again | align --run run --data page.html
1 | The file looks like XML, for example TMX or SGML. First extract the sentences from it, one pair per line | links --data memory.tmx --out out
1 | The file looks like JSON. First extract the sentences from it, one pair per line | links --data data.json --out out
1 | The file is a pointer of Git LFS. Run git lfs pull to get the real file | links --data pointer.tsv --out out
1 | windows.tsv:1: the text is in UTF-16, which Windows programs call "Unicode". Convert it to UTF-8: iconv -f UTF-16 -t UTF-8 windows.tsv > NEW | train --train windows.tsv --valid windows.tsv --out out
1 | Convert the file, for example with iconv -f LATIN1 -t UTF-8 latin.tsv > NEW | train --train latin.tsv --valid latin.tsv --out out
1 | columns 1 and 3 are numbers, as in Tatoeba's exports, and columns 2 and 4 are the sentences. This command keeps the sentences: cut -f2,4 tatoeba.tsv | train --train tatoeba.tsv --valid tatoeba.tsv --out out
1 | numbered.tsv:1: column 1 is a number, and column 3 is text, "je vois", but gold links such as 0-0 1-2 are expected. If columns 2 and 3 are the sentences, this command keeps only these columns: cut -f2-3 numbered.tsv | links --data numbered.tsv --out out
1 | twotabs.tsv:1: column 2 is empty, and column 3 is text, "je vois", but gold links such as 0-0 1-2 are expected. If several tabs separate the sides, this command leaves one tab: tr -s '\t' < twotabs.tsv | links --data twotabs.tsv --out out
1 | own.tsv: this program reads this file, and would overwrite it with its output. Name another output file | links --data own.tsv --out own.tsv
1 | own.tsv: this program reads this file, and would overwrite it with its output. Name another output file | links --data own.tsv --lexicon own.tsv --out out
1 | run/model.safetensors: this program reads this file, and would overwrite it with its output. Name another output file | align --run run --data own.tsv --out run/model.safetensors
1 | good.links: this program reads this file, and would overwrite it with its output. Name another output file | convert --in good.links --from pharaoh --data own.tsv --format hard --out good.links
1 | cannot write to "-". For standard output, use /dev/stdout. For a file named -, use ./- | links --data own.tsv --out -
2 | --threshold has no effect with --rule best. Remove --threshold, or add --rule threshold | align --run run --data own.tsv --threshold 0.5
2 | --threshold has no effect with --rule union. Remove --threshold, or use --rule agreement | links --data own.tsv --rule union --threshold 0.5
1 | wide.tsv:1: the line has 6 columns; the form must be source<TAB>target[<TAB>alignment[<TAB>tags]]. This command keeps the first 2: cut -f1-2 wide.tsv | links --data wide.tsv --out out
1 | nul.tsv:1: the line has a NUL byte (column 6), so this is not a text file in UTF-8. If everything else is text, this command removes such bytes: tr -d '\0' < nul.tsv > NEW | links --data nul.tsv --out out
1 | vide.tsv is empty. Write text in UTF-8, with one item per line | evaluate --run run --data vide.tsv
1 | right.fr has 1 line, but left.en has 2. Line n of both files must belong to the same pair | align --run run --source left.en --target right.fr
1 | moses: the folder has no train.tsv. It contains dev.en, dev.fr, train.en, train.fr. Name the files: --source moses/train.en --target moses/train.fr --valid-source moses/dev.en --valid-target moses/dev.fr | train --data moses --out out
1 | dev: the folder has no valid.tsv. It contains dev.tsv, train.tsv. Name the files: --train dev/train.tsv --valid dev/dev.tsv | train --data dev --out out
1 | above: the folder has no train.tsv. It contains good/. Did you mean --data above/good? | train --data above --out out
1 | texts: the folder has no train.tsv, but it has train.txt. For a language model, add --task language-model. Sentence pairs need a file with a tab in each line | train --data texts --out out
1 | bert/config.json describes a model of another program (Hugging Face transformers). Name a folder that train has written (train --out) | translate --run bert < one.txt
1 | nowhere: no such folder. Name a folder that train has written (train --out). Runs that exist, the newest first: pictures, stories, bert, run | translate --run nowhere < one.txt
1 | . is not a run, but it contains runs: ./pictures, ./stories, ./bert, ./run | translate --run . < one.txt
1 | cannot read toy: it is a folder; give the name of a file in it: toy/test.tsv, toy/train.tsv, toy/valid.tsv | evaluate --run run --data toy
1 | cannot read toy/tset.tsv: No such file or directory; did you mean toy/test.tsv? | evaluate --run run --data toy/tset.tsv
1 | the shell replaces ~ only at the beginning of a word | evaluate --run run '--data=~/test.tsv'
1 | the shell did not replace the variable: write it without single quotes | evaluate --run run --data '$HOME/test.tsv'
1 | folders are separated by /, not by a backslash | evaluate --run run --data 'C:\corpus\test.tsv'
1 | its quotation marks are typographic ones | evaluate --run run --data “test.tsv”
2 | "–data" belongs to no option: the first character is not a hyphen, but a dash that word processors and web pages write. Type two hyphens: --data | train –data toy
2 | Type two hyphens: --run | view —run run
2 | "toy" belongs to no option: write the option before the word: --data toy | train toy
2 | "run" belongs to no option: write the option before the word: --run run | evaluate run --data toy/test.tsv
2 | --from pharaoh: the file does not contain all words. Add the sentences with --data FILE | convert good.links --from pharaoh
2 | good.links looks like the format pharaoh, so convert reads it in this format. For another format, add --from NAME\nerror: --from pharaoh: the file does not contain all words. Add the sentences with --data FILE | convert good.links
2 | one.txt: neither the name nor the content of the file shows its format. Add --from FORMAT | convert one.txt
2 | "bars.fr-en" belongs to no option: write the option before the word: --data bars.fr-en | links bars.fr-en
2 | softalign reads no YAML. Write the options on the command line | train config.yaml
2 | "lr=0.1" belongs to no option: options begin with two hyphens: --lr=0.1 | train lr=0.1
1 | config.yaml: not JSON | train --config config.yaml --out out
2 | no option -src: translate reads sentences from standard input: BUILD/translate --run RUN < FILE | translate --run run -src one.txt -output pred.txt
2 | no option -model: use --run instead | translate -model run -src one.txt -output pred.txt
2 | no option -i: use --data instead | links -i bars.fr-en -d -o -v
2 | no option -d: links always favours links near the diagonal in its first rounds. Remove -d | links --data own.tsv -d -o -v
2 | no option -o: links always learns how strongly it favours the diagonal, so remove -o. --out FILE names the output file | links --data own.tsv -o -v
2 | no option -v: links always uses a prior. Remove -v. --alpha X sets the prior | links --data own.tsv -v
2 | no option -I: use --diagonal-rounds N and --jump-rounds N instead | links --data own.tsv -I 5
2 | no option -a: use --alpha instead | links --data own.tsv -a 0.01
2 | no option -r: links learns both directions. For the links of one direction, use --rule forward or --rule backward | links --data own.tsv -r
2 | no option --symmetrise: use --rule instead. links learns both directions | links --data own.tsv --symmetrise grow-diag
2 | no option --symmetrize: use --rule instead. links learns both directions | links --data own.tsv --symmetrize grow-diag
2 | no option --model-path: links uses no trained model, because it learns from the pairs. For links from a trained model: BUILD/align --run RUN | links --data own.tsv --model-path run
2 | no option -j: use --reverse instead | convert --in good.links -j good.links -c grow-diag-final-and
2 | no option -c: use --symmetrise instead | convert -c grow-diag-final-and
2 | no option --model_path: convert reads files of alignments, which a run does not contain. Write one with: BUILD/align --run RUN | convert --model_path run
2 | no option --test: train uses no test set. After the training: BUILD/evaluate --run RUN --data FILE | train --data toy --test toy/test.tsv
2 | no option --model-path: --out names the folder of the new run, and --model names a kind of model | train --data toy --model-path out
2 | no option --gold: align does not compare its links with gold links. For a comparison: BUILD/evaluate --run RUN --data FILE | align --run run --data toy/test.tsv --gold good.links
2 | no option --hypothesis: evaluate translates the sources of --data with the model of --run. Remove --hypothesis | evaluate --run run --hypothesis one.txt
2 | no option --hyp: use --target instead | score --run run --source left.en --hyp right.fr
2 | no option --image: write the file names without an option: BUILD/caption --run RUN picture.png | caption --run pictures --image a.png
2 | no option --question: write story and question without an option: BUILD/answer --run RUN story.txt | answer --run stories --question where
2 | no option --premise: write both sentences without an option: BUILD/entail --run RUN | entail --run run --premise a
2 | no option --inputs: use --run instead, once per run | average --inputs run run
2 | no option -n: use --pairs N instead, or the sizes of several parts: --split | make_corpus reverse -n 500 --out out
2 | no option --list: this command lists the studies: BUILD/reproduce --help | reproduce --list
2 | no option --train-sets: use --train instead | train --train-sets left.en right.fr --type s2s
2 | no option --type: use --model instead | train --type s2s
2 | no option --devices: softalign runs only on CPUs | train --devices 0 1
2 | no option --vocabs: train makes the vocabularies from the training text and writes them to the run folder. Remove --vocabs | train --vocabs a.yml b.yml
2 | no option --mini-batch: use --batch instead | train --mini-batch 64
2 | no option --learning_rate; did you mean --learning-rate? | train --learning_rate 0.1
2 | no option --num_train_epochs: use --epochs instead | train --num_train_epochs 3
2 | no option --output_dir: use --out instead | train --output_dir out
2 | no option --model_name_or_path: use --run instead | translate --model_name_or_path run
2 | no option --arch: use --model instead | train --arch transformer
2 | no option --max-epoch: use --epochs instead | train --max-epoch 3
2 | no option --train_steps: softalign measures the length of a training in passes over the corpus. Use --epochs N instead | train --train_steps 1000
2 | no option --source-lang: softalign needs no names of languages | train --source-lang en --target-lang fr
2 | no option --fp16: softalign computes in float32 | train --fp16
2 | Translations go to standard output, so: translate ... > out.txt | translate --run run --out out.txt
2 | no option --beam_size: use --beam instead | translate --run run --beam_size 5
2 | no option --ref: use --reference instead | evaluate --run run --data toy/test.tsv --ref right.fr
2 | no option --verbose: softalign always prints its progress. Remove --verbose | train --verbose
2 | for BPE, use --tokenizer sentencepiece --subword-model bpe | train --tokenizer bpe
2 | Bahdanau's score is additive | train --attention bahdanau
2 | for a recurrent model with attention, use --model rnnsearch with --cell lstm or --cell gru | train --model lstm
2 | for a recurrent model with attention, use --model rnnsearch | train --model seq2seq
2 | use --model transformer, which has this architecture | train --model t5-small
2 | convert cannot read a picture | convert --in good.links --from svg --format jsonl
2 | no command predict: use translate instead | softalign predict
2 | no command fast_align: use links instead | softalign fast_align
2 | the task `split` needs a file, for example: BUILD/make_corpus split pairs.tsv --valid 500 --test 500 --out DIR | make_corpus split --out out
2 | no option --source: make_corpus splits one file with tabs. Join two text files first: paste p.en p.fr > pairs.tsv; BUILD/make_corpus split pairs.tsv --out DIR | make_corpus split --source only/all.tsv --target only/all.tsv --out out
2 | "only/all.tsv" belongs to no option: make_corpus splits one file with tabs. Join two text files first: paste p.en p.fr > pairs.tsv | make_corpus split only/all.tsv only/all.tsv --out out
2 | To read standard input: convert --in - --from jsonl --format pharaoh | convert --format pharaoh
1 | only/all.tsv has 3 pairs, so --valid 500 and --test 500 leave no training pairs. Use smaller parts, for example --valid 1 --test 1 | make_corpus split only/all.tsv --out out
1 | toy/train.tsv is the file to split, so the parts must not replace it. Name another --out | make_corpus split toy/train.tsv --valid 1 --test 1 --out toy
2 | --valid has an effect only on make_corpus split FILE. For a generated corpus, use --split train=N,valid=N,test=N | make_corpus reverse --valid 5 --out out
"""


class Mistakes(programs.WithRun):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.place = cls.folder / "place"
        for name, data in FILES.items():
            (cls.place / name).parent.mkdir(parents=True, exist_ok=True)
            (cls.place / name).write_bytes(data)
        shutil.copytree(cls.corpus, cls.place / "toy")
        shutil.copy(cls.place / "toy/valid.tsv", cls.place / "toy/test.tsv")
        shutil.copytree(cls.run_folder, cls.place / "run")
        for kind, make in {"stories": programs.moves, "pictures": programs.halves}.items():
            (cls.folder / kind).mkdir()
            make(cls.folder / kind)
            programs.train(cls.folder / kind, cls.place / kind)

    def listing(self):
        return {str(path.relative_to(self.place)): path.stat().st_size for path in self.place.rglob("*")}

    def refused(self, status, says, command):
        command, _, stdin = command.partition(" < ")
        before = self.listing()
        with self.subTest(command):
            result = programs.run(*shlex.split(command), cwd=self.place, stdin=(self.place / stdin).read_bytes() if stdin else b"")
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertEqual(len(re.findall("(?m)^error: ", result.stderr)), 1, result.stderr)
            self.assertIn(says, result.stderr)
            self.assertEqual(self.listing(), before)
        return result.stderr

    def rows(self):
        for row in MISTAKES.strip("\n").split("\n"):
            status, says, command = re.split(r" (?<!\\)\| (?!\|)", row)
            says = says.replace("\\|", "|").replace("\\n", "\n").replace("BUILD/", f"{programs.BUILD}/")
            yield int(status), says.rstrip("\n") + ("\n" if says.endswith("\n") else ""), command

    def test_each_message_says_what_to_do(self):
        rows = list(self.rows())
        self.assertGreaterEqual(len(rows), 100)
        for row in rows:
            self.refused(*row)

    def test_the_commands_that_messages_give_make_files_that_can_be_read(self):
        for name in ["comma/train.tsv", "space/train.tsv", "semicolon/train.tsv", "pairs.csv", "literal.tsv",
                     "word.tsv", "pipe.tsv"]:
            with self.subTest(name):
                shown = programs.run("links", "--data", name, "--out", "out", cwd=self.place).stderr
                command = shown.rstrip("\n").split("\n")[-1].strip()
                made = self.place / shlex.split(command)[-1]
                subprocess.run(command, shell=True, check=True, cwd=self.place)
                lines = made.read_text().splitlines()
                (self.place / name).write_bytes(FILES[name])
                self.assertEqual([line.split("\t")[1] for line in lines][:2], ["je vois", "un chien" if name == "pairs.csv" else "le chat"])

    def test_every_program_reads_the_form_of_fast_align(self):
        bars = self.place / "accepted.bars"
        bars.write_bytes(FILES["bars.fr-en"])
        tabs = self.place / "accepted.tsv"
        tabs.write_bytes(table("\t"))
        for program, *options in (["links", "--out", "/dev/stdout"], ["align", "--run", "run"], ["score", "--run", "run"],
                                  ["evaluate", "--run", "run"]):
            with self.subTest(program):
                shown = [programs.run(program, *options, "--data", path, cwd=self.place) for path in (bars, tabs)]
                self.assertEqual([one.returncode for one in shown], [0, 0], shown[0].stderr)
                self.assertTrue(shown[0].stdout)
                self.assertEqual(*(one.stdout for one in shown))

    def test_a_missing_run_is_offered_the_newest_runs(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for age, run in enumerate(["g", "a", "f", "b", "e", "c"]):  # g is the newest
                (folder / "runs" / run).mkdir(parents=True)
                (folder / "runs" / run / "config.json").write_text("{}")
                os.utime(folder / "runs" / run / "config.json", (1e9 - age, 1e9 - age))
            (folder / "runs" / "no-run").mkdir()
            listed = "Runs that exist, the newest first: runs/g, runs/a, runs/f, runs/b, runs/e and 1 more\n"
            for status, command in [(2, ["translate", "i see"]), (2, ["align", "--data", "a.tsv"]), (2, ["score", "--data", "a.tsv"]),
                                    (2, ["average", "--out", "x"]), (2, ["caption", "a.png"]), (2, ["answer", "s", "q"]), (2, ["view"]),
                                    (2, ["evaluate", "--data", "a.tsv"]), (1, ["translate", "--run", "demo", "i see"])]:
                result = programs.run(*command, cwd=folder)
                self.assertEqual(result.returncode, status, result.stderr)
                self.assertIn(f". {listed}", result.stderr)

    def test_train_without_a_corpus_names_the_toy_corpus_and_the_option(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            dry = ["train", "--dry-run", "--threads", "1"]
            note = f"note: no corpus is given, so train uses the toy corpus {programs.TOY}. --data DIR names another corpus\n"
            self.assertIn(note, programs.run(*dry, cwd=folder).stderr)
            self.assertNotIn("no corpus", programs.run(*dry, "--data", "data/toy", cwd=folder).stderr)
            (folder / "bin").mkdir()
            alone = shutil.copy(programs.BUILD / "train", folder / "bin")  # far from its corpus
            result = subprocess.run([alone, "--dry-run"], cwd=folder, capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("error: no corpus is given, and the toy corpus data/toy is not here. Name the folder of a corpus: --data DIR. The toy "
                          "corpus is in the folder data/toy of softalign's sources, and in share/softalign/data/toy of an installation\n",
                          result.stderr)

    def test_words_after_translate_are_translated(self):
        piped = programs.succeed("translate", "--run", self.run_folder, stdin="i see\nthe old man\n")
        self.assertEqual(programs.succeed("translate", "--run", self.run_folder, "i see", "the old man"), piped)
        self.assertEqual(programs.succeed("translate", "--run", self.run_folder, "i see\nthe old man"), piped)
        self.refused(1, "command line:1: the line has 300 words, but at most 100 are translated", f"translate --run run '{'word ' * 300}'")

    def test_a_tab_in_a_later_line_is_a_note(self):
        for text, status in {"i see\na\tb\n": 0, "\ti see\n": 0, "i see\t\n": 0, "i\tsee\n": 1}.items():
            self.assertEqual(programs.run("translate", "--run", self.run_folder, stdin=text).returncode, status, text)
        turned = programs.train(self.corpus, self.folder / "turned", "--swap-sides")
        self.assertIn("cut -f2 FILE", programs.run("translate", "--run", turned, stdin="i\tsee\n").stderr)

    def test_help_of_all_verbs_and_of_view(self):
        self.assertEqual(programs.succeed("softalign", "--help-all"), programs.succeed("softalign", "--help"))
        self.assertEqual(programs.succeed("view", "--help").count("several"), 1)
        self.assertIn("--task NAME", programs.succeed("train", "--help"))
        self.assertNotIn("svg", programs.succeed("convert", "--help").split("--from")[1].split("Output:")[0])


class Notes(programs.WithRun):
    """Notes on input that can be read, but is probably not what the user believes."""

    def notes(self, *command):
        result = programs.run(*command)
        self.assertEqual(result.returncode, 0, result.stderr)
        text = result.stderr + result.stdout
        return [line for line in text.splitlines()
                if line.startswith("note: ") and "vocabulary" not in line and "training loss" not in line and "uniform" not in line]

    def train(self, train, valid, *more):
        return self.notes("train", "--train", train, "--valid", valid, "--epochs", "1", *programs.TINY, *more, "--force", "--out",
                          self.folder / "noted")

    def test_validation_on_training_pairs(self):
        train, valid = self.folder / "train.tsv", self.folder / "valid.tsv"
        lines = (self.corpus / "train.tsv").read_text().splitlines()
        programs.write_lines(train, lines[20:])
        one = programs.write_lines(self.folder / "one.tsv", lines[20:21])
        self.assertIn("note: the only validation pair is also in the training data, so the model may know its translation by heart. "
                      f"{programs.BUILD}/make_corpus split FILE --out DIR splits a file so that its parts share no source", self.train(train, one))
        for seen, says in {20: ["note: all of the 20 validation pairs are also in the training data"],
                           4: ["note: 4 of the 20 validation pairs are also in the training data"], 3: []}.items():
            programs.write_lines(valid, lines[20:20 + seen] + lines[seen:20])
            found = [note for note in self.train(train, valid) if "validation pairs" in note]
            self.assertEqual([note.split(", so")[0] for note in found], says)

    def test_a_line_of_names_and_a_column_of_numbers(self):
        lines = (self.corpus / "valid.tsv").read_text().splitlines()
        headed = programs.write_lines(self.folder / "headed.tsv", ["English\tFrench", *lines])
        numbered = programs.write_lines(self.folder / "numbered.tsv", [f"{i}\t{line.split(chr(9))[0]}" for i, line in enumerate(lines)])
        for program in (["align"], ["evaluate"], ["score"]):
            self.assertEqual(self.notes(*program, "--run", self.run_folder, "--data", headed)[:1],
                             [f'note: {headed}:1: "English" and "French" look like the names of the columns, but are read as a pair '
                              f"of sentences. This command removes the line, and keeps the old file as {headed}.bak: sed -i.bak 1d {headed}"])
        copy = programs.write_lines(self.folder / "copy.tsv", headed.read_text().splitlines())
        note = self.notes("align", "--run", self.run_folder, "--data", copy)[0]
        subprocess.run(note.rpartition(": ")[2], shell=True, check=True)
        self.assertEqual(copy.read_text().splitlines(), lines)
        self.assertIn("column 1 contains line numbers", self.notes("links", "--data", numbered, "--out", self.folder / "links")[0])
        self.assertIn("names of the columns", self.train(headed, self.corpus / "valid.tsv")[0])
        plain = programs.write_lines(self.folder / "plain.tsv", ["english\tanglais", "1\tun", "2\tdeux", *lines])
        self.assertEqual(self.notes("align", "--run", self.run_folder, "--data", plain), [])

    def test_swapped_columns(self):
        lines = (self.corpus / "valid.tsv").read_text().splitlines()
        turned = programs.write_lines(self.folder / "turned.tsv", ["\t".join(reversed(line.split("\t")[:2])) for line in lines])
        for program in ("align", "evaluate", "score"):
            self.assertIn("note: the sources look like the run's target language, and the targets like its source language. This swaps the columns:",
                          self.notes(program, "--run", self.run_folder, "--data", turned))
            self.assertEqual(self.notes(program, "--run", self.run_folder, "--data", self.corpus / "valid.tsv"), [])
        what = "note: the validation sources look like the training targets, and the targets like the sources. "
        awk = "awk -F'\\t' -v OFS='\\t' '{{print $2, $1}}' "
        # The file that the tables next to it contradict has swapped columns. Without other tables, it may be either file.
        pairs = {name: [line.split("\t")[:2] for line in (self.corpus / f"{name}.tsv").read_text().splitlines()] for name in ("train", "valid")}
        for swapped, others, says in [("valid", 1, f"so swap the columns of the validation file:\n{awk}{{valid}} > NEW\n"),
                                      ("train", 1, f"so swap the columns of the training file:\n{awk}{{train}} > NEW\n"),
                                      ("train", 0, f"One of the two files has the wrong order. To swap the columns of the validation file:\n{awk}{{valid}} "
                                                   f"> NEW\nTo swap the columns of the training file:\n{awk}{{train}} > NEW\n")]:
            folder = self.folder / f"swapped-{swapped}-{others}"
            folder.mkdir()
            files = {name: programs.write_lines(folder / f"{name}.tsv", ["\t".join(reversed(pair) if name == swapped else pair) for pair in pairs[name]])
                     for name in pairs}
            if others:
                programs.write_lines(folder / "test.tsv", ["\t".join(pair) for pair in pairs["valid"]])
            programs.write_lines(folder / "notes.tsv", ["no table of pairs"])
            shown = programs.run("train", "--data", folder, "--epochs", "1", *programs.TINY, "--force", "--out", self.folder / "noted").stderr
            self.assertIn(what, shown)
            self.assertIn(says.format(**files), shown)

        plain = " ".join(programs.run("score", "--run", self.run_folder, "--data", turned).stderr.split("\n"))
        self.assertIn(f"awk -F'\\t' -v OFS='\\t' '{{print $2, $1}}' {turned} > NEW", plain)

    def test_the_first_line_without_words_on_a_side(self):
        lines = (self.corpus / "train.tsv").read_text().splitlines()
        for line, says in {"a\t": "column 2 is empty. Lines like this one are left out",
                           "\tb": "column 1 is empty. Lines like this one are left out",
                           "": "the line is blank. Lines without words are left out",
                           "a\t\tb": "column 2 is empty. Lines like this one are left out, but column 3 has text. If several tabs separate the "
                                     "sides, this command leaves one tab: tr -s '\\t' < {} > NEW"}.items():
            gaps = programs.write_lines(self.folder / "gaps.tsv", [*lines[:3], line, line, *lines[3:]])
            with self.subTest(line):
                self.assertIn(f"note: {gaps}:4: {says.format(gaps)}", self.train(gaps, self.corpus / "valid.tsv"))
        left, right = (programs.write_lines(self.folder / name, side) for name, side in (("a.en", ["i see", ""]), ("a.fr", ["je vois", "b"])))
        result = programs.run("train", "--source", left, "--target", right, "--valid", self.corpus / "valid.tsv", "--epochs", "1",
                              *programs.TINY, "--force", "--out", self.folder / "noted")
        self.assertIn(f"note: {left}:2: the line has no words. Such pairs are left out\n", result.stderr)

    def test_text_without_spaces(self):
        """Without spaces, each sentence would be one word that occurs once. Text that is cut into words has few words of
        that length."""
        lines = (self.corpus / "valid.tsv").read_text(encoding="utf-8").splitlines()
        sources = [line.split("\t")[0] for line in lines]
        whole = programs.write_lines(self.folder / "whole.tsv", [f"{source}\t{'我爱深度学习很' * 2}。" for source in sources])
        cut = programs.write_lines(self.folder / "cut.tsv", [f"{source}\t我 爱 深度 学习 很 加利福尼亚州 。" for source in sources])
        turned = programs.write_lines(self.folder / "unspaced.tsv", [f"我爱深度学习\t{source}" for source in sources])
        links = ["links", "--out", self.folder / "links", "--data"]
        count = len(sources)
        found = programs.run(*links, whole).stderr
        self.assertIn(f"note: {count} of {2 * count} words of the targets are texts without spaces, and each counts as one word, for "
                          "example 我爱深度学习很我爱深度学习很, with 14 characters; put spaces between its words first\n", found)
        self.assertIn("words of the sources are texts", programs.run(*links, turned).stderr)
        self.assertNotIn("without spaces", programs.run(*links, cut).stderr)

        def train(data, *more):
            return programs.run("train", "--train", data, "--valid", data, "--epochs", "1", *programs.TINY, *more, "--force",
                                "--out", self.folder / "noted").stderr
        self.assertIn("14 characters; put spaces between its words, or train with --tokenizer characters\n", train(whole))
        self.assertNotIn("without spaces", train(cut))
        self.assertNotIn("without spaces", train(whole, "--tokenizer", "characters"))

    def test_a_training_says_where_it_goes_on_and_whether_it_would(self):
        out = self.folder / "early"
        train = ["train", "--data", self.corpus, "--out", out, *programs.TINY, *programs.STEEP]
        ended = self.notes(*train, "--epochs", "2")
        self.assertIn(f"note: the validation loss still decreases; to continue: {programs.BUILD}/train --resume --out {out} --epochs 4", ended)
        self.assertRegex("\n".join(ended), r"(?m)^note: BLEU is \d\.\d after training on \d\d\d target words\. An attention model reached ")
        shown = programs.succeed("train", "--resume", "--out", out, "--epochs", "3")
        self.assertIn("continuing at step 6, in epoch 3 of 3\n", shown)
        self.assertIn("all 3 epochs are done, after 9 steps. --epochs 6 continues the training\n", programs.succeed("train", "--resume", "--out", out))


class Split(unittest.TestCase):
    def test_no_source_is_in_two_parts(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            lines = [f"s{i // 3} a\tt{i}\t0-0\ttag" for i in range(150)] + [f"one{i}\tt" for i in range(100)]
            lines[1] = "s0  a\tt1"  # the words are those of line 0
            (folder / "all.tsv").write_bytes(b"\xef\xbb\xbf" + "\r\n".join([*lines, "blank\t", ""]).encode())

            def split(out, *more):
                return programs.succeed("make_corpus", "split", folder / "all.tsv", "--valid", "31", "--test", "40", "--out", out, *more)
            shown = split(folder / "a")
            self.assertIn("has 179 training pairs, 31 validation pairs and 40 test pairs. All pairs with the same source are in the same part\n", shown)
            self.assertIn("number of lines that were left out, because one side has no words: 1\n", shown)
            parts = {part: (folder / "a" / f"{part}.tsv").read_text().splitlines() for part in ("train", "valid", "test")}
            self.assertEqual([len(part) for part in parts.values()], [179, 31, 40])
            self.assertEqual(sorted(sum(parts.values(), [])), sorted(lines))
            sources = [{" ".join(line.split("\t")[0].split()) for line in part} for part in parts.values()]
            self.assertEqual(sum(map(len, sources)), len(set.union(*sources)))
            for part in parts.values():  # each part keeps the order of the file
                self.assertEqual([lines.index(line) for line in part], sorted(lines.index(line) for line in part))
            split(folder / "b", "--seed", "1")
            split(folder / "c", "--seed", "2")
            read = {run: (folder / run / "valid.tsv").read_bytes() for run in "abc"}
            self.assertEqual(read["a"], read["b"])
            self.assertNotEqual(read["a"], read["c"])
            split(folder / "c", "--force")
            self.assertEqual((folder / "c" / "valid.tsv").read_bytes(), read["a"])
            (folder / "c" / "test.tsv").write_text("mine\tle mien\n")
            result = programs.run("make_corpus", "split", folder / "all.tsv", "--valid", "31", "--test", "40", "--out", folder / "c", "--force")
            self.assertEqual(result.returncode, 1)
            self.assertIn("test.tsv:1 does not occur in", result.stderr)
            (folder / "two.tsv").write_text("a\tb\na\tc\nd\te\nd\tf\nd\tg\n")
            few = programs.run("make_corpus", "split", folder / "two.tsv", "--valid", "1", "--test", "0", "--out", folder / "d")
            self.assertEqual(few.returncode, 1)
            self.assertIn("pairs with the same source stay together", few.stderr)
            self.assertFalse((folder / "d").exists())


if __name__ == "__main__":
    unittest.main()
