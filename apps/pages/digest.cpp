#include "apps/pages/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <stdexcept>

#include "apps/pages/html.h"

namespace softalign::apps {

std::array<std::uint8_t, 32> sha256(std::string_view bytes) {
  std::array<std::uint8_t, 32> digest{};
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("OpenSSL cannot compute SHA-256");
  return digest;
}

std::string policy_hash(std::string_view content) { return fmt::format("'sha256-{}'", base64(sha256(content))); }

}  // namespace softalign::apps
