"""Words the claims of docs/measured/studies for docs/experiments.py.

A study records a claim in a few words, and its figures as "accuracy 94.0". Here each claim has a sentence that can be read
without its context, and a sentence that gives every figure its owner and its unit. {0}, {1}, ... are the numbers of the
recorded figures, in their order, so this file contains no number of a result. A third text, if there is one, replaces both
sentences when the claim does not hold: it says what was expected, and then what we measured. SETTINGS does the same for the
setting of a study, and COLUMNS for the column headings of its table.
"""
import re

NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?")

# A difference with its interval, on each of the two gold sets of alignment-on-real-text.
ON_GOLD_SETS = "{0} points ({1} to {2}) on graca100 and {3} points ({4} to {5}) on trial37."


def cannot_confirm(expected, figure):
    """Returns the sentences about a claim that does not hold on both gold sets."""
    return f"We expected that {expected}, on both gold sets. We cannot confirm this. The {figure} is " + ON_GOLD_SETS


def lowers_aer(subject, lowers="lower", changes="They change"):
    """Returns the entry of the claim that a change of RNNsearch, or of its training, lowers the AER on both gold sets."""
    claim = f"{subject} {lowers} the AER"
    return {f"{claim} on the gold sets": (
        f"{claim} on the gold sets.",
        f"{changes} the AER by {{0}} points ({{1}} to {{2}}) on graca100 and by {{3}} points ({{4}} to {{5}}) on trial37.",
        cannot_confirm(claim[0].lower() + claim[1:], "change"))}


LEADS = ("The difference of the AERs is {0} points ({1} to {2}) on held-out pairs, {3} points ({4} to {5}) on graca100 and {6} points ({7} to "
         "{8}) on trial37.")

