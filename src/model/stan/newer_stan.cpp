// What came to the Stan language from 2.22 to 2.39, by the name it goes by.
#include "model/stan/newer_stan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

#include "model/stan/tokens.hpp"

namespace ravi {
namespace {

struct Release {
  int minor;
  std::string_view names;  // each between blanks
};

// Of distributions the name without _lpdf, _rng and the like. "Available since" of Stan's functions
// reference; that stanc 2.21 has none of them is seen from its own list (function_signatures.h).
constexpr Release kFunctions[] = {
    {23, " reduce_sum reduce_sum_static reverse categorical_logit_glm ordered_logistic_glm "},
    {24,
     " ode_rk45 ode_rk45_tol ode_adams ode_adams_tol ode_bdf ode_bdf_tol algebra_solver_newton"
     " hmm_marginal hmm_latent hmm_hidden_state_prob linspaced_array linspaced_vector"
     " linspaced_row_vector one_hot_array one_hot_vector one_hot_row_vector zeros_array"
     " zeros_vector zeros_row_vector uniform_simplex matrix_power multinomial_logit "},
    {25, " beta lambert_w0 lambert_wm1 ldexp log_inv_logit_diff "},
    {26,
     " profile chol2inv discrete_range generalized_inverse identity_matrix linspaced_int_array"
     " log_modified_bessel_first_kind one_hot_int_array ones_array ones_int_array ones_vector"
     " ones_row_vector svd_U svd_V symmetrize_from_lower_tri zeros_int_array "},
    {27, " ode_adjoint_tol_ctl ode_ckrk ode_ckrk_tol quantile "},
    {28, " arg conj get_imag get_real norm polar proj skew_double_exponential to_complex "},
    {29, " dae dae_tol inv_erfc loglogistic "},
    {30,
     " eigenvalues eigenvectors fft fft2 inv_fft inv_fft2 inv_inc_beta inv_wishart_cholesky"
     " multi_student_t_cholesky multi_student_cholesky_t norm1 norm2 wishart_cholesky "},
    {31,
     " complex_schur_decompose_t complex_schur_decompose_u solve_newton solve_newton_tol"
     " solve_powell solve_powell_tol std_normal_log_qf std_normal_qf to_int "},
    {33, " complex_schur_decompose csr_extract eigendecompose eigendecompose_sym qr qr_thin svd "},
    {34, " binomial_logit_glm dirichlet_multinomial "},
    {35, " fatal_error "},
    {36, " beta_neg_binomial "},
    {37,
     " hypergeometric_1F0 hypergeometric_2F1 hypergeometric_3F2 hypergeometric_pFq"
     " lower_bound_constrain lower_bound_jacobian lower_bound_unconstrain upper_bound_constrain"
     " upper_bound_jacobian upper_bound_unconstrain lower_upper_bound_constrain"
     " lower_upper_bound_jacobian lower_upper_bound_unconstrain offset_multiplier_constrain"
     " offset_multiplier_jacobian offset_multiplier_unconstrain ordered_constrain ordered_jacobian"
     " ordered_unconstrain positive_ordered_constrain positive_ordered_jacobian"
     " positive_ordered_unconstrain simplex_constrain simplex_jacobian simplex_unconstrain"
     " sum_to_zero_constrain sum_to_zero_jacobian sum_to_zero_unconstrain unit_vectors_constrain"
     " unit_vectors_jacobian unit_vectors_unconstrain cholesky_factor_corr_constrain"
     " cholesky_factor_corr_jacobian cholesky_factor_corr_unconstrain"
     " cholesky_factor_cov_constrain cholesky_factor_cov_jacobian cholesky_factor_cov_unconstrain"
     " corr_matrix_constrain corr_matrix_jacobian corr_matrix_unconstrain cov_matrix_constrain"
     " cov_matrix_jacobian cov_matrix_unconstrain stochastic_column_constrain"
     " stochastic_column_jacobian stochastic_column_unconstrain stochastic_row_constrain"
     " stochastic_row_jacobian stochastic_row_unconstrain "},
    {39,
     " laplace_marginal laplace_marginal_tol laplace_latent laplace_latent_tol"
     " laplace_marginal_bernoulli_logit laplace_marginal_neg_binomial_2_log"
     " laplace_marginal_poisson_log generate_laplace_options yule_simon trace_dot "},
};
constexpr Release kTypes[] = {
    {28, " complex "},
    {30, " complex_vector complex_row_vector complex_matrix "},
    {33, " tuple "},
    {36, " sum_to_zero_vector column_stochastic_matrix row_stochastic_matrix "},
    {37, " sum_to_zero_matrix "},
};
constexpr std::string_view kSuffixes[] = {"_lpdf", "_lpmf", "_lupdf", "_lupmf",
                                          "_rng",  "_cdf",  "_lcdf",  "_lccdf"};

// The release that a name came with; 0 when it is in none of them.
int release_of(std::span<const Release> releases, std::string_view name) {
  const std::string word = fmt::format(" {} ", name);
  for (const Release& release : releases) {
    if (release.names.find(word) != std::string_view::npos) return release.minor;
  }
  return 0;
}

std::string_view without_suffix(std::string_view name) {
  for (const std::string_view suffix : kSuffixes) {
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  }
  return name;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : tokens_(stan_tokens(text)) {}

  // A type stands before its function's name: real[] f(...), vector f(...).
  void find_definitions(std::set<std::string, std::less<>>& defined) const {
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
      const bool typed = text(i - 1) == "]" || text(i - 1) == ")" ||
                         (is_word(i - 1) && text(i - 1) != "return" && text(i - 1) != "else");
      if (is_word(i) && text(i + 1) == "(" && typed) defined.emplace(text(i));
    }
  }

