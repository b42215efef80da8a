// The C interface of BridgeStan 2 over a Stan program that R's stanc has translated.
#include "json_context.hpp"
#include "program.hpp"
#include "stan_headers.hpp"

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT const int bs_major_version;
EXPORT const int bs_minor_version;
EXPORT const int bs_patch_version;
const int bs_major_version = 2, bs_minor_version = 7, bs_patch_version = 0;

namespace {

using Print = void (*)(const char*, std::size_t);

std::mutex print_mutex;
Print print_callback = nullptr;

// What the program prints during one call; handed over when the call is done.
class Messages {
 public:
  ~Messages() {
    std::ostringstream& stream = buffer();
    if (stream.tellp() <= 0) return;
    const std::string text = stream.str();
    stream.str("");
    std::lock_guard<std::mutex> lock(print_mutex);
    if (print_callback != nullptr) {
      // As BridgeStan does, the end of a line comes for itself.
      for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (end > begin) print_callback(text.data() + begin, end - begin);
        if (end < text.size()) print_callback("\n", 1);
        begin = end + 1;
      }
    } else {
      std::cout << text << std::flush;
    }
  }
  std::ostream* stream() { return &buffer(); }

 private:
  // By a pointer: there is little room for thread-local data.
  static std::ostringstream& buffer() {
    static thread_local std::unique_ptr<std::ostringstream> stream;
    if (!stream) stream.reset(new std::ostringstream);
    return *stream;
  }
};

// Stan's observer of the scheduler takes a thread's stack away when the thread leaves its arena, so
// that having had one before is no proof of having one now.
void ensure_autodiff_stack() {
  using Stack = stan::math::ChainableStack;
  static thread_local std::unique_ptr<Stack> own;
  if (Stack::instance_ != nullptr) return;
  own.reset();
  own.reset(new Stack());
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string data_text(const char* data) {
  const std::string text = data == nullptr ? "" : data, suffix = ".json";
  const bool is_path = text.size() >= suffix.size() &&
                       text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
  return is_path ? read_file(text) : text;
}

// R calls the class of schools.stan model_schools, BridgeStan schools_model.
std::string bridgestan_name(const std::string& class_name) {
  const std::string prefix = "model_";
  return class_name.compare(0, prefix.size(), prefix) == 0
             ? class_name.substr(prefix.size()) + "_model"
             : class_name;
}

// As BridgeStan lists it: clients look for the words. Of these switches the shim knows one.
std::string model_info(const stan::model::model_base& model) {
#ifdef STAN_THREADS
  const char* threads = "true";
#else
  const char* threads = "false";
#endif
  std::ostringstream info;
  info << "BridgeStan version: " << bs_major_version << "." << bs_minor_version << "."
       << bs_patch_version << "\nStan version: " << stan::MAJOR_VERSION << "."
       << stan::MINOR_VERSION << "." << stan::PATCH_VERSION
       << "\nStan C++ Defines:\n\tSTAN_THREADS=" << threads;
  for (const char* name :
       {"STAN_MPI", "STAN_OPENCL", "STAN_NO_RANGE_CHECKS", "BRIDGESTAN_AD_HESSIAN"}) {
    info << "\n\t" << name << "=false";
  }
  info << "\nStan Compiler Details:";
#if RAVI_STAN_AT_LEAST(26)
  for (const std::string& line : model.model_compile_info()) info << "\n\t" << line;
#else
  info << "\n\tstanc_version = stanc " << stan::MAJOR_VERSION << "." << stan::MINOR_VERSION << "."
       << stan::PATCH_VERSION;
#endif
  info << "\n";
  return info.str();
}

template <typename F>
int guarded(char** error, F f) {
  std::string message = "unknown exception";
  try {
    f();
    return 0;
  } catch (const std::exception& e) {
    message = e.what();
  } catch (...) {
  }
  if (error != nullptr) *error = strdup(message.c_str());
  return -1;
}

}  // namespace

class bs_rng {
 public:
  explicit bs_rng(unsigned int seed) : engine(stan::services::util::create_rng(seed, 1)) {}
  decltype(stan::services::util::create_rng(0, 1)) engine;
};

class bs_model {
 public:
  bs_model(const char* data, unsigned int seed) {
    ensure_autodiff_stack();
    ravi_shim::JsonContext context(data_text(data));
    Messages messages;
    model_.reset(&new_model(context, seed, messages.stream()));
    name_ = bridgestan_name(model_->model_name());
    std::vector<std::string> names;
    model_->unconstrained_param_names(names, false, false);
    unconstrained_names_ = joined(names);
    unconstrained_ = static_cast<int>(model_->num_params_r());
    for (const bool tp : {false, true}) {
      for (const bool gq : {false, true}) {
        names.clear();
        model_->constrained_param_names(names, tp, gq);
        names_[tp][gq] = joined(names);
        sizes_[tp][gq] = static_cast<int>(names.size());
      }
    }
    info_ = model_info(*model_);
  }

