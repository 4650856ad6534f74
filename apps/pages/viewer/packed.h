// Alignment records as a page holds them: weights as text, and nothing that follows from the rest.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace softalign::apps {

// A matrix row by row, its weights in millionths, to which align rounds them: each a number in base 32, the lowest
// digit first, a digit one character of base64url (RFC 4648, section 5), whose sixth bit says that another one follows.
// That is four characters at most; a weight below .000032 has one. A matrix with a weight that is no whole number of
// millionths stays as it is, so that none is ever rounded.
nlohmann::ordered_json packed_matrix(const nlohmann::ordered_json& matrix);

// The record, "weights" in place of its "matrix" and of its heads', and without the keys that follow from others or
// stand beside it in the page: schema, id, source_sent, target_sent, tags, orientation, rule, entropy, total_logprob.
nlohmann::ordered_json packed_record(const nlohmann::ordered_json& record);

// What a packed record has otherwise than the first of its sentence; null where only the first has a key.
nlohmann::ordered_json otherwise_than(const nlohmann::ordered_json& first, const nlohmann::ordered_json& record);

}  // namespace softalign::apps
