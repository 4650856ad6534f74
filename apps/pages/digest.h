// This file computes SHA-256 hashes with OpenSSL, for the files of a corpus and for the inline elements of a page.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace softalign::apps {

// Returns the SHA-256 hash of the bytes (FIPS 180-4, section 6.2).
std::array<std::uint8_t, 32> sha256(std::string_view bytes);

// Returns the hash by which a content security policy (CSP level 3, section 6.7.2) allows an inline element:
// 'sha256-...'.
std::string policy_hash(std::string_view content);

}  // namespace softalign::apps