# Study -> the recorded claim -> its sentence, the sentence with its figures, and, for some claims, the text if the claim
# does not hold.
CLAIMS = {
    "alignment-on-real-text": {
        "On held-out pairs, attention aligns better than the diagonal": (
            "On held-out pairs, the attention of RNNsearch aligns better than the diagonal.",
            "The AER of attention minus the AER of the diagonal is {0} points, with a 95% interval from {1} to {2}."),
        "On the gold sets, the lead over the diagonal is smaller than on held-out pairs": (
            "On text of another kind, the lead of attention over the diagonal is smaller.",
            LEADS,
            "We expected that the lead of attention over the diagonal is smaller on text of another kind. We can confirm this only if none of the "
            "intervals overlap. " + LEADS),
        "The lead over the diagonal is at least as large on long held-out pairs as on short ones": (
            "Within the lengths of the training pairs, length is no cause: the lead over the diagonal is at least as large on long held-out "
            "pairs as on short ones.",
            "The difference of the AERs is {0} points ({1} to {2}) for at most 5 source words, {3} points ({4} to {5}) for 6 to 10 words, and {6} "
            "points ({7} to {8}) for more words."),
        "Unfamiliar length: joined pairs in training lower the AER of joined pairs more than that of single pairs": (
            "Unfamiliar length is a cause. If the model also trains on joined pairs, the AER of joined pairs falls, and the AER of single "
            "pairs falls less. We compare with twice as many epochs, because the number of words is then the same.",
            "The AER changes by {0} points ({1} to {2}) on joined pairs and by {3} points ({4} to {5}) on held-out pairs."),
        "Unknown words: the lead over the diagonal is smaller if 30% of the words are replaced": (
            "Unknown words are a cause. If 30% of the words are replaced by made-up words, the lead over the diagonal is smaller.",
            "The difference of the AERs is {0} points ({1} to {2}) on held-out pairs, and {3} points ({4} to {5}) with made-up words."),
        "Late words: a query without the previous word has a higher AER on the gold sets": (
            "A query with less information aligns worse. If the query contains the previous target word, the AER on the gold sets is lower than "
            "without this word.",
            "The difference is " + ON_GOLD_SETS),
        "The weights of the next step have a higher AER on the gold sets": (
            "Attention is not one step late. If each word takes the weights of the next step, the AER on the gold sets is higher.",
            "The AER is {0}% with the weights of the same step and {1}% with the weights of the next step on graca100, and {2}% and {3}% on trial37."),
        "An encoder that reads only neighbours and positions has a higher AER on the gold sets": (
            "We find no sign that states that know the complete sentence are a cause. An encoder whose states know only their position and "
            "one neighbour on each side has a higher AER on the gold sets.",
            "The AER of RNNsearch minus the AER with this encoder is " + ON_GOLD_SETS),
        **lowers_aer("Source embeddings in keys and values"),
        **lowers_aer("Dropout of the encoder states", "lowers", "It changes"),
        **lowers_aer("Subwords"),
        **lowers_aer("Twice as many epochs"),
        "Joined pairs lower the AER on the gold sets more than twice as many epochs": (
            "Training on joined pairs lowers the AER on the gold sets more than twice as many epochs, which have the same number of words.",
            "The difference is " + ON_GOLD_SETS,
            cannot_confirm("training on joined pairs lowers the AER more than twice as many epochs, which have the same number of words", "difference")),
        **lowers_aer("More unknown words in training"),
        "Joined pairs and more unknown words lower the AER on the gold sets more than twice as many epochs": (
            "Joined pairs and more unknown words together lower the AER on the gold sets more than twice as many epochs.",
            "The difference is " + ON_GOLD_SETS,
            cannot_confirm("joined pairs and more unknown words together lower the AER more than twice as many epochs", "difference")),
        "On the gold sets, links has a lower AER than every model": (
            "On the gold sets, the program `links`, which has no attention, has a lower AER than every model.",
            "The difference from the best model is " + ON_GOLD_SETS),
        "Fewer links of attention than right links are on the diagonal": (
            "Attention does not follow the diagonal: the share of its links on the diagonal is smaller than the share of the right links.",
            "The two shares are {0}% and {1}% on held-out pairs, {2}% and {3}% on joined pairs, {4}% and {5}% with unknown words, {6}% and {7}% on "
            "graca100, and {8}% and {9}% on trial37."),
        "At aligned steps, the largest weight changes the word more often than another weight": (
            "If the largest weight is on an aligned word, it is the most important weight. Without it the word changes more often than without "
            "the second largest weight, or without a random other weight.",
            "We count the steps at which the model writes the right word. The three shares are {0}%, {1}% and {2}% on held-out pairs, {3}%, {4}% "
            "and {5}% on graca100, and {6}%, {7}% and {8}% on trial37."),
        "At misaligned steps, the largest weight changes the word more often than another weight": (
            "If the largest weight is on a word that is not aligned, it is still the most important weight.",
            "The three shares are {0}%, {1}% and {2}% on held-out pairs, {3}%, {4}% and {5}% on graca100, and {6}%, {7}% and {8}% on trial37.",
            "We expected that the largest weight is also the most important one if it is on a word that is not aligned. This is not so. "
            "Without the largest, the second largest and a random other weight, the word changes in {0}%, {1}% and {2}% of the steps on "
            "held-out pairs. The shares are {3}%, {4}% and {5}% on graca100, and {6}%, {7}% and {8}% on trial37."),
        "The largest weight changes the word more often at aligned steps than at misaligned steps": (
            "A heatmap that is right about alignment is more often right about the cause. The word changes more often without the largest "
            "weight if this weight is on an aligned word.",
            "Over all seeds, {0}% of {1} words change, and {2}% of {3} words if the weight is on another word, on held-out pairs. The figures "
            "are {4}% of {5} and {6}% of {7} on graca100, and {8}% of {9} and {10}% of {11} on trial37."),
        "Links on which two seeds agree are right more often than other links": (
            "Links on which two seeds agree are right more often than other links.",
            "On held-out pairs, two seeds agree on {0}% of the links. The share of right links is {1}% among these and {2}% among the others. "
            "On graca100 the three numbers are {3}%, {4}% and {5}%. On trial37 they are {6}%, {7}% and {8}%."),
    },
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
            "The probabilities from this product differ from the true bigram probabilities by a KL divergence of {0} "
            "nats."),
        "One layer learns skip-trigrams; a model without attention guesses one of four results": (
            "A model with one layer of attention learns skip-trigrams: it predicts a word that depends on a cue earlier in the text. A "
            "model without attention guesses one of four words.",
            "With attention, the model predicts {0}% of these words correctly, and without attention {1}%."),
        "The QK circuit finds words that show the cue, and the OV circuit raises the results of the cue": (
            "The weights of the model show how one layer works. Its QK circuit (queries and keys) finds the cue and earlier "
            "results, which depend on the cue. Its OV circuit (values and output) makes the results of this cue "
            "more probable.",
            "Each cue makes some results more probable, and {0}% of its four most probable results belong to it. "
            "The words with the largest QK scores are cues or results in {1}% of the cases. A pivot gives {2}% of its attention to "
            "cues and earlier results."),
        "Two layers learn induction, and one does not": (
            "If a first name is repeated, a model with two layers of attention learns to repeat the last name that followed it earlier "
            "(induction). A model with one layer does not.",
            "Two layers predict {0}% of the repeated last names correctly, and one layer {1}%."),
        "The second layer attends to the word after the earlier occurrence of the current word": (
            "In a model with two layers of attention, the second layer attends to the word after the earlier occurrence of the current "
            "word.",
            "For {0}% of the words, its largest weight is on that word."),
        "Both circuits of the second layer can be read: K-composition matches first names, and OV copies last names": (
            "The weights of the model show how the second layer works. At a first name, it attends to the word that followed this name earlier "
            "(K-composition). Its OV circuit, the product of the value and output matrices, copies that word, which is the last name.",
            "The QK circuit, the product of the query and key matrices, decides where the layer attends. For {0}% of the first "
            "names, it gives the largest score to the word after the same first name. For {1}% of the last names, the OV "
            "circuit raises the score of the same last name most."),
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
            "It has three modes of reading. The mode that follows the links to the next letter gets {0}% of the weight."),
        "It keeps a sequence while 11 others are stored and asked for": (
            "A differentiable neural computer keeps a sequence in memory while 11 other sequences are stored and asked for.",
            "Afterwards, it writes {0}% of the letters of this sequence correctly.",
            "We expected that a differentiable neural computer keeps a sequence in memory while 11 other sequences are stored and asked "
            "for. Afterwards, it should write at least 90% of the letters of this sequence correctly, but it writes {0}%."),
        "No neural Turing machine with 16 positions keeps it, for any memory size in training": (
            "A neural Turing machine with 16 memory positions does not keep a sequence while 11 other sequences are "
            "stored and asked for, even if it had more positions during training.",
            "With the best random seed, it writes {0}% of the letters of this sequence correctly after training with 16 positions, and "
            "{1}% after training with {2} positions."),
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
            "This word of the premise has the largest weight for {0}% of the words. For words that were copied unchanged "
            "and occur only once in the premise, the figure is {1}%."),
        "A bag of words cannot distinguish two occurrences of a word": (
            "Decomposable attention does not know the word order, so it cannot distinguish two occurrences of the "
            "same word in the premise.",
            "For {0}% of the words that occur several times, the largest weight is on the right occurrence."),
    },
    "fast-weights": {
        "Softmax attention finds any number of keys": (
            "Attention with a softmax finds a key among any number of keys.",
            "With {0} keys, the model gives {1}% of the values correctly."),
        "A sum of more keys than the width of a key overloads the memory (section 3)": (
            "If a memory stores more pairs than a key has numbers, it is overloaded, because it stores the sum of all "
            "pairs (Schlag et al. 2021, section 3).",
            "Each key has {1} numbers, which the function elu + {0} makes positive. With {2} keys, linear attention "
            "gives {3}% of the values correctly. Fast weights, which do not divide by the sum of the weights, give "
            "{4}%. With {5} keys, linear attention gives {6}%, and fast weights give {7}%."),
        "A feature map to a larger width restores the capacity (section 5)": (
            "A function that maps the keys to more numbers restores the capacity of the memory (Schlag et al. 2021, section 5).",
            "The function DPFP maps the keys to {0} numbers. With 24 keys, linear attention then gives {1}% of the "
            "values correctly. Fast weights, which do not divide by the sum of the weights, give {2}%."),
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
            "Here it takes {0} ms, and attention with stored weights takes {1} ms."),
        "Both compute the same attention": (
            "Tiled attention and attention with stored weights compute the same result.",
            "The largest difference between the two results, divided by the largest number in the result, is {0}."),
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
            "A verb is singular or plural, like the first noun. If one noun is singular and the other plural, a model with "
            "positions still finds the right form of the verb, but a model without positions does not.",
            "In such sentences, the model with positions predicts {0}% of the verbs correctly, and the model without "
            "positions {1}%."),
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
            "With the gate, the network predicts {0}% of the labels in the task *lamps* correctly, and without a gate {1}%."),
        "The spatial gate is open at lit objects and closed at dark objects": (
            "The spatial gate is open at lit objects and closed at dark objects.",
            "On average, the gate is {0} at lit objects and {1} at dark objects, where 1 means open and 0 closed."),
        "Neither gate helps with the task of the other": (
            "The spatial gate does not help to recognise paints under a coloured light, and the channel gate does not help to find lit "
            "objects.",
            "With the spatial gate, the network predicts {0}% of the paints correctly, and without a gate {1}%. With the channel gate, it "
            "predicts {2}% of the labels in the task *lamps* correctly, and without a gate {3}%."),
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
            "Attention that depends only on positions continues a repeated text worse than attention to words, "
            "because each text repeats itself after a different number of words.",
            "With attention that depends only on positions, the model predicts {0}% of the repeated words correctly."),
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
            "A model that reads this mean answers {0}% of the questions about facts correctly. It answers {1}% of the questions that ask "
            "where a person is, and {2}% of the questions that ask where a thing is."),
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
            "If a Fourier transform splits the embedding table into frequencies, a few frequencies have large "
            "coefficients, and the other coefficients are small (Nanda et al. 2023).",
            "After the training, the {0} strongest of {1} frequencies have {2}% of the sum of all squared "
            "coefficients. Before the training, the {0} strongest had {3}%."),
        "These frequencies suffice for the sums, and the others do not": (
            "The strongest frequencies of the embedding are sufficient to answer held-out sums, and the other frequencies are not.",
            "If the embedding keeps only the strongest frequencies, the model answers {0}% of the sums correctly. If it loses these "
            "frequencies, the model answers {1}%."),
        "The token = attends equally to both numbers": (
            "The token `=` attends equally to both numbers of the sum.",
            "The two weights of `=`, on the first and on the second number, differ by {0} percentage points."),
    },
    "n-grams": {
        "Two layers of attention predict nearly the same as bigram counts (Akyürek et al. 2024)": (
            "A model with two layers of attention predicts nearly the same probabilities as counts of word pairs (Akyürek et al. 2024).",
            "The KL divergence of the model from bigram counts is {0} nats, and from unigram counts {1} nats."),
        "One layer only counts words: its predictions are nearer to unigram counts": (
            "A model with one layer counts only single words, so its predictions are nearer to unigram counts.",
            "The KL divergence of the model from bigram counts is {0} nats, and from unigram counts {1} nats."),
        "The second layer has a bigram head: it attends to words after earlier occurrences of the current word": (
            "In a model with two layers of attention, the second layer attends to words after earlier occurrences of the current word, so "
            "it can count word pairs.",
            "{0}% of its weight is on such words, and {1}% would be there by chance."),
        "An LSTM, trained for the same number of steps, is worse than two layers and better than one": (
            "An LSTM that is trained for the same number of steps is worse than two layers of attention, and better than one layer.",
            "The KL divergence of the LSTM from bigram counts is {0} nats."),
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
            "In each channel, the model takes the maximum over the source words. The position of this maximum shows which source word the model translates, with "
            "an error of at most one word.",
            "For {0}% of the words, the maximum is at most one word away from this source word. For {1}% of the "
            "words, the maximum is on exactly this source word."),
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
            "If the estimate at a training point may use the point itself, the learned kernel is narrower but not "
            "better.",
            "Then the learned value of 1 / width is {0}, and the mean squared error is {1}. If the estimate at each "
            "training point uses only the other points, 1 / width is {2} and the error is {3}."),
    },
    "positions": {
        "Without positions, attention cannot find a word by its distance (Vaswani et al. 2017, section 3.5)": (
            "Without positions, attention cannot find the word at a given distance (Vaswani et al. 2017, section "
            "3.5).",
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
            "It predicts {0}% of the words correctly if the task is to reverse the words, and {1}% if the task is to "
            "find the number of the other copy of a letter (its twin). In texts of {2} words, we also count only the "
            "words whose answer is farthest away. Self-attention predicts {3}% of these words correctly, recurrence {4}%, and "
            "convolution {5}%."),
        "Recurrence and convolution learn less in the same number of steps": (
            "Recurrence and convolution learn less in the same number of training steps.",
            "If the task is to reverse the words, recurrence predicts {0}% of the words correctly, and convolution {1}%."),
        "Without positions, attention finds words by content but not by order (section 3.5)": (
            "Attention without positions finds words by their content but not by their order (Vaswani et al. 2017, section 3.5).",
            "If the task is to reverse the words, which needs their order, it predicts {0}% correctly. If the task is to find the number of "
            "the other copy of a letter (its twin), which needs the content, it predicts {1}%."),
        "Attention from positions only finds words by order but not by content": (
            "Attention that depends only on positions finds words by their order but not by their content.",
            "If the task is to reverse the words, it predicts {0}% correctly. If its score matrix is the product of "
            "two smaller matrices (factorized attention), it predicts {1}%. If the task is to find the other copy of a letter "
            "(its twin), its largest weight is on the twin for {2}% of the words, and for {3}% with factorized "
            "attention. By chance, the figure would be {4}%."),
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

# Study -> fragments of its recorded setting, each with the sentence that replaces the fragment.
SETTINGS = {
    "alignment-on-real-text": [
        ("The number of training pairs is 20000, in 4 epochs; words that occur once, or with more unknown words fewer than five times, are "
         "unknown. AER in percent, of the attention alone, and in parentheses its difference from the AER of the diagonal. Held-out pairs: the "
         "test pairs, compared with the links of the program links, so AER shows the difference from these links. Joined pairs: three held-out "
         "pairs after each other. Unknown words: held-out pairs in which 30% of the words are replaced. The other test sets have links that "
         "people made. Intervals: 95%, by paired bootstrap over the pairs.",
         "The models learn from 20,000 pairs of Tatoeba in 4 epochs. Words that occur once are unknown. In the rows with *more unknown words*, "
         "words that occur fewer than five times are unknown. AER is in percent, and it is the AER of the attention alone. The number in "
         "parentheses is its difference from the AER of the diagonal. The *held-out pairs* are the test pairs. Nobody has linked them by hand, so "
         "we compare with the links of the program `links`. The *joined pairs* are groups of three held-out pairs. In *unknown words*, 30% of "
         "the words of the held-out pairs are replaced. People made the links of graca100 (100 sentences) and trial37 (37 sentences). A number "
         "such as -12.0 (-13.4 to -10.7) is a difference of two AERs with its 95% interval, from a paired bootstrap over the pairs. We worded "
         "the claims about subwords and removed weights before we measured them, and split a claim about removed weights that did not hold "
         "into two afterwards. We worded the others after we had seen figures of similar "
         "models with seed 1."),
    ],
    "captioning": [
        ("Each picture of 24 x 24 pixels shows two objects on a board of 3 x 3 squares, for example \"a red circle "
         "above a blue square\" (6 shapes, 6 colours). Three convolutions give 6 x 6 cells of 64 channels with their "
         "positions; an LSTM of width 96 writes the caption greedily. Training takes 3000 steps of 32; the test has "
         "500 other pictures. All figures in percent. For words that name a colour or a shape: how often the largest "
         "weight is on their object, on it or within one cell of it, and the weight on it.",
         "Each picture of 24 x 24 pixels shows two objects on a board of 3 x 3 squares, for example \"a red circle "
         "above a blue square\" (6 shapes, 6 colours). Three convolutions turn the picture into 6 x 6 cells, each with "
         "a vector of 64 numbers that also contains the position. An LSTM with a state of 96 numbers writes the most "
         "probable word at each step. Training takes 3000 steps of 32 pictures, and the test has 500 other pictures. "
         "The last three columns count only words that name a colour or a shape."),
    ],
    "circuits": [
        ("Each text has 49 words: one cue, and pairs of words in random order. Bigram: one of two words follows a "
         "lead. Skip-trigram: the word after a pivot depends on the cue earlier in the text (4 cues, 4 pivots, 16 "
         "results). Induction: the first name of one of 4 people is followed by the last name that this person has in "
         "this text, and this is scored from the second occurrence on. The models have attention layers only, with "
         "one head per layer and width 64; training takes 1500 steps of 32 texts. Columns: bigram is the distance in "
         "nats from the true distribution after a lead. Skip-trigram and induction are accuracies in percent. "
         "Attention is, with one layer, the weight of a pivot on the cue and on results; with two layers, how often "
         "the largest weight of a first name in the second layer is on its last name. The other columns are read from "
         "the weights without any text. Table is the distance in nats between softmax(W_E W_U) and the bigrams. QK "
         "finds: of the 20 words with the largest scores for a pivot, the percentage of cues and results; chance is "
         "28. OV raises: of the four results whose logits a cue raises most, the percentage that belongs to the cue; "
         "chance is 25. OV copies: the percentage of last names that raise their own logit most among all last names, "
         "in the second layer. K matches: the percentage of first names with the largest score for the word after "
         "the same first name (K-composition); chance is 6.",
         "Each text has 49 words: one cue, and pairs of words in random order. There are three kinds of pairs. In a "
         "bigram, a *lead* is followed by one of two words. In a skip-trigram, a *pivot* is followed by a *result*, "
         "which depends on this pivot and on the cue earlier in the text (4 cues, 4 pivots, 16 results). In the third "
         "kind, the first name of one of 4 people is followed by the last name of this person. Each text has other "
         "people, so the test counts only names that are repeated. The models have attention layers only, with one "
         "head per layer and vectors of 64 numbers. Training takes 1500 steps of 32 texts.\n\nThe column *error after a "
         "lead* compares the predicted probabilities of the word after a lead with the true ones (KL divergence). The "
         "column *attention* depends on the number of layers. With one layer, it is the share of a pivot's weight that "
         "is on the cue and on earlier results. With two layers, it is the share of repeated first names whose largest "
         "weight in the second layer is on the last name.\n\nThe last five columns are computed from the weights of "
         "the model, without any text. The *QK circuit* (queries and keys) has the attention score of each pair of "
         "words. For each pivot, we take the 20 words with the largest scores. By chance, 28% of these words would be "
         "cues or results.\n\nThe *OV circuit* (values and output) says how attention to one word changes the score "
         "of each possible next word. For each cue, we take the four results whose scores it raises most. By chance, "
         "25% of these results would belong to the cue. We say that a last name is copied if attention to this name "
         "raises the score of the same name most.\n\nIn *K-composition*, a key of the second layer contains the "
         "previous word. We say that a first name is found if its largest score is for a key whose previous word is "
         "the same first name. By chance, 6% of the first names would be found."),
    ],
    "cnn-attention": [
        ("Two convolutions with stride 2 give 8 x 8 cells of 48 channels, and the table names the layer between them "
         "and the output. Training takes 1000 steps of 32; the test has 500 other pictures. In percent; chance is "
         "16.7.",
         "Two convolutions with stride 2 give 8 x 8 cells of 48 channels. The first column of the table names the "
         "next layer, which comes before the output. Training takes 1000 steps of 32 pictures, and the test has 500 "
         "other pictures. A network that guesses is right for 16.7% of the objects."),
    ],
    "dnc": [
        ("asks for each sequence once by its key, in random order.",
         "asks for each sequence once by its key. The model then has to write the letters of this sequence."),
        ("In percent: letters that are right, sequences that are right, letters that are read from the position where "
         "they were written, the weight of the forward mode from the second letter on, and letters that are right of "
         "a first sequence that waits until 11 others have been stored and asked for.",
         "The differentiable neural computer reads in three modes, with one weight for each mode. The *forward mode* "
         "reads the position that was written next after the last read position. The table shows the mean weight of "
         "the forward mode for all letters of a sequence except the first. For the last column, the text stores one sequence first and "
         "asks for it last, after 11 other sequences."),
    ],
    "entailment": [
        ("In percent. Attention: how often a hypothesis word puts its largest weight on the premise word that it was "
         "derived from; then the same for words that the premise has once, words that it has several times, and words "
         "that were changed. The matrices show one pair per label.",
         "A program generates each hypothesis from its premise: it copies some words of the premise and changes "
         "others. The last four columns count the copied and changed words of the hypothesis, except articles. The "
         "*right word* is the premise word that was copied or changed. The figures below the table show the attention weights of one pair "
         "per label."),
    ],
    "fast-weights": [
        ("The width is 32; keys have 16 numbers, which DPFP maps to 32. Training takes 700 steps of 64;",
         "Vectors have 32 numbers. Keys have 16 numbers, which the function DPFP maps to 32. Training takes 700 steps "
         "of 64 texts;"),
        ("Accuracy in percent; in brackets, how often the largest weight is on the right pair. Repeated keys: eight "
         "pairs with four keys, where the last value of a key is right.",
         "A number in brackets is the percentage of texts whose largest weight is on the right pair. In the last "
         "column, a text has eight pairs with only four keys, and the last value of a key is right."),
    ],
    "flash": [
        ("Attention with 4 heads of size 32 over one sentence, forward and backward. Memory is the peak of all "
         "arrays. Difference: the largest deviation of context and gradient, relative to the largest value.",
         "The experiment computes attention with 4 heads of size 32 over one sentence, and its gradients. The table "
         "shows the largest memory that all arrays together needed at any time. The last column compares the "
         "context vectors and gradients of both methods: it is the largest difference, divided by the largest number in "
         "the result."),
    ],
    "gaps": [
        ("The model that reads from the left has learned positions, because it learnt neither articles nor verbs with "
         "sinusoidal positions.",
         "The model that reads only the left side uses learned positions, because it did not learn the task with "
         "sinusoidal positions."),
        ("with one head and width 64; training",
         "with one head and vectors of 64 numbers. Training"),
        ("Its article has the gender of the noun, and the verb has the number of the first noun.",
         "The article of a phrase has the gender of the noun. The verb is singular or plural, like the first noun."),
        ("Accuracy in percent: the most probable of the three articles (chance is 33), or of the two forms of the "
         "verb (chance is 50). Other number: verbs whose second noun has another number than the first. Attention: "
         "how often the largest weight of the masked word is on the noun that determines it.",
         "The model chooses the most probable of the three articles, or of the two forms of the verb (singular, "
         "plural). A model that guesses is right for 33% of the articles and 50% of the verbs."),
    ],
    "gates": [
        ("Two tasks on pictures of 32 x 32 pixels; two convolutions",
         "The experiment has two tasks on pictures of 32 x 32 pixels. Two convolutions"),
        ("Paint: sixteen patches under a coloured light; each cell has to predict one of eight paints, and only the mean of all "
         "patches shows the light.",
         "In the task *paint*, each picture has sixteen patches, which are painted in eight colours (paints). A coloured light "
         "changes the colours of all patches. Each cell has to predict the paint of its patch, although only the mean of all "
         "patches shows the colour of the light."),
        ("Lamps: six objects and two lamps; each object has to predict its colour if a lamp is next to it, or \"dark\" otherwise.",
         "In the task *lamps*, the picture has six objects and two lamps. An object is lit if a lamp is next to it. The "
         "cell of each object has to predict the colour of the object if it is lit, or \"dark\" otherwise."),
        ("steps of 32; the test has 500 other pictures. Accuracy in percent.", "steps of 32 pictures, and the test has 500 other pictures."),
    ],
    "induction": [
        ("The language models have width 64 and one head; training",
         "The language models have vectors of 64 numbers and one head. Training"),
        ("Only the repeated part is scored: each next word is the one that followed the earlier occurrence of the current word.",
         "The test counts only the repeated part, in which each next word is the word that followed the current word earlier."),
        ("Accuracy in percent. Hit: the largest weight of the last layer is on a word after an earlier occurrence of the current word. Random "
         "guessing has a loss of 3.47 nats. Steps: from 90% to 10% of this loss.",
         "A model that guesses has a loss of 3.47 nats."),
    ],
    "intra-attention": [
        ("The language models have width 48; training",
         "The language models have a hidden size of 48. Training"),
        ("All figures are about repeated names, in percent: how often the model predicts the right thing, and how "
         "often its largest weight is on the last mention of this thing, or in the statement with this mention.",
         "The test counts only repeated names."),
    ],
    "memory-network": [
        ("Words have width 32; training takes 4000 steps of 32, and the test has 1000 other stories. Accuracy in "
         "percent; in brackets, how often each supporting sentence has the largest weight of some hop, and the weight "
         "on the supporting sentences. \"where is the apple\" needs two sentences, so two hops.",
         "Each word is a vector of 32 numbers. Training takes 4000 steps of 32 stories, and the test has 1000 other "
         "stories.\n\nA hop is one attention step over all sentences. A supporting sentence contains a fact that the "
         "answer needs. The first number in brackets is the percentage of stories in which a hop finds each "
         "supporting sentence, which means that the sentence has the largest weight. The second number is the "
         "percentage of the weight on supporting sentences. The question \"where is the apple\" has two supporting "
         "sentences, so it needs two hops."),
    ],
    "modular-addition": [
        ("The training set has 70% of them, every one in each of 2000 steps of AdamW; the others are held out. A "
         "Transformer of one layer with one head and width 64, without positions, reads a, b and =.",
         "The training set has 70% of these sums. Each of 2000 steps of AdamW uses the complete training set. The "
         "other sums are held out. A Transformer of one layer with one head and vectors of 64 numbers, without "
         "positions, reads three tokens: a, b and =."),
        (" Figures in percent. Training and held out: accuracy. Strongest: the share of the embedding at its 5 "
         "strongest frequencies of 14. Only these, and without these: accuracy on held-out sums if the embedding "
         "keeps these frequencies only, or loses them. Uneven: the difference between the two weights of = on a and "
         "on b.",
         "\n\nA Fourier transform splits the embedding table into 14 frequencies. The share of a frequency is its share "
         "in the sum of all squared coefficients, and the strongest frequencies are the 5 with the largest shares. "
         "The last column is the difference between two attention weights of the token =: its weight on a, and its "
         "weight on b."),
    ],
    "n-grams": [
        ("Each text has 49 words out of 6 and comes from its own Markov chain, drawn uniformly. One text says nothing "
         "about the next, so a model can only learn to count. The models are attention layers only (width 32, one "
         "head per layer) and an LSTM of 32 units; training takes 1500 steps of 32 texts.",
         "Each text has 49 words from a vocabulary of 6. A Markov chain with random probabilities generates the text, "
         "and each text has another chain. Therefore a model cannot learn the probabilities of words in advance, and "
         "has to count the words of the text. Two models consist of attention layers (vectors of 32 numbers, one "
         "head per layer), and one model is an LSTM of 32 units. Training takes 1500 steps of 32 texts."),
        (" Figures are nats, means over 200 texts from word 13 on: the loss, and KL(rule || model), where the rule "
         "predicts from unigram or bigram counts, with one added to each count. No prediction is better than bigram "
         "counts.",
         "\n\nFigures are means over 200 texts from word 13 on. We compare each model with two rules. The first rule "
         "predicts the next word from counts of single words (unigrams), and the second from counts of word pairs "
         "(bigrams). Both rules add one to each count. The Kullback-Leibler (KL) divergence is 0 if a model predicts "
         "the same probabilities as the rule. No prediction from the text is better than the bigram rule."),
        ("Attention: the percentage of the last layer's weight on words after an earlier occurrence of the current "
         "word. Chance: the percentage of such words.",
         "The last two columns count words that come directly after an earlier occurrence of the current word. The "
         "first of these columns is the attention weight of the last layer on such words. The second column is the "
         "share of such words in the text, which is the weight that they would get by chance."),
    ],
    "permutation": [
        ("Untrained layers read six words, then the same words in another order. Change: |f(Px) - P f(x)| / |f(x)|, "
         "where P is the permutation; it is 0 for a layer that is equivariant to word order.",
         "Untrained layers read six words, then the same words in another order. Let x be the words, f a layer, and P "
         "the change of order. The table shows |f(Px) - P f(x)| / |f(x)|. This number is 0 if the layer computes "
         "the same outputs, only in the new order."),
        ("The matrices are attention weights: without positions, rows and columns are only permuted; with sinusoidal "
         "positions, the weights change.",
         "The figure shows matrices of attention weights. Without positions, reordering the words only reorders rows "
         "and columns. With sinusoidal positions, the weights change."),
    ],
    "pervasive-attention": [
        ("and the maximum over the source follows; training",
         "and output one vector per pair. The numbers of a vector are called channels. For each target word and each "
         "channel, the model then takes the maximum over the source words. Training"),
        ("Figures in percent, with teacher forcing: accuracy for sentences of 8 words, and of 16 words, which is "
         "longer than any in training. The last three columns say where most channels of the last layer have their "
         "maximum, for sentences of 16 words: on the source word that is being written, within one word of it, or on "
         "the source word that was written before it.",
         "The test has sentences of 8 words, and of 16 words, which are longer than all sentences in training. The "
         "model reads the right earlier target words (teacher forcing). The last three columns are about sentences of "
         "16 words. In each channel of the last layer, one source word has the largest value. We say that the maximum "
         "is on the source word that wins most channels. The *right source word* is the word that the model has to copy "
         "at this step."),
    ],
    "pooling": [
        ("The error is the mean squared distance from the curve without noise, over 3 samples. w is 1 / kernel width.",
         "Each method estimates the curve without noise from these points. The mean squared error compares the estimate "
         "with this curve, and is a mean over 3 samples of points."),
    ],
    "positions": [
        ("Accuracy in percent by text length.", "The table shows how many words are predicted correctly for each text length."),
    ],
    "saliency": [
        ("Five have the same colour, and the odd object has another one. A network of 32 units names the shape of the "
         "odd object, one of 6; training takes",
         "Five objects have the same colour, and one object, the odd object, has another colour. A network of 32 "
         "hidden units has to name the shape of the odd object (6 shapes). Training takes"),
        ("Accuracy in percent. The network",
         "The network"),
    ],
    "three-ways": [
        ("One layer of width 64 reads 16 words and predicts one word at each position. Reverse: the words in reverse "
         "order. Rotate: the word three positions away. Twin: the number that the other copy of the letter has.",
         "One layer with vectors of 64 numbers reads 16 words and predicts one word at each position. In the task "
         "*reverse*, the layer has to predict the words in reverse order. In *rotate*, it has to predict the word "
         "three positions away. In *twin*, the text contains each letter twice, each time with another number. At one "
         "copy of a letter, the layer has to predict the number of the other copy."),
        ("Accuracy in percent. Attention: how often the largest weight is on the word that determines the answer / "
         "the weight on this word, both in percent.",
         "Three columns show two percentages about attention to the *right word*, which determines the answer. For "
         "example, 91 / 75 means: for 91% of the predictions, the largest weight is on the right word, and this word "
         "gets 75% of the weight on average."),
    ],
    "turing-machine": [
        ("(four times as many for the larger LSTM); the test",
         "(the larger LSTM takes 12000 steps); the test"),
        ("The memory of the Turing machine has 24 positions of width 20 in training and 64 in the test. In percent: "
         "letters that are right, texts that are right, and letters that are read from the position where they were "
         "written.",
         "The memory of the Turing machine has 24 positions in training and 64 in the test, with 20 numbers per "
         "position. The last column is the share of letters that the machine reads from the memory position where it "
         "had written them."),
    ],
}

# Study -> its recorded columns, each with the column heading that the page shows.
COLUMNS = {
    "alignment-on-real-text": [
        ("links from", "links from"),
        ("BLEU", "BLEU on held-out pairs"),
        ("held-out pairs", "AER on held-out pairs"),
        ("joined pairs", "AER on joined pairs"),
        ("unknown words", "AER with unknown words"),
        ("graca100", "AER on graca100"),
        ("trial37", "AER on trial37"),
    ],
    "captioning": [
        ("attention", "attention"),
        ("parameters", "parameters"),
        ("captions, exact match", "% of captions without an error"),
        ("words", "% of words right"),
        ("largest weight on the object", "% of words whose largest weight is on the object of the word"),
        ("within one cell", "% of words whose largest weight is on the object or at most one cell away"),
        ("weight on it", "% of the weight on the object of the word"),
    ],
    "circuits": [
        ("layers of attention", "layers of attention"),
        ("bigram, nats", "error after a lead, nats"),
        ("skip-trigram", "% of results after a pivot predicted correctly"),
        ("induction", "% of repeated last names predicted correctly"),
        ("attention", "attention, %"),
        ("table, nats", "error of softmax(product of the two embedding matrices) after a lead, nats"),
        ("QK finds", "QK circuit: % of cues and results among the 20 words"),
        ("OV raises", "OV circuit: % of results that belong to the cue, among the four results"),
        ("OV copies", "OV circuit: % of last names copied"),
        ("K matches", "K-composition: % of first names found"),
    ],
    "cnn-attention": [
        ("layer", "layer before the output"),
        ("parameters", "parameters"),
        ("accuracy", "% of colours right"),
        ("largest weight on the twin", "% of objects whose largest weight is on the twin"),
        ("weight on the twin", "% of the weight on the twin"),
        ("seconds", "seconds of training"),
    ],
    "dnc": [
        ("model", "model"),
        ("parameters", "parameters"),
        ("positions", "memory positions in the test"),
        ("letters, of 6", "% of letters right in texts of 6 sequences"),
        ("sequences, of 6", "% of sequences right in texts of 6 sequences"),
        ("letters, of 20", "% of letters right in texts of 20 sequences"),
        ("sequences, of 20", "% of sequences right in texts of 20 sequences"),
        ("read where written, of 20", "% of letters read from where they were written, in texts of 20 sequences"),
        ("forward mode", "weight of the forward mode, %, in texts of 20 sequences"),
        ("first sequence, asked after 11", "% of letters right in the first sequence if the text asks for it after 11 others"),
    ],
    "entailment": [
        ("each word is compared with", "each word is compared with"),
        ("parameters", "parameters"),
        ("accuracy", "% of labels right"),
        ("attention", "% of all words whose largest weight is on the right word"),
        ("once", "% of copied words that occur once in the premise, with the largest weight on the right word"),
        ("several times", "% of copied words that occur several times in the premise, with the largest weight on the right word"),
        ("changed", "% of changed words with the largest weight on the right word"),
    ],
    "fast-weights": [
        ("memory", "memory"),
        ("8 keys", "% of values right with 8 keys"),
        ("24 keys", "% of values right with 24 keys"),
        ("repeated keys", "% of last values right with repeated keys"),
    ],
    "flash": [
        ("words", "words"),
        ("stored, MB", "memory with stored weights, MB"),
        ("tiled, MB", "memory with tiles, MB"),
        ("stored, ms", "time with stored weights, ms"),
        ("tiled, ms", "time with tiles, ms"),
        ("difference", "largest difference / largest number in the result"),
    ],
    "gaps": [
        ("model reads", "the model reads"),
        ("articles", "% of articles right"),
        ("verbs", "% of verbs right if both nouns have the same number"),
        ("verbs, other number", "% of verbs right if only one noun is plural"),
        ("attention", "% of masked words whose largest weight is on the noun that determines the word"),
    ],
    "gates": [
        ("layer", "layer before the output"),
        ("parameters", "parameters"),
        ("paint", "% of paints right"),
        ("lamps", "% of labels right in the task *lamps*"),
        ("mean gate at lit and at dark objects", "mean of the spatial gate at lit objects, at dark objects"),
        ("seconds", "seconds of training"),
    ],
    "induction": [
        ("model", "model"),
        ("accuracy", "% of repeated words right"),
        ("hit", "% of words for which the largest weight of the last layer is on a word that follows an earlier "
            "occurrence of the current word"),
        ("loss, nats", "loss, nats"),
        ("steps", "training steps in which the loss falls from 90% to 10% of the loss of a guess"),
    ],
    "intra-attention": [
        ("model", "model"),
        ("parameters", "parameters"),
        ("accuracy", "% of repeated names for which the model predicts the right thing"),
        ("largest weight on the thing", "% of repeated names for which the largest weight is on the last mention of the right thing"),
        ("in its statement", "% of repeated names for which the largest weight is in the statement that mentions the right thing"),
    ],
    "memory-network": [
        ("memory read by", "the network reads"),
        ("facts", "% of questions about facts right"),
        ("where is mary", "% of questions like \"where is mary\" right"),
        ("where is the apple", "% of questions like \"where is the apple\" right"),
    ],
    "modular-addition": [
        ("trained with", "trained with"),
        ("training", "% of training sums right"),
        ("held out", "% of held-out sums right"),
        ("held out, after a fifth of the steps", "% of held-out sums right after a fifth of the steps"),
        ("strongest", "share of the strongest frequencies, %"),
        ("only these", "% of held-out sums right if the embedding keeps only these frequencies"),
        ("without these", "% of held-out sums right if the embedding loses these frequencies"),
        ("uneven", "difference of the two attention weights, percentage points"),
    ],
    "n-grams": [
        ("model", "model"),
        ("loss", "loss, nats"),
        ("KL from unigrams", "KL divergence from unigram counts, nats"),
        ("KL from bigrams", "KL divergence from bigram counts, nats"),
        ("attention", "% of the weight on words after an earlier occurrence of the current word"),
        ("chance", "% of words in the text that come after an earlier occurrence of the current word"),
    ],
    "permutation": [("layer", "layer"), ("change", "change if the words are reordered")],
    "pervasive-attention": [
        ("window", "window"),
        ("8 words", "% of words right in sentences of 8 words"),
        ("16 words", "% of words right in sentences of 16 words"),
        ("maximum on this word", "% of words with the maximum on the right source word"),
        ("within one word", "% of words with the maximum at most one word away from the right source word"),
        ("on the previous word", "% of words with the maximum on the source word that was right one step earlier"),
    ],
    "pooling": [("weights", "weights"), ("squared error", "mean squared error"), ("w", "1 / kernel width")],
    "positions": [
        ("positions", "position encoding"), *((str(n), f"% of words right, {n} words") for n in (8, 12, 16, 20, 24, 32, 48)),
    ],
    "saliency": [
        ("the network sees", "the network sees"),
        ("inputs", "input numbers"),
        ("accuracy", "% of shapes right"),
    ],
    "three-ways": [
        ("layer", "layer"),
        ("reverse", "reverse: % of words right"),
        ("attention", "reverse: % of largest weights on the right word / % of the weight on this word"),
        ("rotate", "rotate: % of words right"),
        ("attention", "rotate: % of largest weights on the right word / % of the weight on this word"),
        ("twin", "twin: % of words right"),
        ("attention", "twin: % of largest weights on the right word / % of the weight on this word"),
    ],
    "turing-machine": [
        ("model", "model"),
        ("parameters", "parameters"),
        ("letters, of 10", "% of letters right in texts of 10 letters"),
        ("texts, of 10", "% of texts of 10 letters without an error"),
        ("letters, of 20", "% of letters right in texts of 20 letters"),
        ("texts, of 20", "% of texts of 20 letters without an error"),
        ("read where written, of 20", "% of letters read from where they were written, in texts of 20 letters"),
    ],
}

# The claims of the study permutation each name a layer. These two sentences serve for all layers.
LAYER = re.compile(r"(Depends|Does not depend) on word order: (.*)")


def sentences(study, claim):
    """Returns the text if the claim holds, the text if it does not, and the rest of the recorded claim, such as ": 5 of 14".
    The rest may contain figures, too."""
    for known, (sentence, outcome, *refuted) in CLAIMS.get(study, {}).items():
        if claim == known or claim.startswith(f"{known}: "):
            return f"{sentence} {outcome}", refuted[0] if refuted else f"It says: \"{sentence}\" We measured this: {outcome}", claim[len(known):]
    if match := LAYER.fullmatch(claim):
        verb = "depends" if match[1] == "Depends" else "does not depend"
        sentence = f"The output of the layer \"{match[2]}\" {verb} on the word order."
        outcome = ("We reorder the words, compute the outputs, and put the outputs back into the old order. Then we "
                   "compare them with the outputs for the old word order: the norm of the difference, divided by the norm of the "
                   "outputs, is {0}.")
        return f"{sentence} {outcome}", f"It says: \"{sentence}\" We measured this: {outcome}", ""
    raise SystemExit(f"docs/claims.py has no sentence for the claim of {study}: {claim}")


def worded(study, claim):
    """Returns the verdict, the claim and its figures in sentences. `claim` is the record of the study."""
    holds, refuted, more = sentences(study, claim["claim"])
    text = holds if claim["held"] else refuted
    numbers = NUMBER.findall(f"{more} {claim['figures']}")
    used = {int(place) for place in re.findall(r"\{(\d+)\}", text)}
    if used != set(range(len(numbers))):
        raise SystemExit(f"docs/claims.py: the sentence does not fit the figures of {study}: {claim['figures']}")
    verdict = "The claim holds." if claim["held"] else "The claim does not hold."
    return f"**{verdict}** {text.format(*numbers)}"


def heads(study, recorded):
    """Returns the column headings for a study with the columns `recorded`."""
    if [column for column, _ in COLUMNS.get(study, [])] != recorded:
        raise SystemExit(f"docs/claims.py: COLUMNS does not have the columns of {study}: {recorded}")
    return [head for _, head in COLUMNS[study]]


def setting(study, recorded):
    """Returns the setting that a study recorded, in sentences."""
    for fragment, sentence in SETTINGS.get(study, []):
        if fragment not in recorded:
            raise SystemExit(f"docs/claims.py: the setting of {study} does not contain: {fragment}")
        recorded = recorded.replace(fragment, sentence)
    return recorded
