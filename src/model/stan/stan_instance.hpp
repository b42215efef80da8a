// One loaded Stan program with its data: BridgeStan's C interface, versions 1.0 and 2, as one
// class.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/stan/private_library.hpp"

namespace ravi {

// Draws generated quantities with random numbers of its own. Not for several threads at once.
class StanGenerator {
 public:
  virtual ~StanGenerator() = default;
  // Parameters, transformed parameters and generated quantities at theta; false, with the program's
  // message, when they cannot be computed.
  virtual bool draw(const double* theta, double* values, std::string* message) = 0;
};

// Calls from several threads at once are allowed only when thread_safe() says so.
class StanInstance {
 public:
  virtual ~StanInstance() = default;

  virtual std::string interface_version() const = 0;  // "2.7.0", "1.0"
  virtual std::string name() const = 0;
  virtual std::string info() const = 0;
  virtual int dimension() const = 0;             // P
  virtual int size(bool tp, bool gq) const = 0;  // how many names(tp, gq) there should be
  // Names as BridgeStan writes them, "L.2.1"; tp: with transformed parameters, gq: with generated
  // quantities.
  virtual std::vector<std::string> unconstrained_names() const = 0;
  virtual std::vector<std::string> names(bool tp, bool gq) const = 0;

  // Log density with all constants and the Jacobian, and its gradient. False when the program threw
  // an exception, whose text goes to message unless that is null.
  virtual bool gradient(const double* theta, double* log_density, double* gradient,
                        std::string* message) const = 0;
  // The log density alone, which takes a fraction of the time.
  virtual bool log_density(const double* theta, double* value) const = 0;
  // Parameters and transformed parameters.
  virtual bool constrain(const double* theta, double* values, std::string* message) const = 0;
  virtual std::unique_ptr<StanGenerator> generator(std::uint32_t seed) const = 0;

  bool thread_safe() const;
};

// The program's data: a JSON text, the file that holds it if there is one, and what messages call
// them.
struct StanData {
  std::string text = {}, json_file = {}, source = {};
  bool has_names = false;  // somebody wrote each name down, as in JSON
};

struct LoadedInstance {
  std::unique_ptr<StanInstance> instance;
  bool is_private =
      true;  // false: its library could not be copied, and others may share its memory
};

// Loads a copy of the library and hands it the data. Throws UsageError when the library is not one
// of BridgeStan's (version and symbols are checked), or when the program rejects the data, with the
// program's message.
LoadedInstance load_instance(const LibraryImage& library, const StanData& data, std::uint32_t seed);

// While it lives, what programs print on this thread goes to print, or nowhere when that is null.
// BridgeStan hands over pieces of lines; print gets whole ones.
class PrintScope {
 public:
  explicit PrintScope(const std::function<void(std::string_view)>* print);
  ~PrintScope();
  PrintScope(const PrintScope&) = delete;
  PrintScope& operator=(const PrintScope&) = delete;

  void add(std::string_view text);

 private:
  void hand_over();

  const std::function<void(std::string_view)>* print_;
  PrintScope* outer_;
  std::string line_;
};

}  // namespace ravi
