"""How docs/experiments.py words the claims of docs/measured/studies.

A study records a claim in a few words, and its figures as "accuracy 94.0". Here each claim has a sentence that can be read
alone, and a sentence that gives every figure its owner and its unit. {0}, {1}, .. are the numbers of the recorded figures,
in their order; no number of a result stands here. A third text, if there is one, replaces both when the claim does not hold:
it says what was expected, and then what we measured. SETTINGS does the same for the setting of a study, and COLUMNS for the
heads of its table.
"""
import re

NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?")

# Study -> the recorded claim -> its sentence, the sentence with its figures, and perhaps the text of a claim that does not hold.
CLAIMS = {
    "captioning": {
        "Soft attention describes the picture and attends to the object that each word names (section 5.4)": (
            "A model with soft attention describes the pictures, and at each word it attends to the object that this word describes "
            "(Xu et al. 2015, section 5.4).",
            "It writes {0}% of the captions exactly. For {1}% of the words that name a colour or a shape, its largest weight is on the "
            "object with this colour or shape."),
        "Hard attention, which samples one cell per word, is sufficient (section 4.1)": (
            "Hard attention, which samples a single cell of the picture per word, is sufficient to describe pictures (Xu et al. 2015, section "
            "4.1).",
            "The model writes {0}% of the captions exactly. For {1}% of the words that name a colour or a shape, its largest weight is "
            "on the object with this colour or shape."),
        "A correct caption does not prove attention to the objects: the mean of all cells, which contain their positions, is within ten "
        "points": (
            "A correct caption does not prove that a model attends to the objects. A model that reads the mean of all cells, and so cannot "
            "choose an object, is at most ten percentage points worse.",
            "With the mean, the model writes {0}% of the captions exactly, and with soft attention {1}%."),
    },
    "circuits": {
        "Without attention, the product of the two embeddings is the bigram table (Elhage et al. 2021)": (
            "In a model without attention, the product of the two embedding matrices is the table of bigram probabilities (Elhage et al. "
            "2021).",
            "The probabilities from this product differ by {0} nats from the true bigram probabilities."),
        "One layer learns skip-trigrams; a model without attention guesses one of four results": (
            "A model with one layer of attention learns skip-trigrams: it predicts a word that depends on a cue earlier in the text. A "
            "model without attention guesses one of four words.",
            "With attention, the model predicts {0}% of these words correctly, and without attention {1}%."),
        "The QK circuit finds words that show the cue, and the OV circuit raises the results of the cue": (
            "The weights show how one layer works: its QK circuit (queries and keys) finds words that show the cue, and its OV circuit "
            "(values and output) makes the results of this cue more probable.",
            "Of the four results that a cue makes most probable, {0}% belong to this cue. {1}% of the words with the largest QK scores "
            "show the cue, and {2}% of the attention is on such words."),
        "Two layers learn induction, and one does not": (
            "If a first name is repeated, a model with two layers of attention learns to repeat the last name that followed it earlier "
            "(induction). A model with one layer does not.",
            "Two layers predict {0}% of the repeated last names correctly, and one layer {1}%."),
        "The second layer attends to the word after the earlier occurrence of the current word": (
            "In a model with two layers of attention, the second layer attends to the word after the earlier occurrence of the current "
            "word.",
            "For {0}% of the words, its largest weight is on that word."),
        "Both circuits of the second layer can be read: K-composition matches first names, and OV copies last names": (
            "The weights show how the second layer works. At a first name, it attends to the word that followed this name earlier "
            "(K-composition). Its OV circuit, the product of the value and output matrices, copies that word, which is the last name.",
            "For {0}% of the first names, this word has the largest score. {1}% of the last names raise their own score most."),
    },
    "cnn-attention": {
        "Self-attention transports information across the picture (section 3)": (
            "A layer of self-attention transports information across the picture (Zhang et al. 2019, section 3).",
            "With this layer, the network predicts {0}% of the colours correctly."),
        "A convolution does not, because it sees only neighbouring cells": (
            "A convolution does not transport information across the picture, because it sees only neighbouring cells.",
            "With a convolution, the network predicts {0}% of the colours correctly. If we leave the convolution out, it predicts {1}%."),
        "Each cell attends to the twin": (
            "The cell of an object attends to the other object of the same shape (its twin).",
            "For {0}% of the objects, the largest weight is on the twin."),
    },
    "dnc": {
        "A neural computer with 16 positions answers texts that store 80 words, because it frees memory (allocation)": (
            "A differentiable neural computer with 16 memory positions can answer questions about texts that store 80 words, because it "
            "frees memory that it no longer needs.",
            "It writes {0}% of the letters correctly."),
        "It reads each letter from the position where it wrote it": (
            "A differentiable neural computer reads each letter from the memory position where it had written this letter.",
            "This is true for {0}% of the letters."),
        "It follows the temporal links from letter to letter": (
            "A differentiable neural computer moves from letter to letter along its temporal links, which record the order of writing.",
            "It has three modes of reading, and gives {0}% of the weight to this one."),
        "It keeps a sequence while 11 others are stored and asked for": (
            "A differentiable neural computer keeps a sequence in memory while 11 other sequences are stored and asked for.",
            "Afterwards, it writes {0}% of the letters of this sequence correctly.",
            "We expected that a differentiable neural computer keeps a sequence in memory while 11 other sequences are stored and asked "
            "for. Afterwards, it should write at least 90% of the letters of this sequence correctly, but it writes {0}%."),
        "No neural Turing machine with 16 positions keeps it, for any memory size in training": (
            "A neural Turing machine with 16 memory positions does not keep a sequence while 11 other sequences are stored and asked for, "
            "whatever the size of its memory in training.",
            "With the best random seed, it writes {0}% of the letters of this sequence correctly. If it is trained with {2} positions, it "
            "writes {1}%."),
    },
    "entailment": {
        "Comparing words one by one is sufficient for most pairs (section 3)": (
            "A model that only compares the words of two sentences one by one judges most pairs correctly (Parikh et al. 2016, section 3).",
            "It judges {0}% of the pairs correctly."),
        "Without attention, the same number of steps is not enough": (
            "A model without attention learns natural language inference worse in the same number of training steps.",
            "It judges {0}% of the pairs correctly."),
        "A word attends to the word that it was derived from": (
            "A word of the hypothesis attends to the word of the premise from which it was derived.",
            "For {0}% of the words, the largest weight is on that word. Among the words that occur only once in the premise, it is {1}%."),
        "A bag of words cannot distinguish two occurrences of a word": (
            "Decomposable attention does not know the word order, so it cannot distinguish two occurrences of the same word.",
            "If the word occurs several times, the largest weight is on the right occurrence in {0}% of the cases."),
    },
    "fast-weights": {
        "Softmax attention finds any number of keys": (
            "Attention with a softmax finds a key among any number of keys.",
            "With {0} keys, the model gives {1}% of the values correctly."),
        "A sum of more keys than the width of a key overloads the memory (section 3)": (
            "If a memory adds up more pairs than a key has numbers, it is overloaded (Schlag et al. 2021, section 3).",
            "Each key has {1} numbers, and the function elu + {0} maps each number. With {2} keys, linear attention gives {3}% of the values "
            "correctly. A memory that does not divide by the sum of the weights gives {4}%. With {5} keys, they give {6}% and {7}%."),
        "A feature map to a larger width restores the capacity (section 5)": (
            "A function that maps the keys to more numbers restores the capacity of the memory (Schlag et al. 2021, section 5).",
            "The function DPFP maps the keys to {0} numbers. Linear attention then gives {1}% of the values correctly. Without the "
            "division by the sum of the weights, it gives {2}%."),
        "Only the delta rule can replace a value (section 4.2)": (
            "Only a memory with the delta rule can replace the value of a key by a new value (Schlag et al. 2021, section 4.2).",
            "With the delta rule, the model gives {0}% of the last values correctly if the function elu + 1 maps the keys, and {1}% with the "
            "function DPFP. The best of the other memories gives {2}%."),
    },
    "flash": {
        "Memory grows quadratically if the weights are stored, and linearly with tiles": (
            "If attention stores all weights, its memory grows with the square of the text length. If it computes the weights in tiles, the "
            "memory grows linearly.",
            "From {0} to {1} words, the memory grows by a factor of {2} with stored weights, and by a factor of {3} with tiles."),
        "At 4,096 words, tiled attention needs at most a tenth of the memory": (
            "At 4,096 words, tiled attention needs at most a tenth of the memory of attention with stored weights.",
            "It needs {0} MB, and attention with stored weights needs {1} MB."),
        "At 4,096 words, tiled attention takes at most 1.1× the time": (
            "At 4,096 words, tiled attention takes at most 1.1 times as long as attention with stored weights.",
            "It takes {0} ms, and attention with stored weights takes {1} ms."),
        "Both compute the same attention": (
            "Tiled attention and attention with stored weights compute the same result.",
            "The results differ by at most {0}, relative to the largest value."),
    },
    "gaps": {
        "A model that reads both sides predicts articles, and a model that reads from the left guesses (Devlin et al. 2019)": (
            "A model that reads the words on both sides of a gap predicts articles, and a model that reads only the words to the left "
            "guesses them (Devlin et al. 2019).",
            "The first model predicts {0}% of the articles correctly, and the second model {1}%."),
        "Both models predict verbs, because the first noun is to the left of its verb": (
            "A model that reads both sides of a gap and a model that reads only the left side both predict the form of a verb, because the "
            "noun that determines the form is to the left of the verb.",
            "The model that reads both sides predicts {0}% of the verbs correctly, and the other model {1}%."),
        "A second noun of another number does not mislead the model; without positions it does": (
            "A verb has the number of the first noun. A second noun with another number does not mislead the model, but it misleads a model "
            "without positions.",
            "In such sentences, the model predicts {0}% of the verbs correctly, and without positions {1}%."),
        "A masked word attends to the noun that determines it": (
            "A masked word attends to the noun that determines the word.",
            "For {0}% of the masked words, the largest weight is on this noun."),
    },
    "gates": {
        "A channel gate compensates for the colour of the light (Hu et al. 2018)": (
            "A channel gate, which scales each feature of the picture, compensates for the colour of the light (Hu et al. 2018).",
            "With the gate, the network predicts {0}% of the paints correctly, and without a gate {1}%."),
        "A spatial gate selects the lit objects (Woo et al. 2018)": (
            "A spatial gate, which scales each cell of the picture, selects the lit objects (Woo et al. 2018).",
            "With the gate, the network predicts {0}% of the labels in the task with lamps correctly, and without a gate {1}%."),
        "The spatial gate is open at lit objects and closed at dark objects": (
            "The spatial gate is open at lit objects and closed at dark objects.",
            "On average, the gate is {0} at lit objects and {1} at dark objects, where 1 means open and 0 closed."),
        "Neither gate helps with the task of the other": (
            "The spatial gate does not help to recognise paints under a coloured light, and the channel gate does not help to find lit "
            "objects.",
            "With the spatial gate, the network predicts {0}% of the paints correctly, and without a gate {1}%. With the channel gate, it "
            "predicts {2}% of the labels in the task with lamps correctly, and without a gate {3}%."),
    },
    "induction": {
        "Two layers of attention learn to continue a repeated text (Olsson et al. 2022)": (
            "A model with two layers of attention learns to continue a text that repeats itself (Olsson et al. 2022).",
            "It predicts {0}% of the repeated words correctly."),
        "One layer cannot, because it does not know which word precedes the word that it attends to": (
            "A model with one layer of attention cannot continue a repeated text, because it does not know which word precedes the word that "
            "it attends to.",
            "It predicts {0}% of the repeated words correctly."),
        "The second layer attends to the word after an earlier occurrence (an induction head)": (
            "In a model with two layers of attention, the second layer attends to the word that followed an earlier occurrence of the "
            "current word. Such an attention head is called an induction head.",
            "For {0}% of the words, the largest weight is on such a word."),
        "Attention from positions only is worse, because each text repeats after a different number of words": (
            "Attention that depends only on positions is worse, because each text repeats itself after a different number of words.",
            "With such attention, the model predicts {0}% of the repeated words correctly."),
    },
    "intra-attention": {
        "With intra-attention, the model repeats what was said before (section 3.2)": (
            "With attention to earlier words of the same text (intra-attention), a language model repeats what was said before (Cheng et al. "
            "2016, section 3.2).",
            "For {0}% of the repeated names, it predicts the right thing."),
        "Its largest weight is on the earlier mention": (
            "The largest weight of an LSTM with intra-attention is on the earlier mention of the thing that it has to predict.",
            "This is true for {0}% of the repeated names."),
        "An LSTM of the same width does not": (
            "An LSTM of the same width without attention does not repeat what was said before.",
            "For {0}% of the repeated names, it predicts the right thing. The claim allows at most 50%.",
            "We expected that an LSTM of the same width without attention predicts the right thing for at most 50% of the repeated names. "
            "It predicts the right thing for {0}%."),
    },
    "memory-network": {
        "The network attends to the sentence with the fact": (
            "The memory network attends to the sentence with the fact that the question asks for.",
            "It answers {0}% of the questions correctly, and for {1}% its largest weight is on this sentence."),
        "With temporal encoding, the network uses the last move (section 4.1)": (
            "If sentences have an encoding of their age, the network uses the last move of a person (Sukhbaatar et al. 2015, section 4.1).",
            "It answers {0}% of the questions correctly, and for {1}% its largest weight is on the sentence with the last move."),
        "If two sentences are needed, two hops find both (section 2.2)": (
            "If a question needs two sentences, a network with two hops (attention steps) finds both sentences (Sukhbaatar et al. 2015, "
            "section 2.2).",
            "It answers {0}% of the questions correctly, and finds both sentences for {1}%. With one hop, it answers {2}% correctly."),
        "The mean of all sentences is not sufficient": (
            "The mean of all sentences of a story is not sufficient to answer questions about the story.",
            "A model that reads this mean answers {0}% of the questions about facts correctly. It answers {1}% of the questions about "
            "persons, and {2}% of the questions about things."),
    },
    "modular-addition": {
        "With weight decay, the models of all seeds answer held-out sums, and without weight decay none does": (
            "If the training uses weight decay, the models of all seeds answer sums that they have never seen (held-out sums). Without weight "
            "decay, no model does.",
            "With weight decay, each model answers at least {0}% of these sums correctly, and without weight decay at most {1}%."),
        "The model knows the training set long before the held-out sums (grokking, Power et al. 2022)": (
            "The model knows the training set long before it can answer held-out sums. This is called grokking (Power et al. 2022).",
            "After {0} steps, the model answers {1}% of the training set and {2}% of the held-out sums correctly.",
            "Power et al. (2022) found that a model knows the training set long before it can answer sums that it has never seen "
            "(grokking). After {0} steps, our model should answer at least 95% of the training set and at most 30% of these held-out sums "
            "correctly, but it answers {1}% and {2}%."),
        "Few frequencies have most of the embedding (Nanda et al. 2023)": (
            "If the embedding table is split into frequencies by a Fourier transform, a few frequencies contain most of it (Nanda et al. "
            "2023).",
            "The {0} strongest of {1} frequencies contain {2}% of the embedding, and before the training {3}%."),
        "These frequencies suffice for the sums, and the others do not": (
            "The strongest frequencies of the embedding are sufficient to answer held-out sums, and the other frequencies are not.",
            "If the embedding keeps only the strongest frequencies, the model answers {0}% of the sums correctly. If it loses these "
            "frequencies, the model answers {1}%."),
        "The token = attends equally to both numbers": (
            "The token `=` attends equally to both numbers of the sum.",
            "Its two weights differ by {0} percentage points."),
    },
    "n-grams": {
        "Two layers of attention predict nearly the same as bigram counts (Akyürek et al. 2024)": (
            "A model with two layers of attention predicts nearly the same probabilities as counts of word pairs (Akyürek et al. 2024).",
            "The predictions of the model differ by {0} nats from those of a table of bigram counts, and by {1} nats from those of unigram counts."),
        "One layer only counts words: its predictions are nearer to unigram counts": (
            "A model with one layer only counts words, so its predictions are nearer to unigram counts.",
            "The predictions of the model differ by {0} nats from those of a table of bigram counts, and by {1} nats from those of unigram counts."),
        "The second layer has a bigram head: it attends to words after earlier occurrences of the current word": (
            "In a model with two layers of attention, the second layer attends to words after earlier occurrences of the current word, so "
            "it can count word pairs.",
            "{0}% of its weight is on such words, and {1}% would be there by chance."),
        "An LSTM, trained for the same number of steps, is worse than two layers and better than one": (
            "An LSTM that is trained for the same number of steps is worse than two layers of attention, and better than one layer.",
            "Its predictions differ by {0} nats from those of bigram counts."),
    },
    "pervasive-attention": {
        "Two layers of 3 x 3 convolution over all pairs of words learn to reverse (Elbayad et al. 2018)": (
            "A model with two layers of 3 x 3 convolution over all pairs of words learns to reverse a sequence (Elbayad et al. 2018).",
            "It writes {0}% of the words correctly."),
        "They generalise to sentences twice as long, because a window does not know its position": (
            "Convolutions over all pairs of words also reverse sequences that are twice as long as those in training, because a window does "
            "not know its position.",
            "The model writes {0}% of the words of such sequences correctly."),
        "Windows of one cell do not learn to reverse, because the word order is in the neighbours": (
            "A model whose convolution windows cover only one pair of words does not learn to reverse a sequence, because it does not see "
            "which words are before and after a word.",
            "It writes {0}% of the words correctly."),
        "The maxima show the alignment within one word": (
            "The model takes the maximum over the source words. The position of this maximum shows which source word is being written, with "
            "an error of at most one word.",
            "For {0}% of the words, the maximum is at most one word away from this source word. For {1}%, it is on the word itself."),
    },
    "pooling": {
        "Weights that depend on distance beat the mean of all points (Nadaraya 1964, Watson 1964)": (
            "If weights depend on the distance between points, the estimate of the curve is better than the mean of all points (Nadaraya "
            "1964, Watson 1964).",
            "The mean squared error is {0} with these weights, and {1} with the mean of all points."),
        "A learned width beats a width of 1 and the nearest point": (
            "A kernel whose width is learned is better than a kernel of width 1, and better than the nearest point.",
            "The mean squared error is {0} with the learned width, {2} with width {1}, and {3} with the nearest point."),
        "If each point is visible to itself during training, the learned kernel is narrower but not better": (
            "If the training lets each point see itself, the learned kernel is narrower but not better.",
            "Then the learned value of 1 / width is {0}, and the mean squared error is {1}. If the training hides each point from itself, "
            "the value is {2} and the error is {3}."),
    },
    "positions": {
        "Without positions, attention cannot find a word by its distance (Vaswani et al. 2017, section 3.5)": (
            "Without positions, attention cannot find a word by its distance (Vaswani et al. 2017, section 3.5).",
            "Such a model predicts {0}% of the words correctly in texts of {1} words, {2}% in texts of {3} words, and {4}% in texts of {5} "
            "words."),
        "At the lengths of training, every kind of position works": (
            "In texts that are as long as those in training, every encoding of positions works.",
            "The models predict {0}% of the words correctly with learned positions, {1}% with sinusoids, {2}% with rotary positions, and {3}% "
            "with concatenated sinusoids."),
        "Rotary positions generalise to texts 1.5× as long (Su et al. 2021)": (
            "A model with rotary positions also works on texts that are 1.5 times as long as those in training (Su et al. 2021).",
            "It predicts {0}% of the words correctly in texts of {1} words, {2}% in texts of {3} words, and {4}% in texts of {5} words."),
        "Learned positions do not generalise to longer texts": (
            "A model with learned positions does not work on texts that are longer than those in training.",
            "It predicts {0}% of the words correctly in texts of {1} words, {2}% in texts of {3} words, and {4}% in texts of {5} words."),
        "Sinusoidal positions generalise to longer texts (Vaswani et al. 2017, section 3.5)": (
            "A model with sinusoidal positions also works on texts that are longer than those in training (Vaswani et al. 2017, section 3.5).",
            "It predicts {0}% of the words correctly in texts of {1} words, {2}% in texts of {3} words, and {4}% in texts of {5} words.",
            "Vaswani et al. (2017, section 3.5) expect that a model with sinusoidal positions also works on texts that are longer than "
            "those in training. Our model, which was trained on texts of at most {1} words, predicts {0}% of the words correctly in texts "
            "of {1} words. It predicts {2}% in texts of {3} words, and {4}% in texts of {5} words."),
    },
    "saliency": {
        "The most salient square shows the odd object, although the map learns nothing (Itti et al. 1998)": (
            "The most salient square of the picture shows the object with the odd colour, although the saliency map learns nothing (Itti et "
            "al. 1998).",
            "This is true for {0}% of the pictures, and a random square shows the object in {1}%."),
        "A second network that sees only this square names the shape": (
            "A network that sees only the most salient square of a picture can name the shape of the object with the odd colour.",
            "It names {0}% of the shapes correctly."),
        "With the square of a random object, or with all pixels, a network of the same size does not": (
            "A network of the same size cannot name the shape of the object with the odd colour if it sees the square of a random object, or "
            "all pixels.",
            "It names {0}% of the shapes correctly with a random object, and {1}% with all pixels."),
    },
    "three-ways": {
        "Self-attention reaches every word in one step (table 1, longest path)": (
            "Self-attention reaches every word in a single step (Vaswani et al. 2017, table 1).",
            "It predicts {0}% of the words correctly if the task is to reverse the words, and {1}% if the task is to find the number of the "
            "other copy of a letter (its twin). In texts of {2} words, at the largest distance, self-attention predicts {3}% of the words "
            "correctly, recurrence {4}%, and convolution {5}%."),
        "Recurrence and convolution learn less in the same number of steps": (
            "Recurrence and convolution learn less in the same number of training steps.",
            "If the task is to reverse the words, recurrence predicts {0}% of the words correctly, and convolution {1}%."),
        "Without positions, attention finds words by content but not by order (section 3.5)": (
            "Attention without positions finds words by their content but not by their order (Vaswani et al. 2017, section 3.5).",
            "If the task is to reverse the words, which needs their order, it predicts {0}% correctly. If the task is to find the number of "
            "the other copy of a letter (its twin), which needs the content, it predicts {1}%."),
        "Attention from positions only finds words by order but not by content": (
            "Attention that depends only on positions finds words by their order but not by their content.",
            "If the task is to reverse the words, it predicts {0}% correctly, and {1}% in its factorized form. If the task is to find the "
            "other copy of a letter (its twin), its largest weight is on the twin for {2}% of the words, and for {3}% in its factorized "
            "form. By chance, it would be there for {4}%."),
        "Twice as many words cost 2× the time in recurrence and convolution, and more in self-attention (table 1)": (
            "If a text has twice as many words, the time of self-attention grows more than the times of recurrence and convolution (Vaswani "
            "et al. 2017, table 1).",
            "From {0} to {1} words, the time grows by a factor of {2} in recurrence, {3} in convolution, and {4} in self-attention."),
    },
    "turing-machine": {
        "Trained on at most 10 letters, a neural Turing machine copies 20 (section 4.1)": (
            "A neural Turing machine that was trained on at most 10 letters can copy 20 letters (Graves et al. 2014, section 4.1).",
            "It writes {0}% of the letters correctly."),
        "It reads each letter from the position where it wrote it (figure 6)": (
            "A neural Turing machine reads each letter from the memory position where it had written this letter (Graves et al. 2014, "
            "figure 6).",
            "This is true for {0}% of the letters."),
        "An LSTM that learned to copy does not generalise to longer texts (figure 5)": (
            "An LSTM that has learned to copy cannot copy longer texts (Graves et al. 2014, figure 5).",
            "It writes {1}% of the letters correctly in texts of {0} letters, and {3}% in texts of {2} letters."),
    },
}

