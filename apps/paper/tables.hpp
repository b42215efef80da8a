// Tables 1 and 2 of the paper with what ravi measures beside each printed row.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "paper/document.hpp"
#include "paper/lab.hpp"
#include "paper/printed.hpp"
#include "paper/settings.hpp"

namespace ravi::paper {

// One posterior under one optimizer, as the text has it.
struct Comparison {
  std::string model, posterior, variant, optimizer;
  PrintedRow printed_elbo, printed_mcse;
  Group elbo = {}, mcse = {};  // the rules as printed
  Group robust = {};           // ravi's default method
};
// The same as its authors ran it.
struct AuthorsRuns {
  std::string model, posterior, variant, optimizer;
  PrintedRow printed_elbo, printed_mcse;
  Index dimension = 0;
  Group elbo = {}, mcse = {};
};

struct TableRuns {
  std::vector<Comparison> text;
  std::vector<AuthorsRuns> authors;
};

// The optimizer of the text, and that of the authors' code.
struct TableOptimizers {
  std::string text, authors;
};
inline constexpr const char* kWindowed = "adagrad-windowed";
inline const TableOptimizers kTable1Optimizers = {"rmsprop", "rmsprop"};
inline const TableOptimizers kTable2Optimizers = {"adagrad", kWindowed};

struct RowsOfModel {
  const PrintedRow &elbo, &mcse;
};
// --method authors under that rule, with the thresholds of these rows.
Run authors_run_of(const AuthorsSetting& setting, const std::string& optimizer,
                   const RowsOfModel& rows, const char* rule, const Effort& effort);
TableRuns table_runs(const std::vector<PrintedRow>& rows, const TableOptimizers& optimizers,
                     Lab& lab, const Effort& effort);

Section table_section(const std::string& title, const TableRuns& runs, Lab& lab);

// Of the printed numbers of both tables, how many come out within a factor of 1.5.
struct Nearness {
  std::string which;
  std::size_t t = 0, d = 0, khat = 0, khat_average = 0;  // near
  std::size_t t_all = 0, d_all = 0, khat_all = 0, khat_average_all = 0;
};
// As the text has them, in both readings; as the authors ran them, by the norms of the text; and
// the same in whichever norm, and from whichever reference, is nearest.
std::vector<Nearness> nearness(const TableRuns& table1, const TableRuns& table2, bool small_only);
Section nearness_section(const TableRuns& table1, const TableRuns& table2);

// MNIST100, for which no truth is known: its ELBO, k-hat and R-hat, with one chain and with four.
struct NetworkRuns {
  Group one, four;
};
NetworkRuns network_runs(Lab& lab, const Effort& effort);
Table network_table(const NetworkRuns& runs, const Printed& printed);

// Regressions and eight schools.
bool is_small(const std::string& model);

// By its rule, most of the runs.
bool has_stopped(const Group& group);
std::string rule_text(const std::string& rule);
// T, with an asterisk where the rule had not stopped the run.
std::string iterations_text(const Group& group);
std::string iterations_text(const PrintedRow& row);
// "0.0031", "12"; "-" when unknown.
std::string number_text(double x);
std::string khat_text(double x);

}  // namespace ravi::paper
