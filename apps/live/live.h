// This file declares the engine of softalign as a module for JavaScript, with a C interface. Files are in the memory
// file system of emscripten, texts are UTF-8, and results are JSON. One run is open at a time.
//
// Every function returns a text that stays valid until the next call. If a function fails, the text is {"error":
// "MESSAGE"}.
#pragma once

extern "C" {

// Opens the trained model in a run folder, and closes the model that was open before. Returns {"model", "task",
// "parameters", "attends", "changes"}. "parameters" is the number of parameters of the model. "attends" is true if the
// model has attention of any kind, and "changes" is true if softalign_reweight can change the attention.
const char* softalign_open(const char* folder);

// Translates a sentence by beam search; `beam` is the width of the beam (1: greedy). Returns a list of alignment
// records, the best first, as `translate --alignment jsonl` writes them. For a blank sentence, the list is empty,
// unless the model is a language model, which continues even a blank text.
const char* softalign_translate(const char* sentence, int beam);

// Runs the model on what the user typed, and returns the results that a page displays: {"record", "beam", "unknown"}.
// `text` depends on the task of the run:
//
//   translation     a sentence
//   language model  the beginning of a text
//   captions        the name of a picture file (PNG or PPM)
//   stories         the sentences of the story, one per line; the last line is the question
//   sentence pairs  the premise and the hypothesis, one per line
//
// "record" is the record of the best result, or null if `text` is incomplete. A translation has the scores before the
// softmax. The record of a language model has the self-attention of the text and its greedy continuation. If the model
// has no attention, the "matrix" of the record is empty. "beam" lists the `beam` best translations, captions or answers;
// it is empty for width 1 and for language models. "unknown" lists each unknown word with similar words: {"word",
// "similar"}.
const char* softalign_show(const char* text, int beam);

// Writes a caption for the picture in a file (PNG or PPM), by beam search of width `beam`. Returns a list of records,
// the best first, as `caption --alignment jsonl` writes them.
const char* softalign_caption(const char* file, int beam);

// Answers a question about a story, which has one sentence per line. Returns the records of the `count` most probable
// answers, the best first, as `answer --alignment jsonl` writes them.
const char* softalign_answer(const char* story, const char* question, int count);

// Judges whether a hypothesis follows from a premise. Returns the records of the `count` most probable labels, the best
// first, as `entail --alignment jsonl` writes them.
const char* softalign_entail(const char* premise, const char* hypothesis, int count);

// Translates a sentence, describes a picture or answers a question greedily, but replaces the attention weights of step
// `step` (from 0) by `weights` (models/search/intervention.h). `text` is the text that softalign_show takes: a sentence,
// the name of a picture file, or a story with its question. There are `size` weights: one per source word and one for
// </s>, one per cell of the picture, or one per sentence of the story. All heads and hops of the step get these weights.
// With size 0, the function replaces no weights. Returns the alignment record of the output.
const char* softalign_reweight(const char* text, int step, const float* weights, int size);

// Returns the alignment record of a sentence and a given translation.
const char* softalign_align(const char* sentence, const char* translation);

// The engine calls this function with a line of JSON: {"step", "epoch", "done", "loss"} after a step, and {"metrics",
// "record"} after an epoch. "metrics" is the line of metrics.jsonl. "record" is the record that softalign_show returns
// for the sentence of softalign_train. The function returns 0 to end the training after this step.
typedef int (*softalign_progress)(const char* json);

// Trains a model with the options in FOLDER/config.json, and writes the run into this folder. If `epochs` is 0, the
// number of epochs also comes from config.json. After each epoch, the new model translates `sentence`, unless it is
// blank. Returns {"steps", "seconds", "finished"}. The run that softalign_open opened stays open.
const char* softalign_train(const char* folder, int epochs, const char* sentence, softalign_progress progress);
}
