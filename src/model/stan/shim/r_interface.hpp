// The interface once more as R's .C() calls it: everything by pointer, whole numbers for truth, no
// result. Included by bridgestan.cpp.
#pragma once

namespace {

// R copies the text of a message, and hands the second pointer back to have it freed.
class ErrorForR {
 public:
  ErrorForR(char** text, void** memory) : text_(text), memory_(memory) {}
  ~ErrorForR() {
    *memory_ = message_;
    if (message_ != nullptr) *text_ = message_;
  }
  ErrorForR(const ErrorForR&) = delete;
  ErrorForR& operator=(const ErrorForR&) = delete;
  operator char**() { return &message_; }

 private:
  char* message_ = nullptr;
  char** text_;
  void** memory_;
};

}  // namespace

EXPORT void bs_version_R(int* major, int* minor, int* patch) {
  *major = bs_major_version;
  *minor = bs_minor_version;
  *patch = bs_patch_version;
}
EXPORT void bs_model_construct_R(char** data, int* seed, bs_model** m, char** text, void** memory) {
  *m = bs_model_construct(*data, static_cast<unsigned int>(*seed), ErrorForR(text, memory));
}
EXPORT void bs_model_destruct_R(bs_model** m) { bs_model_destruct(*m); }
EXPORT void bs_free_error_msg_R(void** memory) { bs_free_error_msg(static_cast<char*>(*memory)); }
EXPORT void bs_name_R(bs_model** m, const char** name) { *name = bs_name(*m); }
EXPORT void bs_model_info_R(bs_model** m, const char** info) { *info = bs_model_info(*m); }
EXPORT void bs_param_names_R(bs_model** m, int* tp, int* gq, const char** names) {
  *names = bs_param_names(*m, *tp != 0, *gq != 0);
}
EXPORT void bs_param_unc_names_R(bs_model** m, const char** names) {
  *names = bs_param_unc_names(*m);
}
EXPORT void bs_param_num_R(bs_model** m, int* tp, int* gq, int* number) {
  *number = bs_param_num(*m, *tp != 0, *gq != 0);
}
EXPORT void bs_param_unc_num_R(bs_model** m, int* number) { *number = bs_param_unc_num(*m); }
// Without generated quantities R hands over something that is no generator.
EXPORT void bs_param_constrain_R(bs_model** m, int* tp, int* gq, const double* theta,
                                 double* values, bs_rng** rng, int* status, char** text,
                                 void** memory) {
  *status = bs_param_constrain(*m, *tp != 0, *gq != 0, theta, values, *gq != 0 ? *rng : nullptr,
                               ErrorForR(text, memory));
}
EXPORT void bs_param_unconstrain_R(bs_model** m, const double* values, double* theta, int* status,
                                   char** text, void** memory) {
  *status = bs_param_unconstrain(*m, values, theta, ErrorForR(text, memory));
}
EXPORT void bs_param_unconstrain_json_R(bs_model** m, const char** json, double* theta, int* status,
                                        char** text, void** memory) {
  *status = bs_param_unconstrain_json(*m, *json, theta, ErrorForR(text, memory));
}
EXPORT void bs_log_density_R(bs_model** m, int* propto, int* jacobian, const double* theta,
                             double* value, int* status, char** text, void** memory) {
  *status = bs_log_density(*m, *propto != 0, *jacobian != 0, theta, value, ErrorForR(text, memory));
}
EXPORT void bs_log_density_gradient_R(bs_model** m, int* propto, int* jacobian, const double* theta,
                                      double* value, double* gradient, int* status, char** text,
                                      void** memory) {
  *status = bs_log_density_gradient(*m, *propto != 0, *jacobian != 0, theta, value, gradient,
                                    ErrorForR(text, memory));
}
EXPORT void bs_log_density_hessian_R(bs_model** m, int* propto, int* jacobian, const double* theta,
                                     double* value, double* gradient, double* hessian, int* status,
                                     char** text, void** memory) {
  *status = bs_log_density_hessian(*m, *propto != 0, *jacobian != 0, theta, value, gradient,
                                   hessian, ErrorForR(text, memory));
}
EXPORT void bs_log_density_hessian_vector_product_R(bs_model** m, int* propto, int* jacobian,
                                                    const double* theta, const double* v,
                                                    double* value, double* product, int* status,
                                                    char** text, void** memory) {
  *status = bs_log_density_hessian_vector_product(*m, *propto != 0, *jacobian != 0, theta, v, value,
                                                  product, ErrorForR(text, memory));
}
EXPORT void bs_rng_construct_R(int* seed, bs_rng** rng, char** text, void** memory) {
  *rng = bs_rng_construct(static_cast<unsigned int>(*seed), ErrorForR(text, memory));
}
EXPORT void bs_rng_destruct_R(bs_rng** rng) { bs_rng_destruct(*rng); }