  const char* name() const { return name_.c_str(); }
  const char* info() const { return info_.c_str(); }
  const char* names(bool tp, bool gq) const { return names_[tp][gq].c_str(); }
  const char* unconstrained_names() const { return unconstrained_names_.c_str(); }
  int size(bool tp, bool gq) const { return sizes_[tp][gq]; }
  int unconstrained() const { return unconstrained_; }

  void constrain(bool tp, bool gq, const double* theta, double* values, bs_rng* rng) const {
    if (gq && rng == nullptr) {
      throw std::invalid_argument("generated quantities need a random number generator");
    }
    bs_rng unused(0);
    Eigen::VectorXd point = Eigen::VectorXd::Map(theta, unconstrained_), result;
    Messages messages;
    model_->write_array(gq ? rng->engine : unused.engine, point, result, tp, gq, messages.stream());
    std::copy(result.data(), result.data() + result.size(), values);
  }

  void unconstrain(const double* values, double* theta) const {
#if RAVI_STAN_AT_LEAST(32)
    Eigen::VectorXd result;
    Messages messages;
    model_->unconstrain_array(Eigen::VectorXd::Map(values, sizes_[0][0]), result,
                              messages.stream());
    std::copy(result.data(), result.data() + result.size(), theta);
#else
    // get_param_names() also lists what is no parameter; those come after the parameters.
    std::vector<std::string> all;
    std::vector<std::vector<std::size_t> > dims;
    model_->get_param_names(all);
    model_->get_dims(dims);
    std::size_t used = 0, size = 0;
    while (used < all.size() && size < static_cast<std::size_t>(sizes_[0][0])) {
      std::size_t elements = 1;
      for (const std::size_t d : dims[used]) elements *= d;
      size += elements;
      ++used;
    }
    all.resize(used);
    dims.resize(used);
    const std::vector<double> flat(values, values + sizes_[0][0]);
    unconstrain(stan::io::array_var_context(all, flat, dims), theta);
#endif
  }

  void unconstrain(const stan::io::var_context& context, double* theta) const {
    Eigen::VectorXd result;
    Messages messages;
    model_->transform_inits(context, result, messages.stream());
    std::copy(result.data(), result.data() + result.size(), theta);
  }

  double log_density(bool propto, bool jacobian, const double* theta) const {
    // Only the differentiable form knows which terms are constants.
    if (propto) {
      Eigen::VectorXd unused(unconstrained_);
      return gradient(propto, jacobian, theta, unused.data());
    }
    ensure_autodiff_stack();
    Eigen::VectorXd point = Eigen::VectorXd::Map(theta, unconstrained_);
    Messages messages;
    return jacobian ? model_->log_prob_jacobian(point, messages.stream())
                    : model_->log_prob(point, messages.stream());
  }

  double gradient(bool propto, bool jacobian, const double* theta, double* gradient) const {
    using stan::math::var;
    ensure_autodiff_stack();
    Messages messages;
    std::ostream* stream = messages.stream();
    double value = 0;
    stan::math::start_nested();
    try {
      Eigen::Matrix<var, Eigen::Dynamic, 1> x(unconstrained_);
      for (int i = 0; i < unconstrained_; ++i) x(i) = theta[i];
      var lp =
          propto ? (jacobian ? model_->log_prob_propto_jacobian(x, stream)
                             : model_->log_prob_propto(x, stream))
                 : (jacobian ? model_->log_prob_jacobian(x, stream) : model_->log_prob(x, stream));
      value = lp.val();
      stan::math::grad(lp.vi_);
      for (int i = 0; i < unconstrained_; ++i) gradient[i] = x(i).adj();
    } catch (...) {
      stan::math::recover_memory_nested();
      throw;
    }
    stan::math::recover_memory_nested();
    return value;
  }