  void find_newer(const std::set<std::string, std::less<>>& defined, int than,
                  NewerStan& newer) const {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      int minor = 0;
      std::string name(text(i));
      if (name == "%" && text(i + 1) == "/" && text(i + 2) == "%") {
        minor = 24;
        name = "%/%";
      } else if (name == "jacobian" && text(i + 1) == "+" && text(i + 2) == "=") {
        minor = 35;
        name = "jacobian +=";
      } else if (is_word(i) && (is_word(i + 1) || text(i + 1) == "[" || text(i + 1) == "<" ||
                                (name == "tuple" && text(i + 1) == "("))) {
        minor = release_of(kTypes, name);
      } else if (is_word(i) && text(i + 1) == "(" && !defined.contains(name)) {
        minor =
            std::max(release_of(kFunctions, name), release_of(kFunctions, without_suffix(name)));
      }
      if (minor <= than) continue;
      newer.minor = std::max(newer.minor, minor);
      if (std::ranges::find(newer.used, name) == newer.used.end()) newer.used.push_back(name);
    }
  }

 private:
  std::string_view text(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : ""; }
  bool is_word(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == StanToken::Kind::word;
  }
  std::vector<StanToken> tokens_;
};

}  // namespace

NewerStan newer_stan_of(const StanProgram& program, int minor) {
  std::vector<Reader> readers = {Reader(program.text)};
  for (const auto& [name, text] : program.included) readers.emplace_back(text);
  std::set<std::string, std::less<>> defined;
  NewerStan newer;
  for (const Reader& reader : readers) reader.find_definitions(defined);
  for (const Reader& reader : readers) reader.find_newer(defined, minor, newer);
  return newer;
}

std::string advice_on_newer_stan(const StanProgram& program, int minor) {
  const NewerStan newer = newer_stan_of(program, minor);
  if (newer.minor == 0) return {};
  return fmt::format(
      "\n  The program uses {}, which Stan has since 2.{}; this is Stan 2.{}.\n"
      "  With BRIDGESTAN set to the folder of a BridgeStan (github.com/roualdes/bridgestan), ravi "
      "uses its newer Stan.",
      fmt::join(newer.used, ", "), newer.minor, minor);
}

}  // namespace ravi
