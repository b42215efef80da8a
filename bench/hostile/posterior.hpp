// A hostile posterior: its density, how to draw from it, and its exact answers, each made on its
// own.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "random.hpp"
#include "ravi/model.hpp"

namespace hostile {

using ravi::Index, ravi::Matrix, ravi::Vector;

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Exact summaries of one reported quantity. A mean or an sd that does not exist is NaN.
struct Marginal {
  double mean = kNaN, sd = kNaN;
  double q5 = kNaN, q50 = kNaN, q95 = kNaN;

  bool has_sd() const { return sd == sd; }
};

enum class Kind {
  answer,        // a right answer exists; a fit that cannot give it must say so
  must_be_told,  // whatever numbers come out, a content verdict is wrong
};

using Density = std::function<double(const Vector& theta, Vector& gradient)>;

struct Posterior {
  std::string name = {}, family = {}, description = {};
  Kind kind = Kind::answer;
  Index dimension = 0;
  Density density = {};
  std::function<Vector(Random&)> draw = {};           // exact; kind answer only
  std::function<std::vector<Marginal>()> truth = {};  // per coordinate; kind answer only
  std::vector<Index> exponentiated = {};              // coordinates that are reported as exp(theta)
  double resolution = std::numeric_limits<double>::epsilon();  // relative, of log densities
};

// The model that is handed to ravi.
std::unique_ptr<ravi::Model> make(const Posterior& posterior);

// theta as it is reported.
Vector reported(const Posterior& posterior, const Vector& theta);

// All of them, in the order of the tables. Names are unique.
std::vector<Posterior> all_posteriors();

// One function per file; each appends its own.
using Posteriors = std::vector<Posterior>;
void add_mixtures(Posteriors& all);
void add_shapes(Posteriors& all);
void add_jumps(Posteriors& all);
void add_tails(Posteriors& all);
void add_hierarchies(Posteriors& all);
void add_moves(Posteriors& all);
void add_modes(Posteriors& all);
void add_frequencies(Posteriors& all);
void add_gaussians(Posteriors& all);
void add_broken(Posteriors& all);
void add_easy(Posteriors& all);

}  // namespace hostile
