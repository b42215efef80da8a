// What the paper does not say, and what its authors' public code says instead.
#pragma once

#include "paper/document.hpp"

namespace ravi::paper {

Section unsaid_section();

}  // namespace ravi::paper
