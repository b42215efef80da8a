// What the report shows, as compact JSON that its scripts read.
#pragma once

#include "output/json_values.hpp"
#include "ravi/fit.hpp"

namespace ravi {

// Tables are columns of text, numbers with the digits that are known; figures are lists of numbers
// with six digits, null where there is none.
OrderedJson report_data(const Fit& fit, const Reference* reference);

// A number to six digits, which is more than a picture shows.
OrderedJson rounded(double x);

// The answers that tables and figures are about: the average, or the chains that disagree.
std::vector<const Answer*> shown_answers(const Fit& fit);

// "chain 2, mode 1" of disagreeing chains, otherwise empty.
std::string label_of(const Fit& fit, std::size_t answer);

}  // namespace ravi
