// Libraries that ravi compiles as other programs see them: all of BridgeStan's interface, and the
// one for R, whose .C() passes everything by pointer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "programs.hpp"
#include "temporary_folder.hpp"

namespace ravi {
namespace {

using testing::AllOf, testing::HasSubstr, testing::StrEq;

// The functions of bridgestan.h 2.7; bridgestanR.h has each with _R, but for the callback.
constexpr const char* kFunctions[] = {
    "bs_model_construct",     "bs_model_destruct",
    "bs_free_error_msg",      "bs_name",
    "bs_model_info",          "bs_param_names",
    "bs_param_unc_names",     "bs_param_num",
    "bs_param_unc_num",       "bs_param_constrain",
    "bs_param_unconstrain",   "bs_param_unconstrain_json",
    "bs_log_density",         "bs_log_density_gradient",
    "bs_log_density_hessian", "bs_log_density_hessian_vector_product",
    "bs_rng_construct",       "bs_rng_destruct"};

// sigma is exp of its coordinate; at 0 the log density of both, with constants and Jacobian, is
// that of N(0, 1) at 0 and that of an exponential at 1: -log(2 pi)/2 - 1.
constexpr const char* kProgram =
    "parameters { real mu; real<lower=0> sigma; }\n"
    "transformed parameters { real twice = 2 * sigma; }\n"
    "model { mu ~ normal(0, 1); sigma ~ exponential(1); print(\"hi\"); }\n"
    "generated quantities {\n"
    "  real u = uniform_rng(0, 1);\n"
    "  if (mu > 10) reject(\"mu is too large\");\n"
    "}\n";

class Interface : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const TemporaryFolder folder;
    library_ =
        std::make_unique<DirectLibrary>(compile_stan(folder.write("two_numbers.stan", kProgram)));
  }
  static void TearDownTestSuite() { library_.reset(); }

  // As R calls it.
  template <typename... Arguments>
  static void call(const char* name, Arguments... arguments) {
    library_->call<void, Arguments...>(name, arguments...);
  }

  static void* construct(const char* data) {
    void* model = nullptr;
    call("bs_model_construct_R", const_cast<char**>(&data), &seed_, &model, &text_, &memory_);
    return model;
  }

  static inline std::unique_ptr<DirectLibrary> library_;
  static inline int seed_ = 1, status_ = 77, yes_ = 1, no_ = 0;
  static inline char nothing_[1] = "";
  static inline char* text_ = nothing_;  // R's own ""
  static inline void* memory_ = nullptr;
};

TEST_F(Interface, HasEveryFunctionForCAndForR) {
  for (const std::string name : kFunctions) {
    EXPECT_NO_THROW((library_->function<void>(name.c_str())));
    EXPECT_NO_THROW((library_->function<void>((name + "_R").c_str())));
  }
  EXPECT_NO_THROW((library_->function<void>("bs_set_print_callback")));
  int major = 0, minor = 0, patch = -1;
  call("bs_version_R", &major, &minor, &patch);
  EXPECT_EQ(major, *reinterpret_cast<int*>(library_->function<void>("bs_major_version")));
  EXPECT_EQ(minor, *reinterpret_cast<int*>(library_->function<void>("bs_minor_version")));
  EXPECT_EQ(patch, *reinterpret_cast<int*>(library_->function<void>("bs_patch_version")));
  EXPECT_EQ(major, 2);
}

TEST_F(Interface, TellsItsNameAndHowItWasCompiled) {
  void* model = construct("");
  ASSERT_NE(model, nullptr);
  const char *name = nullptr, *info = nullptr, *names = nullptr;
  call("bs_name_R", &model, &name);
  EXPECT_THAT(name, StrEq("two_numbers_model"));
  EXPECT_THAT((library_->call<const char*, const void*>("bs_name", model)), StrEq(name));
  call("bs_model_info_R", &model, &info);
  const std::string version = "Stan version: 2." + std::to_string(stan_minor()) + ".";
  EXPECT_THAT(info,
              AllOf(HasSubstr("BridgeStan version: 2."), HasSubstr(version),
                    HasSubstr("stanc_version = stanc"), HasSubstr("STAN_THREADS=true"),
                    HasSubstr("STAN_OPENCL=false"), HasSubstr("BRIDGESTAN_AD_HESSIAN=false")));
  call("bs_param_names_R", &model, &yes_, &yes_, &names);
  EXPECT_THAT(names, StrEq("mu,sigma,twice,u"));
  call("bs_param_unc_names_R", &model, &names);
  EXPECT_THAT(names, StrEq("mu,sigma"));
  int number = 0;
  call("bs_param_num_R", &model, &yes_, &no_, &number);
  EXPECT_EQ(number, 3);
  call("bs_param_unc_num_R", &model, &number);
  EXPECT_EQ(number, 2);
  call("bs_model_destruct_R", &model);
}

