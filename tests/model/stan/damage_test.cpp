// Damaged libraries: an error in words or a library that works, whatever the damage.
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>

#include "evaluation.hpp"
#include "model/stan/private_library.hpp"
#include "ravi/error.hpp"
#include "ravi/stan.hpp"
#include "temporary_folder.hpp"

namespace ravi {
namespace {

using testing::HasSubstr;

std::string whole_library() {
  return contents(std::string(RAVI_FAKE_LIBRARIES) + "/fake_v2_threads.so");
}

template <typename T>
T record(const std::string& image, std::size_t at) {
  T r;
  std::memcpy(&r, image.data() + at, sizeof r);
  return r;
}

struct Part {
  std::size_t begin, size;
};

// Where the loader looks: the header, the tables, and what the tables lead to.
std::vector<Part> parts_of(const std::string& image) {
  const auto header = record<Elf64_Ehdr>(image, 0);
  std::vector<Part> parts = {{0, sizeof header},
                             {header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)},
                             {header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr)}};
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const auto section = record<Elf64_Shdr>(image, header.e_shoff + i * sizeof(Elf64_Shdr));
    const bool in_memory = (section.sh_flags & SHF_ALLOC) != 0;
    if (in_memory && section.sh_type != SHT_NOBITS) {
      parts.push_back({section.sh_offset, section.sh_size});
    }
  }
  return parts;
}

enum class Outcome { works, refused };

// An exception of another kind, a crash or a hang ends the test.
Outcome open(const std::string& path) {
  std::unique_ptr<Model> model;
  try {
    model = stan_model(path);
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr(path));
    return Outcome::refused;
  }
  EXPECT_GE(model->dimension(), 0);
  const Values values = evaluate(*model, Matrix::Zero(model->dimension(), 1));
  EXPECT_EQ(values.gradient.rows(), model->dimension());
  return Outcome::works;
}

// In every part some bytes are inverted, cleared, set, or moved by one.
TEST(Damage, AnyByteOfALibraryMayBeWrong) {
  const TemporaryFolder folder;
  const std::string whole = whole_library();
  const auto begin = std::chrono::steady_clock::now();
  int refused = 0, works = 0;
  std::uint64_t state = 1;
  const auto random = [&](std::size_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state >> 33) % below;
  };
  for (const Part& part : parts_of(whole)) {
    for (int i = 0; i < 12 && part.size > 0; ++i) {
      std::string damaged = whole;
      char& byte = damaged[part.begin + random(part.size)];
      const char values[] = {static_cast<char>(~byte), 0, static_cast<char>(0xff),
                             static_cast<char>(byte + 1)};
      byte = values[i % 4];
      const Outcome outcome = open(folder.write("damaged.so", damaged));
      (outcome == Outcome::works ? works : refused) += 1;
    }
  }
  EXPECT_GT(works + refused, 300);
  EXPECT_GT(works, 0);
  EXPECT_GT(refused, 0);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  RecordProperty("works", works);
  RecordProperty("refused", refused);
  std::printf("%d work, %d are refused, %.1f ms each\n", works, refused,
              1000 * seconds.count() / (works + refused));
}

// A table that says it has 2^62 bytes.
TEST(Damage, ASymbolTableWithoutEndIsRefusedAtOnce) {
  std::string image = whole_library();
  const auto header = record<Elf64_Ehdr>(image, 0);
  int changed = 0;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const std::size_t at = header.e_shoff + i * sizeof(Elf64_Shdr);
    auto section = record<Elf64_Shdr>(image, at);
    if (section.sh_type != SHT_DYNSYM) continue;
    section.sh_size = std::uint64_t{1} << 62;
    std::memcpy(image.data() + at, &section, sizeof section);
    ++changed;
  }
  ASSERT_EQ(changed, 1);
  EXPECT_THROW(load_privately({"damaged.so", image}), UsageError);
}

// What ravi compiled is known byte for byte.
TEST(Damage, ASealedLibraryIsRefusedForAnyDamage) {
  const TemporaryFolder folder;
  const std::string sealed = with_seal(whole_library());
  EXPECT_TRUE(read_library(folder.write("whole.so", sealed)).sealed);
  EXPECT_EQ(open(folder / "whole.so"), Outcome::works);
  for (std::size_t at = 0; at + 48 < sealed.size(); at += sealed.size() / 50) {
    std::string damaged = sealed;
    damaged[at] ^= 4;
    try {
      read_library(folder.write("damaged.so", damaged));
      ADD_FAILURE() << at;
    } catch (const UsageError& e) {
      EXPECT_THAT(e.what(), HasSubstr("its content is not what ravi compiled"));
    }
  }
}

// Not damaged, but made to crash: in the constructor of the library, and when it is used.
TEST(Damage, LibrariesThatCrashAreRefused) {
  const std::string folder = RAVI_FAKE_LIBRARIES;
  for (const char* name : {"fake_crash_on_load", "fake_crash_on_use", "fake_exit_on_load"}) {
    try {
      stan_model(folder + "/" + name + ".so");
      ADD_FAILURE() << name;
    } catch (const UsageError& e) {
      EXPECT_THAT(e.what(), HasSubstr("ends a process")) << name;
    }
  }
}

}  // namespace
}  // namespace ravi