  // Central differences of the gradient along v, with the step that balances rounding and
  // truncation, eps^(1/3).
  double hessian_vector_product(bool propto, bool jacobian, const double* theta, const double* v,
                                double* result) const {
    const Eigen::Map<const Eigen::VectorXd> x(theta, unconstrained_), d(v, unconstrained_);
    Eigen::VectorXd plus(unconstrained_), minus(unconstrained_), point;
    const double length = d.norm();
    const double scale = unconstrained_ == 0 ? 1 : std::max(1.0, x.cwiseAbs().maxCoeff());
    const double h =
        std::cbrt(std::numeric_limits<double>::epsilon()) * scale / (length > 0 ? length : 1);
    point = x + h * d;
    gradient(propto, jacobian, point.data(), plus.data());
    point = x - h * d;
    gradient(propto, jacobian, point.data(), minus.data());
    Eigen::Map<Eigen::VectorXd>(result, unconstrained_) = (plus - minus) / (2 * h);
    return log_density(propto, jacobian, theta);
  }

  double hessian(bool propto, bool jacobian, const double* theta, double* grad,
                 double* result) const {
    Eigen::Map<Eigen::MatrixXd> h(result, unconstrained_, unconstrained_);
    for (int i = 0; i < unconstrained_; ++i) {
      const Eigen::VectorXd direction = Eigen::VectorXd::Unit(unconstrained_, i);
      hessian_vector_product(propto, jacobian, theta, direction.data(), h.col(i).data());
    }
    h = (0.5 * (h + h.transpose())).eval();
    return gradient(propto, jacobian, theta, grad);
  }

 private:
  std::unique_ptr<stan::model::model_base> model_;
  std::string name_, info_, unconstrained_names_;
  std::string names_[2][2];
  int sizes_[2][2];
  int unconstrained_;
};

EXPORT bs_model* bs_model_construct(const char* data, unsigned int seed, char** error) {
  bs_model* model = nullptr;
  guarded(error, [&] { model = new bs_model(data, seed); });
  return model;
}
EXPORT void bs_model_destruct(bs_model* m) { delete m; }
EXPORT void bs_free_error_msg(char* error) { free(error); }
EXPORT const char* bs_name(const bs_model* m) { return m->name(); }
EXPORT const char* bs_model_info(const bs_model* m) { return m->info(); }
EXPORT const char* bs_param_names(const bs_model* m, bool tp, bool gq) { return m->names(tp, gq); }
EXPORT const char* bs_param_unc_names(const bs_model* m) { return m->unconstrained_names(); }
EXPORT int bs_param_num(const bs_model* m, bool tp, bool gq) { return m->size(tp, gq); }
EXPORT int bs_param_unc_num(const bs_model* m) { return m->unconstrained(); }

EXPORT int bs_param_constrain(const bs_model* m, bool tp, bool gq, const double* theta,
                              double* values, bs_rng* rng, char** error) {
  return guarded(error, [&] { m->constrain(tp, gq, theta, values, rng); });
}
EXPORT int bs_param_unconstrain(const bs_model* m, const double* values, double* theta,
                                char** error) {
  return guarded(error, [&] { m->unconstrain(values, theta); });
}
EXPORT int bs_param_unconstrain_json(const bs_model* m, const char* json, double* theta,
                                     char** error) {
  return guarded(error, [&] { m->unconstrain(ravi_shim::JsonContext(json), theta); });
}
EXPORT int bs_log_density(const bs_model* m, bool propto, bool jacobian, const double* theta,
                          double* value, char** error) {
  return guarded(error, [&] { *value = m->log_density(propto, jacobian, theta); });
}
EXPORT int bs_log_density_gradient(const bs_model* m, bool propto, bool jacobian,
                                   const double* theta, double* value, double* gradient,
                                   char** error) {
  return guarded(error, [&] { *value = m->gradient(propto, jacobian, theta, gradient); });
}
EXPORT int bs_log_density_hessian(const bs_model* m, bool propto, bool jacobian,
                                  const double* theta, double* value, double* gradient,
                                  double* hessian, char** error) {
  return guarded(error, [&] { *value = m->hessian(propto, jacobian, theta, gradient, hessian); });
}
EXPORT int bs_log_density_hessian_vector_product(const bs_model* m, bool propto, bool jacobian,
                                                 const double* theta, const double* v,
                                                 double* value, double* product, char** error) {
  return guarded(error,
                 [&] { *value = m->hessian_vector_product(propto, jacobian, theta, v, product); });
}
EXPORT bs_rng* bs_rng_construct(unsigned int seed, char** error) {
  bs_rng* rng = nullptr;
  guarded(error, [&] { rng = new bs_rng(seed); });
  return rng;
}
EXPORT void bs_rng_destruct(bs_rng* rng) { delete rng; }
EXPORT int bs_set_print_callback(Print callback, char** /*error*/) {
  std::lock_guard<std::mutex> lock(print_mutex);
  print_callback = callback;
  return 0;
}

#include "r_interface.hpp"
