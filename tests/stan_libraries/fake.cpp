// Stand-ins for libraries with the BridgeStan interface, built in variants by preprocessor symbols:
//   FAKE_VERSION 1, 2 or 3; FAKE_THREADS; FAKE_DIMENSION (P, 3 unless given);
//   FAKE_STATIC_BYTES: so many of thread-local data at fixed offsets.
// theta ~ N(0, I). A first coordinate above 1000 throws, one above 100 fails in generated
// quantities; a second coordinate of 42 prints. With data that hold the word "bad" there is no
// model.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#define EXPORT extern "C" __attribute__((visibility("default")))
#ifndef FAKE_DIMENSION
#define FAKE_DIMENSION 3
#endif
// By how much it gives a wrong size of itself.
#ifndef FAKE_MORE_UNCONSTRAINED
#define FAKE_MORE_UNCONSTRAINED 0
#endif
#ifndef FAKE_MORE_QUANTITIES
#define FAKE_MORE_QUANTITIES 0
#endif

namespace {
constexpr int kP = FAKE_DIMENSION;
void (*print_callback)(const char*, std::size_t) = nullptr;
}  // namespace

// A static member of a template, as Stan's autodiff stack is: g++ makes it unique in the process.
// Without threads it is the place where two callers at a time would spoil each other's numbers.
template <typename T>
struct __attribute__((visibility("default"))) Shared {
  static volatile T work[kP + 1];
};
template <typename T>
volatile T Shared<T>::work[kP + 1];

#ifdef FAKE_STATIC_BYTES
EXPORT char* fake_thread_locals() {
  static thread_local char bytes[FAKE_STATIC_BYTES] __attribute__((tls_model("initial-exec")));
  return bytes;
}
#endif

#ifdef FAKE_ON_LOAD
__attribute__((constructor)) static void on_load() { FAKE_ON_LOAD; }
#endif

struct Model {
  unsigned seed;
  std::uint64_t state;
};

namespace {

// Goes by way of global memory unless threads are allowed, slowly enough to be overtaken.
double log_density(const double* theta, double* gradient) {
#ifdef FAKE_THREADS
  double work[kP + 1];
#else
  volatile double* work = Shared<double>::work;
#endif
  work[0] = 0;
  for (int i = 0; i < kP; ++i) {
    work[i + 1] = theta[i];
    for (int wait = 0; wait < 50; ++wait) work[i + 1] = work[i + 1] + 0.0;
    work[0] = work[0] - 0.5 * work[i + 1] * work[i + 1];
  }
  for (int i = 0; i < kP; ++i) gradient[i] = -work[i + 1];
  return work[0];
}

std::string trouble(const double* theta, double limit) {
  if (kP == 0 || !(theta[0] > limit)) return "";
  return "Exception: fake_namespace::fake: theta is " + std::to_string(theta[0]) +
         ", but must be small  (in 'fake.stan' at line 7)\n";
}

double next_uniform(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(state >> 11) * 0x1p-53;
}

const char* names(bool tp, bool gq) {
  static std::string text[2][2];
  std::string& names = text[tp][gq];
  names.clear();
  for (int i = 1; i <= kP; ++i) names += (i > 1 ? ",theta." : "theta.") + std::to_string(i);
  if (tp) names += std::string(kP > 0 ? "," : "") + "sum";
  if (gq) names += std::string(kP > 0 || tp ? "," : "") + "u.1.2";
  return names.c_str();
}

void constrain(bool tp, bool gq, const double* theta, double* values, std::uint64_t* state) {
  double sum = 0;
  for (int i = 0; i < kP; ++i) {
    *values++ = theta[i];
    sum += theta[i];
  }
  if (tp) *values++ = sum;
  if (gq) *values++ = next_uniform(*state);
}

}  // namespace

#if FAKE_VERSION > 0
EXPORT const char* bs_name(const Model*) { return "fake"; }
EXPORT const char* bs_model_info(const Model*) {
#ifdef FAKE_THREADS
  return "Stan version: 2.36.0\nStan C++ Defines:\n\tSTAN_THREADS=true\n";
#else
  return "Stan version: 2.36.0\nStan C++ Defines:\n\tSTAN_THREADS=false\n";
#endif
}
EXPORT const char* bs_param_names(const Model*, bool tp, bool gq) { return names(tp, gq); }
EXPORT const char* bs_param_unc_names(const Model*) { return names(false, false); }
EXPORT int bs_param_num(const Model*, bool tp, bool gq) {
  return kP + tp + gq * (1 + FAKE_MORE_QUANTITIES);
}
EXPORT int bs_param_unc_num(const Model*) { return kP + FAKE_MORE_UNCONSTRAINED; }
#endif

