// SHA-256 and base64 as strings take them (both by OpenSSL): the hashes of a page's content security policy, and the
// digest of a corpus.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace softalign::apps {

// FIPS 180-4, section 6.2.
std::array<std::uint8_t, 32> sha256(std::string_view bytes);

// RFC 4648, section 4, with padding.
std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace softalign::apps
