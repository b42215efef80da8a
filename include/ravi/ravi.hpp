// The whole public surface of ravi.
#pragma once

#include "ravi/error.hpp"
#include "ravi/findings.hpp"
#include "ravi/fit.hpp"
#include "ravi/model.hpp"
#include "ravi/options.hpp"
#include "ravi/output.hpp"
#include "ravi/types.hpp"
#include "ravi/version.hpp"
