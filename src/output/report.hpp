// report.html: a Fit as one page that opens from disk, with its verdict, tables and figures.
#pragma once

#include <string>

#include "ravi/fit.hpp"

namespace ravi {

// Needs no network. Figures of draws are left out, and the page says so, where the fit has none.
// The reference, if given, is drawn beside the marginals of parameters that are reported as the
// model samples them. Same fit, same bytes.
std::string report_html(const Fit& fit, const Reference* reference = nullptr);

}  // namespace ravi
