"""How docs/experiments.py words the claims of docs/measured/studies.

A study records a claim in a few words, and its figures as "accuracy 94.0". Here each claim has a sentence that can be read
alone, and a sentence that gives every figure its owner and its unit. {0}, {1}, .. are the numbers of the recorded figures,
in their order; no number of a result stands here. SETTINGS does the same for the setting of a study.
"""
import re

NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?")

# Study -> the recorded claim -> its sentence, and the sentence with its figures.
CLAIMS = {
    "captioning": {
        "Soft attention describes the picture and attends to the object that each word names (section 5.4)": (
            "A model with soft attention describes the pictures, and at each word it attends to the object that this word describes "
            "(Xu et al. 2015, section 5.4).",
            "It writes {0}% of the captions exactly. For {1}% of the words that name a colour or a shape, its largest weight is on the "
            "object with this colour or shape."),
        "Hard attention, which samples one cell per word, is sufficient (section 4.1)": (
            "Hard attention, which samples a single cell of the picture per word, is sufficient (Xu et al. 2015, section 4.1).",
            "The model writes {0}% of the captions exactly. For {1}% of the words that name a colour or a shape, its largest weight is "
            "on the object with this colour or shape."),
        "A correct caption does not prove attention to the objects: the mean of all cells, which contain their positions, is within ten "
        "points": (
            "A correct caption does not prove that a model attends to the objects, because a model that reads the mean of all cells is at "
            "most ten points worse.",
            "With the mean, the model writes {0}% of the captions exactly, and with soft attention {1}%."),
    },
    "circuits": {
        "Without attention, the product of the two embeddings is the bigram table (Elhage et al. 2021)": (
            "In a model without attention, the product of the two embedding matrices is the table of bigram probabilities (Elhage et al. "
            "2021).",
            "The two tables differ by {0} nats."),
        "One layer learns skip-trigrams; a model without attention guesses one of four results": (
            "A model with one layer of attention learns skip-trigrams, and a model without attention guesses one of four words.",
            "With attention, the model predicts {0}% of these words correctly, and without attention {1}%."),
        "The QK circuit finds words that show the cue, and the OV circuit raises the results of the cue": (
            "The weights show how one layer works: its QK circuit (queries and keys) finds words that show the cue, and its OV circuit "
            "(values and output) makes the results of this cue more probable.",
            "Of the four results that a cue makes most probable, {0}% belong to this cue. {1}% of the words with the largest QK scores "
            "show the cue, and {2}% of the attention is on such words."),
        "Two layers learn induction, and one does not": (
            "A model with two layers of attention learns to repeat what followed a name earlier (induction), and a model with one layer "
            "does not.",
            "Two layers predict {0}% of these words correctly, and one layer {1}%."),
        "The second layer attends to the word after the earlier occurrence of the current word": (
            "The second layer attends to the word after the earlier occurrence of the current word.",
            "For {0}% of the words, its largest weight is on that word."),
        "Both circuits of the second layer can be read: K-composition matches first names, and OV copies last names": (
            "The weights show how the second layer works: its keys match equal first names, and its OV circuit copies last names.",
            "{0}% of the first names are matched, and {1}% of the last names are copied."),
    },
    "cnn-attention": {
        "Self-attention transports information across the picture (section 3)": (
            "A layer of self-attention transports information across the picture (Zhang et al. 2019, section 3).",
            "With this layer, the network predicts {0}% of the colours correctly."),
        "A convolution does not, because it sees only neighbouring cells": (
            "A convolution does not transport information across the picture, because it sees only neighbouring cells.",
            "With a convolution, the network predicts {0}% of the colours correctly, and without any layer {1}%."),
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
            "The computer reads each letter from the memory position where it had written this letter.",
            "This is true for {0}% of the letters."),
        "It follows the temporal links from letter to letter": (
            "The computer moves from letter to letter along the temporal links, which record the order of writing.",
            "{0}% of the weight is on this mode of reading."),
        "It keeps a sequence while 11 others are stored and asked for": (
            "The computer keeps a sequence in memory while 11 other sequences are stored and asked for.",
            "Afterwards, it writes {0}% of the letters of this sequence correctly."),
        "No neural Turing machine with 16 positions keeps it, for any memory size in training": (
            "A neural Turing machine with 16 positions does not keep such a sequence, whatever the size of its memory in training.",
            "The best seed writes {0}% of the letters correctly. If the machine is trained with {2} positions, it writes {1}%."),
    },
    "entailment": {
        "Comparing words one by one is sufficient for most pairs (section 3)": (
            "A model that only compares the words of two sentences one by one judges most pairs correctly (Parikh et al. 2016, section 3).",
            "It judges {0}% of the pairs correctly."),
        "Without attention, the same number of steps is not enough": (
            "A model without attention does not learn the task in the same number of training steps.",
            "It judges {0}% of the pairs correctly."),
        "A word attends to the word that it was derived from": (
            "A word of the hypothesis attends to the word of the premise from which it was derived.",
            "For {0}% of the words, the largest weight is on that word. If the word occurs only once in the premise, this is true for {1}%."),
        "A bag of words cannot distinguish two occurrences of a word": (
            "The model does not know the word order, so it cannot distinguish two occurrences of the same word.",
            "If the word occurs several times, the largest weight is on the right occurrence in {0}% of the cases."),
    },
    "fast-weights": {
        "Softmax attention finds any number of keys": (
            "Attention with a softmax finds a key among any number of keys.",
            "With {0} keys, the model gives {1}% of the values correctly."),
        "A sum of more keys than the width of a key overloads the memory (section 3)": (
            "If a memory adds up more pairs than a key has numbers, it is overloaded (Schlag et al. 2021, section 3).",
            "The keys are mapped by elu + {0} and have {1} numbers. With {2} keys, linear attention gives {3}% of the values correctly, and the "
            "same memory without the division by the sum of the weights {4}%. With {5} keys, they give {6}% and {7}%."),
        "A feature map to a larger width restores the capacity (section 5)": (
            "A function that maps the keys to more numbers restores the capacity of the memory (Schlag et al. 2021, section 5).",
            "The function DPFP maps the keys to {0} numbers. Linear attention then gives {1}% of the values correctly. Without the "
            "division by the sum of the weights, it gives {2}%."),
        "Only the delta rule can replace a value (section 4.2)": (
            "Only a memory with the delta rule can replace the value of a key by a new value (Schlag et al. 2021, section 4.2).",
            "The delta rule gives {0}% of the last values correctly with elu + 1, and {1}% with DPFP. The best of the other memories gives "
            "{2}%."),
    },
    "flash": {
        "Memory grows quadratically if the weights are stored, and linearly with tiles": (
            "If attention stores all weights, its memory grows with the square of the text length. If it computes the weights in tiles, the "
            "memory grows linearly.",
            "From {0} to {1} words, the memory grows by a factor of {2} with stored weights, and by a factor of {3} with tiles."),
        "At 4,096 words, tiled attention needs at most a tenth of the memory": (
            "At 4,096 words, tiled attention needs at most a tenth of the memory.",
            "It needs {0} MB, and attention with stored weights needs {1} MB."),
        "At 4,096 words, tiled attention takes at most 1.1× the time": (
            "At 4,096 words, tiled attention takes at most 1.1 times as long.",
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
            "Both models predict the form of a verb, because the noun that determines the form is to the left of the verb.",
            "The model that reads both sides predicts {0}% of the verbs correctly, and the other model {1}%."),
        "A second noun of another number does not mislead the model; without positions it does": (
            "If the second noun has another number than the first noun, it does not mislead the model. It does mislead a model without "
            "positions.",
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
            "Each gate helps only with its own task.",
            "With the spatial gate, the network predicts {0}% of the paints correctly, and without a gate {1}%. With the channel gate, it "
            "predicts {2}% of the labels in the task with lamps correctly, and without a gate {3}%."),
    },
    "induction": {
        "Two layers of attention learn to continue a repeated text (Olsson et al. 2022)": (
            "A model with two layers of attention learns to continue a text that repeats itself (Olsson et al. 2022).",
            "It predicts {0}% of the repeated words correctly."),
        "One layer cannot, because it does not know which word precedes the word that it attends to": (
            "A model with one layer cannot do this, because it does not know which word precedes the word that it attends to.",
            "It predicts {0}% of the repeated words correctly."),
        "The second layer attends to the word after an earlier occurrence (an induction head)": (
            "The second layer attends to the word that followed an earlier occurrence of the current word. Such a head is called an "
            "induction head.",
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
            "The largest weight of this model is on the earlier mention of the thing that it has to predict.",
            "This is true for {0}% of the repeated names."),
        "An LSTM of the same width does not": (
            "An LSTM of the same width does not repeat what was said before.",
            "For {0}% of the repeated names, it predicts the right thing. The claim allows at most half of the "
            "names."),
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
            "The mean of all sentences is not sufficient to answer the questions.",
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
            "After {0} steps, the model answers {1}% of the training set and {2}% of the held-out sums correctly."),
        "Few frequencies have most of the embedding (Nanda et al. 2023)": (
            "If the embedding table is split into frequencies by a Fourier transform, a few frequencies contain most of it (Nanda et al. "
            "2023).",
            "The {0} strongest of {1} frequencies contain {2}% of the embedding, and before the training {3}%."),
        "These frequencies suffice for the sums, and the others do not": (
            "The strongest frequencies are sufficient to answer the held-out sums, and the other frequencies are not.",
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
            "The second layer attends to words after earlier occurrences of the current word, as counting of word pairs needs.",
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
            "These convolutions also reverse sequences that are twice as long as those in training, because a window does not know its "
            "position.",
            "The model writes {0}% of the words of such sequences correctly."),
        "Windows of one cell do not learn to reverse, because the word order is in the neighbours": (
            "A model whose windows cover only one position of the memory does not learn to reverse a sequence. It does not see which words stand before and after a word.",
            "It writes {0}% of the words correctly."),
        "The maxima show the alignment within one word": (
            "The positions of the maxima show which source word is being written, with an error of at most one word.",
            "For {0}% of the words, the maxima are at most one word away from this source word. For {1}%, they are on the word itself."),
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
            "Then 1 / width is {0} and the error {1}. If the training hides each point from itself, 1 / width is {2} and the error {3}."),
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
            "It predicts {0}% of the words correctly in texts of {1} words, {2}% in texts of {3} words, and {4}% in texts of {5} words."),
    },
    "saliency": {
        "The most salient square shows the odd object, although the map learns nothing (Itti et al. 1998)": (
            "The most salient square of the picture shows the object with the odd colour, although the saliency map learns nothing (Itti et "
            "al. 1998).",
            "This is true for {0}% of the pictures, and a random square shows the object in {1}%."),
        "A second network that sees only this square names the shape": (
            "A network that sees only this square can name the shape of the object.",
            "It names {0}% of the shapes correctly."),
        "With the square of a random object, or with all pixels, a network of the same size does not": (
            "A network of the same size cannot name the shape if it sees the square of a random object, or all pixels.",
            "It names {0}% of the shapes correctly with a random object, and {1}% with all pixels."),
    },
    "three-ways": {
        "Self-attention reaches every word in one step (table 1, longest path)": (
            "Self-attention reaches every word in a single step (Vaswani et al. 2017, table 1).",
            "It predicts {0}% of the words correctly in the task Reverse, and {1}% in the task Twin. At the largest distance in {2} words, "
            "self-attention predicts {3}% of the words correctly, recurrence {4}%, and convolution {5}%."),
        "Recurrence and convolution learn less in the same number of steps": (
            "Recurrence and convolution learn less in the same number of training steps.",
            "In the task Reverse, recurrence predicts {0}% of the words correctly, and convolution {1}%."),
        "Without positions, attention finds words by content but not by order (section 3.5)": (
            "Attention without positions finds words by their content but not by their order (Vaswani et al. 2017, section 3.5).",
            "It predicts {0}% of the words correctly in the task Reverse, which needs the order. In the task Twin, which needs the content, "
            "it predicts {1}%."),
        "Attention from positions only finds words by order but not by content": (
            "Attention that depends only on positions finds words by their order but not by their content.",
            "In the task Reverse, it predicts {0}% of the words correctly, and {1}% in its factorized form. In the task Twin, its largest "
            "weight is on the twin for {2}% of the words, and {3}% in its factorized form; {4}% would be there by chance."),
        "Twice as many words cost 2× the time in recurrence and convolution, and more in self-attention (table 1)": (
            "If a text has twice as many words, recurrence and convolution take twice as long, and self-attention takes even longer (Vaswani "
            "et al. 2017, table 1).",
            "From {0} to {1} words, the time grows by a factor of {2} in recurrence, {3} in convolution, and {4} in self-attention."),
    },
    "turing-machine": {
        "Trained on at most 10 letters, a neural Turing machine copies 20 (section 4.1)": (
            "A neural Turing machine that was trained on at most 10 letters can copy 20 letters (Graves et al. 2014, section 4.1).",
            "It writes {0}% of the letters correctly."),
        "It reads each letter from the position where it wrote it (figure 6)": (
            "The machine reads each letter from the memory position where it had written this letter (Graves et al. 2014, figure 6).",
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
         "Training takes 3000 steps of 32 pictures, and the test has 500 other pictures. All figures are in percent. The last three columns "
         "are about words that name a colour or a shape. They show how often the largest weight is on the object of the word, how often it "
         "is on this object or at most one cell away, and how much weight is on the object."),
    ],
    "circuits": [
        ("one cue, and pairs of words in random order. Bigram: one of two words follows a lead. Skip-trigram: the word after a pivot depends "
         "on the cue earlier in the text (4 cues, 4 pivots, 16 results). Induction: the first name of one of 4 people is followed by the "
         "last name that this person has in this text, and this is scored from the second occurrence on.",
         "one cue, and pairs of words in random order. The pairs have three kinds. In a bigram, one of two words follows a *lead*. In a "
         "skip-trigram, the word after a *pivot* depends on the cue earlier in the text (4 cues, 4 pivots, 16 results). In the third kind, "
         "the first name of one of 4 people is followed by the last name of this person, which each text chooses anew. The test of "
         "induction counts these names from their second occurrence on."),
        ("Columns: bigram is the distance in nats from the true distribution after a lead.",
         "The column *bigram* is the distance in nats from the true distribution after a lead."),
        ("Attention is, with one layer, the weight of a pivot on the cue and on results; with two layers, how often",
         "With one layer, *attention* is the weight of a pivot on the cue and on results. With two layers, it is how often"),
        ("Table is the distance", "*Table* is the distance"),
        ("QK finds: of the 20 words with the largest scores for a pivot, the percentage of cues and results; chance is 28.",
         "*QK finds* is the percentage of cues and results among the 20 words with the largest scores for a pivot; by chance it would be 28."),
        ("OV raises: of the four results whose logits a cue raises most, the percentage that belongs to the cue; chance is 25.",
         "*OV raises* takes the four results whose logits a cue raises most. It is the percentage that belongs to the cue; by chance it would "
         "be 25."),
        ("OV copies: the percentage of last names that raise", "*OV copies* is the percentage of last names that raise"),
        ("K matches: the percentage of first names with", "*K matches* is the percentage of first names with"),
        ("(K-composition); chance is 6.", "(K-composition); by chance it would be 6."),
    ],
    "cnn-attention": [
        ("Training takes 1000 steps of 32; the test has 500 other pictures. In percent; chance is 16.7.",
         "Training takes 1000 steps of 32 pictures, and the test has 500 other pictures. Figures are in percent. A network that guesses is "
         "right for 16.7 of 100 objects."),
    ],
    "dnc": [
        ("In percent: letters that are right, sequences that are right, letters that are read from the position where they were written, the "
         "weight of the forward mode from the second letter on, and letters that are right of a first sequence that waits until 11 others "
         "have been stored and asked for.",
         "The table shows in percent how many letters and how many sequences are right, and how many letters are read from the position where "
         "they were written. The *forward mode* moves to the position that was written next, and the table shows its weight from the second "
         "letter on. The last column has the letters that are right in a first sequence that waits until 11 others have been stored and "
         "asked for."),
    ],
    "entailment": [
        ("In percent. Attention: how often a hypothesis word puts its largest weight on the premise word that it was derived from; then the "
         "same for words that the premise has once, words that it has several times, and words that were changed.",
         "Figures are in percent. *Attention* is how often a word of the hypothesis puts its largest weight on the word of the premise from "
         "which it was derived. The next columns show this for words that occur once in the premise, for words that occur several times, and "
         "for words that were changed."),
    ],
    "fast-weights": [
        ("Accuracy in percent; in brackets, how often the largest weight is on the right pair. Repeated keys: eight pairs with four keys, "
         "where the last value of a key is right.",
         "The table shows the accuracy in percent. Brackets show how often the largest weight is on the right pair. With *repeated keys*, a "
         "text has eight pairs with four keys, and the last value of a key is right."),
    ],
    "flash": [
        ("Attention with 4 heads of size 32 over one sentence, forward and backward. Memory is the peak of all arrays. Difference: the largest",
         "The experiment computes attention with 4 heads of size 32 over one sentence, with the backward pass. Memory is the peak of all "
         "arrays. *Difference* is the largest"),
    ],
    "gaps": [
        ("Accuracy in percent: the most probable of the three articles (chance is 33), or of the two forms of the verb (chance is 50). Other "
         "number: verbs whose second noun has another number than the first. Attention: how often",
         "The table shows in percent how often the most probable of the three articles is right (33 by chance), or of the two forms of the "
         "verb (50 by chance). *Other number* counts verbs whose second noun has another number than the first. *Attention* is how often"),
    ],
    "gates": [
        ("Two tasks on pictures of 32 x 32 pixels; two convolutions",
         "The experiment has two tasks on pictures of 32 x 32 pixels. Two convolutions"),
        ("Paint: sixteen patches under a coloured light; each cell", "In the task *paint*, sixteen patches are under a coloured light. Each cell"),
        ("Lamps: six objects and two lamps; each object", "In the task *lamps*, the picture has six objects and two lamps. Each object"),
        ("steps of 32; the test has 500 other pictures. Accuracy in percent.",
         "steps of 32 pictures, and the test has 500 other pictures. The table shows the accuracy in percent."),
    ],
    "induction": [
        ("Accuracy in percent. Hit: the largest weight of the last layer is on a word after an earlier occurrence of the current word. Random "
         "guessing has a loss of 3.47 nats. Steps: from 90% to 10% of this loss.",
         "The table shows the accuracy in percent. *Hit* is how often the largest weight of the last layer is on a word after an earlier "
         "occurrence of the current word. Random guessing has a loss of 3.47 nats. *Steps* is the number of steps in which the loss falls "
         "from 90% to 10% of this value."),
    ],
    "memory-network": [
        ("training takes 4000 steps of 32, and", "training takes 4000 steps of 32 stories, and"),
        ("Accuracy in percent; in brackets, how often each supporting sentence has the largest weight of some hop, and the weight on the "
         "supporting sentences.",
         "The table shows the accuracy in percent. Brackets show how often each supporting sentence has the largest weight of some hop "
         "(attention step), and the weight on the supporting sentences."),
        ("needs two sentences, so two hops.", "needs two sentences, and therefore two hops."),
    ],
    "modular-addition": [
        ("The training set has 70% of them, every one in each of 2000 steps of AdamW; the others are held out.",
         "The training set has 70% of these sums. Each of 2000 steps of AdamW uses the complete training set. The other sums are held out."),
        ("Figures in percent. Training and held out: accuracy. Strongest: the share of the embedding at its 5 strongest frequencies of 14. "
         "Only these, and without these: accuracy on held-out sums if the embedding keeps these frequencies only, or loses them. Uneven: the "
         "difference",
         "Figures are in percent. *Training* and *held out* are accuracies. *Strongest* is the share of the embedding at its 5 strongest "
         "frequencies of 14. *Only these* is the accuracy on held-out sums if the embedding keeps only these frequencies, and *without these* "
         "if it loses them. *Uneven* is the difference"),
    ],
    "n-grams": [
        ("Figures are nats, means over 200 texts from word 13 on: the loss, and KL(rule || model), where the rule predicts from unigram or "
         "bigram counts, with one added to each count.",
         "Figures are in nats, and are means over 200 texts from word 13 on. They are the loss, and the Kullback-Leibler divergence KL(rule || "
         "model). The rule predicts from unigram or bigram counts, with one added to each count."),
        ("Attention: the percentage of the last layer's weight on words after an earlier occurrence of the current word. Chance: the "
         "percentage of such words.",
         "*Attention* is the percentage of the last layer's weight on words after an earlier occurrence of the current word. *Chance* is the "
         "percentage of such words."),
    ],
    "permutation": [
        ("Change: |f(Px) - P f(x)| / |f(x)|, where P is the permutation; it is 0 for a layer that is equivariant to word order.",
         "*Change* is |f(Px) - P f(x)| / |f(x)|, where x are the words, f is the layer and P is the permutation. It is 0 for a layer whose "
         "outputs are only reordered with the words."),
    ],
    "pervasive-attention": [
        ("and the maximum over the source follows; training", "and the maximum over the source words follows. Training"),
        ("Figures in percent, with teacher forcing: accuracy for sentences of 8 words, and of 16 words, which is longer than any in training.",
         "The table shows in percent, with teacher forcing, the accuracy for sentences of 8 words, and of 16 words. The second length is "
         "longer than any in training."),
    ],
    "positions": [
        ("Accuracy in percent by text length.", "The table shows the accuracy in percent for each text length."),
    ],
    "saliency": [
        ("Accuracy in percent. The network", "The table shows the accuracy in percent. The network"),
    ],
    "three-ways": [
        ("Reverse: the words in reverse order. Rotate: the word three positions away. Twin: the number that the other copy of the letter has.",
         "In the task *reverse*, it predicts the words in reverse order. In *rotate*, it predicts the word three positions away. In *twin*, "
         "each letter occurs twice with a number, and it predicts the number of the other copy."),
        ("Accuracy in percent. Attention: how often the largest weight is on the word that determines the answer / the weight on this word, "
         "both in percent.",
         "The table shows the accuracy in percent. *Attention* has two percentages: how often the largest weight is on the word that "
         "determines the answer, and the weight on this word."),
    ],
    "turing-machine": [
        ("In percent: letters that are right, texts that are right, and letters that are read from the position where they were written.",
         "The table shows in percent how many letters and how many texts are right, and how many letters are read from the position where they "
         "were written."),
    ],
}