# Study -> fragments of its recorded setting, each with a sentence in its place.
SETTINGS = {
    "captioning": [
        ("Training takes 3000 steps of 32; the test has 500 other pictures. All figures in percent. For words that name a colour or a shape: "
         "how often the largest weight is on their object, on it or within one cell of it, and the weight on it.",
         "Training takes 3000 steps of 32 pictures, and the test has 500 other pictures. The last three columns are about words that name a "
         "colour or a shape."),
    ],
    "circuits": [
        ("one cue, and pairs of words in random order. Bigram: one of two words follows a lead. Skip-trigram: the word after a pivot depends "
         "on the cue earlier in the text (4 cues, 4 pivots, 16 results). Induction: the first name of one of 4 people is followed by the "
         "last name that this person has in this text, and this is scored from the second occurrence on.",
         "one cue, and pairs of words in random order. The pairs have three kinds. In a bigram, one of two words follows a *lead*. In a "
         "skip-trigram, the word after a *pivot* is a *result* that depends on the cue earlier in the text (4 cues, 4 pivots, 16 results). "
         "In the third kind, the first name of one of 4 people is followed by the last name of this person, which differs from text to text. The "
         "test of induction counts these names from their second occurrence on."),
        ("Columns: bigram is the distance in nats from the true distribution after a lead. Skip-trigram and induction are accuracies in "
         "percent. Attention is, with one layer, the weight of a pivot on the cue and on results; with two layers, how often",
         "Errors are distances from the true bigram distribution. With one layer, the column *attention* is the weight of a pivot on the cue and on results. With two layers, it is how often"),
        ("The other columns are read from the weights without any text. Table is the distance in nats between softmax(W_E W_U) and the "
         "bigrams.", "The last five columns are read from the weights without any text."),
        ("QK finds: of the 20 words with the largest scores for a pivot, the percentage of cues and results; chance is 28.",
         "The *QK circuit* gives 20 words the largest scores for a pivot; by chance, 28% of them would be cues or results."),
        ("OV raises: of the four results whose logits a cue raises most, the percentage that belongs to the cue; chance is 25.",
         "The *OV circuit* says which four results a cue raises most; by chance, 25% of them would belong to the cue."),
        ("OV copies: the percentage of last names that raise their own logit most among all last names, in the second layer.",
         "In the second layer, it copies a last name if this name raises its own score most."),
        ("K matches: the percentage of first names with the largest score for the word after the same first name (K-composition); chance is "
         "6.",
         "The last column says how often the largest score of a first name is that of the word after the same first name (K-composition); by "
         "chance it would be 6%."),
    ],
    "cnn-attention": [
        ("Training takes 1000 steps of 32; the test has 500 other pictures. In percent; chance is 16.7.",
         "Training takes 1000 steps of 32 pictures, and the test has 500 other pictures. A network that guesses is right for 16.7 of 100 "
         "objects."),
    ],
    "dnc": [
        ("In percent: letters that are right, sequences that are right, letters that are read from the position where they were written, the "
         "weight of the forward mode from the second letter on, and letters that are right of a first sequence that waits until 11 others "
         "have been stored and asked for.",
         "The *forward mode* of reading moves to the position that was written next, and the table shows its weight from the second letter "
         "on. The last column is about a sequence that waits until 11 others have been stored and asked for."),
    ],
    "entailment": [
        ("In percent. Attention: how often a hypothesis word puts its largest weight on the premise word that it was derived from; then the "
         "same for words that the premise has once, words that it has several times, and words that were changed.",
         "The last four columns say how often a word of the hypothesis puts its largest weight on the right word, which is the word of the "
         "premise from which it was derived."),
    ],
    "fast-weights": [
        ("keys have 16 numbers, which DPFP maps to 32. Training takes 700 steps of 64;",
         "keys have 16 numbers, which the function DPFP maps to 32. Training takes 700 steps of 64 texts;"),
        ("Accuracy in percent; in brackets, how often the largest weight is on the right pair. Repeated keys: eight pairs with four keys, "
         "where the last value of a key is right.",
         "Brackets show how often the largest weight is on the right pair, in percent. With *repeated keys*, a text has eight pairs with four "
         "keys, and the last value of a key is right."),
    ],
    "flash": [
        ("Attention with 4 heads of size 32 over one sentence, forward and backward. Memory is the peak of all arrays. Difference: the largest "
         "deviation of context and gradient, relative to the largest value.",
         "The experiment computes attention with 4 heads of size 32 over one sentence, with the backward pass. Memory is the peak of all "
         "arrays. The last column compares context vectors and gradients, and is relative to the largest value."),
    ],
    "gaps": [
        ("Accuracy in percent: the most probable of the three articles (chance is 33), or of the two forms of the verb (chance is 50). Other "
         "number: verbs whose second noun has another number than the first. Attention: how often the largest weight of the masked word is on "
         "the noun that determines it.",
         "The model chooses the most probable of the three articles (33% are right by chance), or of the two forms of the verb (50%)."),
    ],
    "gates": [
        ("Two tasks on pictures of 32 x 32 pixels; two convolutions",
         "The experiment has two tasks on pictures of 32 x 32 pixels. Two convolutions"),
        ("Paint: sixteen patches under a coloured light; each cell", "In the task *paint*, sixteen patches are under a coloured light. Each cell"),
        ("Lamps: six objects and two lamps; each object", "In the task *lamps*, the picture has six objects and two lamps. Each object"),
        ("steps of 32; the test has 500 other pictures. Accuracy in percent.", "steps of 32 pictures, and the test has 500 other pictures."),
    ],
    "induction": [
        ("Only the repeated part is scored: each next word is the one that followed the earlier occurrence of the current word.",
         "The test counts only the repeated part, in which each next word is the word that followed the current word earlier."),
        ("Accuracy in percent. Hit: the largest weight of the last layer is on a word after an earlier occurrence of the current word. Random "
         "guessing has a loss of 3.47 nats. Steps: from 90% to 10% of this loss.",
         "A model that guesses has a loss of 3.47 nats."),
    ],
    "intra-attention": [
        ("All figures are about repeated names, in percent: how often the model predicts the right thing, and how often its largest weight is "
         "on the last mention of this thing, or in the statement with this mention.", "All figures are about repeated names."),
    ],
    "memory-network": [
        ("training takes 4000 steps of 32, and", "training takes 4000 steps of 32 stories, and"),
        ("Accuracy in percent; in brackets, how often each supporting sentence has the largest weight of some hop, and the weight on the "
         "supporting sentences.",
         "A hop is an attention step. Brackets show two percentages: how often each supporting sentence has the largest weight of some hop, "
         "and how much weight is on the supporting sentences."),
        ("needs two sentences, so two hops.", "needs two sentences, and therefore two hops."),
    ],
    "modular-addition": [
        ("The training set has 70% of them, every one in each of 2000 steps of AdamW; the others are held out.",
         "The training set has 70% of these sums. Each of 2000 steps of AdamW uses the complete training set. The other sums are held out."),
        ("Figures in percent. Training and held out: accuracy. Strongest: the share of the embedding at its 5 strongest frequencies of 14. "
         "Only these, and without these: accuracy on held-out sums if the embedding keeps these frequencies only, or loses them. Uneven: the "
         "difference between the two weights of = on a and on b.",
         "A Fourier transform splits the embedding into 14 frequencies, and the table is about the 5 strongest. The last column compares the "
         "weight of = on a with its weight on b."),
    ],
    "n-grams": [
        ("Figures are nats, means over 200 texts from word 13 on: the loss, and KL(rule || model), where the rule predicts from unigram or "
         "bigram counts, with one added to each count.",
         "Figures are means over 200 texts from word 13 on. The Kullback-Leibler (KL) divergence compares the model with a rule that predicts "
         "from counts of single words (unigrams) or of word pairs (bigrams), with one added to each count."),
        ("Attention: the percentage of the last layer's weight on words after an earlier occurrence of the current word. Chance: the "
         "percentage of such words.",
         "The last two columns are about words after an earlier occurrence of the current word: how much weight of the last layer is on them, "
         "and how frequent they are."),
    ],
    "permutation": [
        ("Change: |f(Px) - P f(x)| / |f(x)|, where P is the permutation; it is 0 for a layer that is equivariant to word order.",
         "The table shows |f(Px) - P f(x)| / |f(x)|, where x are the words, f is the layer and P reorders the words. It is 0 for a layer whose "
         "outputs are only reordered with the words."),
        ("The matrices are attention weights: without positions, rows and columns are only permuted; with sinusoidal positions, the weights "
         "change.",
         "The figure shows attention weights. Without positions, their rows and columns are only reordered. With sinusoidal positions, the "
         "weights change."),
    ],
    "pervasive-attention": [
        ("and the maximum over the source follows; training", "and the maximum over the source words follows. Training"),
        ("Figures in percent, with teacher forcing: accuracy for sentences of 8 words, and of 16 words, which is longer than any in training. "
         "The last three columns say where most channels of the last layer have their maximum, for sentences of 16 words: on the source word "
         "that is being written, within one word of it, or on the source word that was written before it.",
         "The test has sentences of 8 words and of 16 words, with teacher forcing. Sentences of 16 words are longer than any in training. For "
         "these, the last three columns say how often most channels of the last layer have their maximum on a certain source word."),
    ],
    "positions": [
        ("Accuracy in percent by text length.", "The table shows how many words are predicted correctly for each text length."),
    ],
    "saliency": [
        ("Accuracy in percent. The network", "The network"),
    ],
    "three-ways": [
        ("Reverse: the words in reverse order. Rotate: the word three positions away. Twin: the number that the other copy of the letter has.",
         "In the task *reverse*, it predicts the words in reverse order. In *rotate*, it predicts the word three positions away. In *twin*, "
         "each letter occurs twice with a number, and it predicts the number of the other copy."),
        ("Accuracy in percent. Attention: how often the largest weight is on the word that determines the answer / the weight on this word, "
         "both in percent.",
         "The right word is the word that determines the answer. Three columns have two percentages: how often the largest weight is on the "
         "right word, and the weight on this word."),
    ],
    "turing-machine": [
        ("In percent: letters that are right, texts that are right, and letters that are read from the position where they were written.",
         "The last column says how many letters the machine reads from the memory position where it had written them."),
    ],
}

