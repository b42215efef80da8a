// What the paper claims, with the evidence measured and a judgement of each.
#pragma once

#include <string>
#include <vector>

#include "paper/document.hpp"
#include "paper/lab.hpp"
#include "paper/printed.hpp"
#include "paper/settings.hpp"

namespace ravi::paper {

enum class Judgement { held, held_in_part, not_reproduced, not_measured };
std::string text(Judgement judgement);

struct Claim {
  std::string claim;  // in our words
  std::string where;  // in the paper
  std::string evidence = {};
  Judgement judgement = Judgement::not_measured;
  std::string explanation = {};  // of a difference
};

std::vector<Claim> judge_claims(Lab& lab, const Effort& effort, const Printed& printed);

Section claims_section(Lab& lab, const Effort& effort, const Printed& printed);

// What the settings do that the paper leaves open: M, the window, epsilon of Delta-ELBO.
Section choices_section(Lab& lab, const Effort& effort, const Printed& printed);

}  // namespace ravi::paper