TEST_F(Interface, ComputesForRWhatItComputes) {
  void* model = construct("");
  const double theta[] = {0, 0}, v[] = {1, 0};
  double value = 0, gradient[2], hessian[4], product[2];
  const double expected = -0.918938533204672742 - 1;
  call("bs_log_density_R", &model, &no_, &yes_, theta, &value, &status_, &text_, &memory_);
  EXPECT_EQ(status_, 0);
  EXPECT_EQ(memory_, nullptr);
  EXPECT_EQ(text_, nothing_);
  EXPECT_NEAR(value, expected, 1e-12);
  call("bs_log_density_gradient_R", &model, &no_, &yes_, theta, &value, gradient, &status_, &text_,
       &memory_);
  // d/du of u - exp(u) at 0.
  EXPECT_EQ(gradient[0], 0);
  EXPECT_NEAR(gradient[1], 0, 1e-12);
  call("bs_log_density_hessian_R", &model, &no_, &yes_, theta, &value, gradient, hessian, &status_,
       &text_, &memory_);
  // Central differences with a step of eps^(1/3) = 6e-6 are off by its square at the most.
  const double exact[] = {-1, 0, 0, -1};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(hessian[i], exact[i], 1e-9);
  call("bs_log_density_hessian_vector_product_R", &model, &no_, &yes_, theta, v, &value, product,
       &status_, &text_, &memory_);
  EXPECT_NEAR(product[0], -1, 1e-9);
  EXPECT_NEAR(product[1], 0, 1e-9);

  void* rng = nullptr;
  call("bs_rng_construct_R", &seed_, &rng, &text_, &memory_);
  ASSERT_NE(rng, nullptr);
  double values[4];
  call("bs_param_constrain_R", &model, &yes_, &yes_, theta, values, &rng, &status_, &text_,
       &memory_);
  EXPECT_EQ(status_, 0);
  EXPECT_EQ(values[1], 1);
  EXPECT_EQ(values[2], 2);
  EXPECT_TRUE(values[3] > 0 && values[3] < 1);
  call("bs_rng_destruct_R", &rng);
  // Where R has no generator it passes a whole number.
  void* number = reinterpret_cast<void*>(0x1234);
  call("bs_param_constrain_R", &model, &yes_, &no_, theta, values, &number, &status_, &text_,
       &memory_);
  EXPECT_EQ(status_, 0);

  double back[2] = {7, 7};
  call("bs_param_unconstrain_R", &model, static_cast<const double*>(values), back, &status_, &text_,
       &memory_);
  EXPECT_EQ(status_, 0);
  EXPECT_EQ(back[1], 0);
  const char* json = R"({"mu": 3, "sigma": 1})";
  call("bs_param_unconstrain_json_R", &model, &json, back, &status_, &text_, &memory_);
  EXPECT_EQ(status_, 0);
  EXPECT_EQ(back[0], 3);
  call("bs_model_destruct_R", &model);
}

// R copies the text, then hands the memory back.
TEST_F(Interface, TellsRWhatWentWrong) {
  EXPECT_EQ(construct("{,}"), nullptr);
  ASSERT_NE(memory_, nullptr);
  EXPECT_EQ(text_, memory_);
  EXPECT_THAT(text_, HasSubstr("parse error"));
  call("bs_free_error_msg_R", &memory_);
  text_ = nothing_;

  void* model = construct("");
  void* rng = nullptr;
  call("bs_rng_construct_R", &seed_, &rng, &text_, &memory_);
  const double theta[] = {11, 0};
  double values[4];
  call("bs_param_constrain_R", &model, &no_, &yes_, theta, values, &rng, &status_, &text_,
       &memory_);
  EXPECT_NE(status_, 0);
  EXPECT_THAT(text_, HasSubstr("mu is too large"));
  EXPECT_EQ(text_, memory_);
  call("bs_free_error_msg_R", &memory_);
  text_ = nothing_;
  memory_ = nullptr;
  call("bs_rng_destruct_R", &rng);
  call("bs_model_destruct_R", &model);
}

// Clients count the calls: the end of a line comes for itself.
TEST_F(Interface, PrintsLineByLine) {
  static std::vector<std::string> printed;
  const auto callback = [](const char* text, std::size_t size) {
    printed.emplace_back(text, size);
  };
  library_->call<int, void (*)(const char*, std::size_t), char**>("bs_set_print_callback", callback,
                                                                  nullptr);
  void* model = construct("");
  const double theta[] = {0, 0};
  double value = 0;
  call("bs_log_density_R", &model, &no_, &yes_, theta, &value, &status_, &text_, &memory_);
  EXPECT_THAT(printed, testing::ElementsAre("hi", "\n"));
  call("bs_model_destruct_R", &model);
  library_->call<int, void (*)(const char*, std::size_t), char**>("bs_set_print_callback", nullptr,
                                                                  nullptr);
}

}  // namespace
}  // namespace ravi