# Study -> its recorded columns, each with the head that the page shows.
COLUMNS = {
    "captioning": [
        ("attention", "attention"), ("parameters", "parameters"), ("captions, exact match", "captions written exactly, %"),
        ("words", "words right, %"), ("largest weight on the object", "largest weight on the object of the word, %"),
        ("within one cell", "largest weight on the object or at most one cell away, %"), ("weight on it", "weight on the object, %"),
    ],
    "circuits": [
        ("layers of attention", "layers of attention"), ("bigram, nats", "error of the predictions after a lead, nats"),
        ("skip-trigram", "results after a pivot right, %"), ("induction", "repeated last names right, %"),
        ("attention", "attention on the right words, %"), ("table, nats", "error of the bigram table softmax(W_E W_U), nats"),
        ("QK finds", "QK circuit: cues and results among the preferred words, %"),
        ("OV raises", "OV circuit: right results among the raised results, %"), ("OV copies", "OV circuit: last names copied, %"),
        ("K matches", "K-composition: first names found, %"),
    ],
    "cnn-attention": [
        ("layer", "layer before the output"), ("parameters", "parameters"), ("accuracy", "colours right, %"),
        ("largest weight on the twin", "largest weight on the twin, %"), ("weight on the twin", "weight on the twin, %"),
        ("seconds", "seconds"),
    ],
    "dnc": [
        ("model", "model"), ("parameters", "parameters"), ("positions", "memory positions in the test"),
        ("letters, of 6", "letters right in texts of 6 sequences, %"), ("sequences, of 6", "sequences right in texts of 6 sequences, %"),
        ("letters, of 20", "letters right in texts of 20 sequences, %"), ("sequences, of 20", "sequences right in texts of 20 sequences, %"),
        ("read where written, of 20", "letters read from where they were written, in texts of 20 sequences, %"),
        ("forward mode", "weight of the forward mode, %"),
        ("first sequence, asked after 11", "letters right in a sequence that waits for 11 others, %"),
    ],
    "entailment": [
        ("each word is compared with", "each word is compared with"), ("parameters", "parameters"), ("accuracy", "labels right, %"),
        ("attention", "largest weight on the right word, %"), ("once", "for words that occur once in the premise, %"),
        ("several times", "for words that occur several times, %"), ("changed", "for words that were changed, %"),
    ],
    "fast-weights": [
        ("memory", "memory"), ("8 keys", "values right with 8 keys, %"), ("24 keys", "values right with 24 keys, %"),
        ("repeated keys", "last values right with repeated keys, %"),
    ],
    "flash": [
        ("words", "words"), ("stored, MB", "memory with stored weights, MB"), ("tiled, MB", "memory with tiles, MB"),
        ("stored, ms", "time with stored weights, ms"), ("tiled, ms", "time with tiles, ms"),
        ("difference", "largest difference of the results"),
    ],
    "gaps": [
        ("model reads", "the model reads"), ("articles", "articles right, %"), ("verbs", "verbs right, nouns of the same number, %"),
        ("verbs, other number", "verbs right, second noun of another number, %"),
        ("attention", "largest weight of the gap on the noun that determines it, %"),
    ],
    "gates": [
        ("layer", "layer before the output"), ("parameters", "parameters"), ("paint", "paints right, %"),
        ("lamps", "labels right in the task with lamps, %"), ("mean gate at lit and at dark objects", "mean gate at lit and at dark objects"),
        ("seconds", "seconds"),
    ],
    "induction": [
        ("model", "model"), ("accuracy", "repeated words right, %"),
        ("hit", "largest weight of the last layer after an earlier occurrence of the word, %"), ("loss, nats", "loss, nats"),
        ("steps", "steps in which the loss falls from 90% to 10% of the loss of a guess"),
    ],
    "intra-attention": [
        ("model", "model"), ("parameters", "parameters"), ("accuracy", "right thing predicted, %"),
        ("largest weight on the thing", "largest weight on the last mention of this thing, %"),
        ("in its statement", "largest weight in the statement with this mention, %"),
    ],
    "memory-network": [
        ("memory read by", "memory read by"), ("facts", "questions about facts right, %"),
        ("where is mary", "answers to \"where is mary\" right, %"), ("where is the apple", "answers to \"where is the apple\" right, %"),
    ],
    "modular-addition": [
        ("trained with", "trained with"), ("training", "training sums right, %"), ("held out", "held-out sums right, %"),
        ("held out, after a fifth of the steps", "held-out sums right after a fifth of the steps, %"),
        ("strongest", "share of the strongest frequencies in the embedding, %"),
        ("only these", "held-out sums right with only these frequencies, %"),
        ("without these", "held-out sums right without these frequencies, %"),
        ("uneven", "difference of the two attention weights, percentage points"),
    ],
    "n-grams": [
        ("model", "model"), ("loss", "loss, nats"), ("KL from unigrams", "KL divergence from unigram counts, nats"),
        ("KL from bigrams", "KL divergence from bigram counts, nats"), ("attention", "weight on words after an earlier occurrence of the current word, %"),
        ("chance", "share of these words in the text, %"),
    ],
    "permutation": [("layer", "layer"), ("change", "change if the words are reordered")],
    "pervasive-attention": [
        ("window", "window"), ("8 words", "words right in sentences of 8 words, %"), ("16 words", "words right in sentences of 16 words, %"),
        ("maximum on this word", "maximum on the word that is being written, %"),
        ("within one word", "maximum at most one word away from it, %"),
        ("on the previous word", "maximum on the word that was written before, %"),
    ],
    "pooling": [("weights", "weights"), ("squared error", "mean squared error"), ("w", "1 / kernel width")],
    "positions": [
        ("positions", "position encoding"), ("8", "8 words, % right"), *((str(n), f"{n} words, %") for n in (12, 16, 20, 24, 32, 48)),
    ],
    "saliency": [
        ("the network sees", "the network sees"), ("inputs", "numbers in its input"), ("accuracy", "shapes right, %"),
    ],
    "three-ways": [
        ("layer", "layer"), ("reverse", "reverse: words right, %"),
        ("attention", "reverse: largest weight right / weight on the right word, %"), ("rotate", "rotate: words right, %"),
        ("attention", "rotate: largest weight right / weight on the right word, %"), ("twin", "twin: words right, %"),
        ("attention", "twin: largest weight right / weight on the right word, %"),
    ],
    "turing-machine": [
        ("model", "model"), ("parameters", "parameters"), ("letters, of 10", "letters right in texts of 10 letters, %"),
        ("texts, of 10", "texts of 10 letters without an error, %"), ("letters, of 20", "letters right in texts of 20 letters, %"),
        ("texts, of 20", "texts of 20 letters without an error, %"),
        ("read where written, of 20", "letters read from where they were written, in texts of 20 letters, %"),
    ],
}

