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

// One posterior under one optimizer: the rows of the paper, and two more.
struct Comparison {
  std::string model, posterior, variant, optimizer;
  PrintedRow printed_elbo, printed_mcse;
  Group elbo = {}, mcse = {};  // the rules as printed
  Group second_half = {};  // as many iterations as the paper's MCSE row, the second half averaged
  Group robust = {};       // ravi's default method
};

std::vector<Comparison> compare_rows(const std::vector<PrintedRow>& rows,
                                     const std::vector<std::string>& optimizers, Lab& lab,
                                     const Effort& effort);

Section table_section(const std::string& title, const std::vector<Comparison>& comparisons,
                      Lab& lab);

inline const std::vector<std::string> kTable1Optimizers = {"rmsprop"};
inline const std::vector<std::string> kTable2Optimizers = {"adagrad", "adagrad-windowed"};

// MNIST100, for which no truth is known: its ELBO, k-hat and R-hat, with one chain and with four.
struct NetworkRuns {
  Group one, four;
};
NetworkRuns network_runs(Lab& lab, const Effort& effort);
Table network_table(const NetworkRuns& runs, const Printed& printed);

// "0.0031", "12"; "-" when unknown.
std::string number_text(double x);
std::string khat_text(double x);

}  // namespace ravi::paper