# A claim of permutation names a layer: these sentences are for all of them.
LAYER = re.compile(r"(Depends|Does not depend) on word order: (.*)")


def sentences(study, claim):
    """The two sentences of a claim, and the rest of its text, which may have figures too: ": 5 of 14"."""
    for known, both in CLAIMS.get(study, {}).items():
        if claim == known or claim.startswith(f"{known}: "):
            return *both, claim[len(known):]
    if match := LAYER.fullmatch(claim):
        verb = "depends" if match[1] == "Depends" else "does not depend"
        return (f"The output of the layer \"{match[2]}\" {verb} on the word order.",
                "If the words are reordered, the outputs change by {0} of their size, not counting their new order.", "")
    raise SystemExit(f"docs/claims.py has no sentence for the claim of {study}: {claim}")


def worded(study, claim):
    """The verdict, the claim and its figures in sentences; `claim` is as the study recorded it."""
    sentence, outcome, more = sentences(study, claim["claim"])
    numbers = NUMBER.findall(f"{more} {claim['figures']}")
    used = {int(place) for place in re.findall(r"\{(\d+)\}", outcome)}
    if used != set(range(len(numbers))):
        raise SystemExit(f"docs/claims.py: the sentence does not fit the figures of {study}: {claim['figures']}")
    verdict = "The claim holds." if claim["held"] else "The claim does not hold."
    return f"**{verdict}** {sentence} {outcome.format(*numbers)}"


def setting(study, recorded):
    """The setting that a study recorded, in sentences."""
    for fragment, sentence in SETTINGS.get(study, []):
        if fragment not in recorded:
            raise SystemExit(f"docs/claims.py: the setting of {study} does not contain: {fragment}")
        recorded = recorded.replace(fragment, sentence)
    return recorded