# A claim of permutation names a layer: these sentences are for all of them.
LAYER = re.compile(r"(Depends|Does not depend) on word order: (.*)")


def sentences(study, claim):
    """The texts of a claim if it holds and if it does not, and the rest of the claim, which may have figures too: ": 5 of 14"."""
    for known, (sentence, outcome, *refuted) in CLAIMS.get(study, {}).items():
        if claim == known or claim.startswith(f"{known}: "):
            return f"{sentence} {outcome}", refuted[0] if refuted else f"It says: \"{sentence}\" We measured this: {outcome}", claim[len(known):]
    if match := LAYER.fullmatch(claim):
        verb = "depends" if match[1] == "Depends" else "does not depend"
        sentence = f"The output of the layer \"{match[2]}\" {verb} on the word order."
        outcome = ("If we reorder the words, and put the outputs back into the old order, they differ from the first outputs by {0} of their size.")
        return f"{sentence} {outcome}", f"It says: \"{sentence}\" We measured this: {outcome}", ""
    raise SystemExit(f"docs/claims.py has no sentence for the claim of {study}: {claim}")


def worded(study, claim):
    """The verdict, the claim and its figures in sentences; `claim` is as the study recorded it."""
    holds, refuted, more = sentences(study, claim["claim"])
    text = holds if claim["held"] else refuted
    numbers = NUMBER.findall(f"{more} {claim['figures']}")
    used = {int(place) for place in re.findall(r"\{(\d+)\}", text)}
    if used != set(range(len(numbers))):
        raise SystemExit(f"docs/claims.py: the sentence does not fit the figures of {study}: {claim['figures']}")
    verdict = "The claim holds." if claim["held"] else "The claim does not hold."
    return f"**{verdict}** {text.format(*numbers)}"


def heads(study, recorded):
    """The heads of the table of a study, whose recorded columns are `recorded`."""
    if [column for column, _ in COLUMNS.get(study, [])] != recorded:
        raise SystemExit(f"docs/claims.py: COLUMNS does not have the columns of {study}: {recorded}")
    return [head for _, head in COLUMNS[study]]


def setting(study, recorded):
    """The setting that a study recorded, in sentences."""
    for fragment, sentence in SETTINGS.get(study, []):
        if fragment not in recorded:
            raise SystemExit(f"docs/claims.py: the setting of {study} does not contain: {fragment}")
        recorded = recorded.replace(fragment, sentence)
    return recorded