#if FAKE_VERSION >= 2
extern "C" {
__attribute__((visibility("default"))) extern const int bs_major_version, bs_minor_version,
    bs_patch_version;
const int bs_major_version = FAKE_VERSION, bs_minor_version = 6, bs_patch_version = 1;
}
EXPORT Model* bs_model_construct(const char* data, unsigned seed, char** error) {
#ifdef FAKE_ON_USE
  FAKE_ON_USE;
#endif
  if (std::strstr(data, "bad") == nullptr) return new Model{seed, seed};
  *error = strdup(
      "Exception: mismatch in dimension declared and found in context; processing stage=data "
      "initialization; variable name=y; position=0; dims declared=(8); dims found=(5) (in "
      "'fake.stan' at line 2)");
  return nullptr;
}
EXPORT void bs_model_destruct(Model* m) { delete m; }
EXPORT void bs_free_error_msg(char* error) { std::free(error); }
EXPORT int bs_log_density_gradient(const Model*, bool, bool, const double* theta, double* value,
                                   double* gradient, char** error) {
  if (const std::string text = trouble(theta, 1000); !text.empty()) {
    if (error != nullptr) *error = strdup(text.c_str());
    return -1;
  }
  if (kP > 1 && theta[1] == 42 && print_callback != nullptr) {
    for (const std::string piece : {"forty", "-two", "\n"}) {
      print_callback(piece.data(), piece.size());
    }
  }
  *value = log_density(theta, gradient);
  return 0;
}
EXPORT int bs_log_density(const Model* m, bool propto, bool jacobian, const double* theta,
                          double* value, char** error) {
  double gradient[kP + 1];
  return bs_log_density_gradient(m, propto, jacobian, theta, value, gradient, error);
}
struct Rng {
  std::uint64_t state;
};
EXPORT Rng* bs_rng_construct(unsigned seed, char**) { return new Rng{seed}; }
EXPORT void bs_rng_destruct(Rng* rng) { delete rng; }
EXPORT int bs_param_constrain(const Model*, bool tp, bool gq, const double* theta, double* values,
                              Rng* rng, char** error) {
  if (const std::string text = gq ? trouble(theta, 100) : ""; !text.empty()) {
    if (error != nullptr) *error = strdup(text.c_str());
    return -1;
  }
  constrain(tp, gq, theta, values, gq ? &rng->state : nullptr);
  return 0;
}
EXPORT int bs_set_print_callback(void (*callback)(const char*, std::size_t), char**) {
  print_callback = callback;
  return 0;
}
#endif

#if FAKE_VERSION == 1
// Takes a path only, and opens it: this version knows no literals.
EXPORT Model* bs_construct(const char* path, unsigned seed, unsigned) {
  if (path[0] != '\0') {
    FILE* file = std::fopen(path, "r");
    if (file == nullptr) return nullptr;
    char text[200] = {};
    const std::size_t size = std::fread(text, 1, sizeof text - 1, file);
    std::fclose(file);
    if (size == 0 || std::strstr(text, "bad") != nullptr) return nullptr;
  }
  return new Model{seed, seed};
}
EXPORT int bs_destruct(Model* m) {
  delete m;
  return 0;
}
EXPORT int bs_log_density_gradient(const Model*, bool, bool, const double* theta, double* value,
                                   double* gradient) {
  if (!trouble(theta, 1000).empty()) return -1;
  *value = log_density(theta, gradient);
  return 0;
}
EXPORT int bs_log_density(const Model* m, bool propto, bool jacobian, const double* theta,
                          double* value) {
  double gradient[kP + 1];
  return bs_log_density_gradient(m, propto, jacobian, theta, value, gradient);
}
EXPORT int bs_param_constrain(Model* m, bool tp, bool gq, const double* theta, double* values) {
  if (gq && !trouble(theta, 100).empty()) return -1;
  constrain(tp, gq, theta, values, &m->state);
  return 0;
}
#endif
