// Digests by OpenSSL: of the files of a corpus, and of the inline elements of a page.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace softalign::apps {

// SHA-256. FIPS 180-4, section 6.2.
std::array<std::uint8_t, 32> sha256(std::string_view bytes);

// The name of an inline element in a content security policy (CSP level 3, section 6.7.2): 'sha256-...'.
std::string policy_hash(std::string_view content);

}  // namespace softalign::apps
