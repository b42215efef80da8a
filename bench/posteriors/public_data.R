# Writes the data.json of the posteriors with real data: those of R packages, or published figures.
# Usage: Rscript bench/posteriors/public_data.R
# Needs Debian's r-cran-mass, r-cran-nlme, r-cran-lme4 and r-cran-survival; all else comes with R.

folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(folder, "..", "..", "models", "json.R"))

plain <- function(table) unname(as.matrix(table))
number <- function(factor) as.integer(as.character(factor))  # of a level that is a number

data <- list()

# Longley (1967), An appraisal of least squares programs for the electronic computer from the point
# of view of the user, Journal of the American Statistical Association 62, 819-841.
data$longley_employment <- function() {
  list(N = 16L, P = 6L, X = plain(longley[, 1:6]), employed = longley$Employed)
}

# Hosmer and Lemeshow (1989), Applied logistic regression, Wiley: Baystate Medical Center, 1986.
data$low_birthweight <- function() {
  X <- with(MASS::birthwt, cbind(age, lwt, black = race == 2, other = race == 3, smoke, ptl, ht,
                                 ui, ftv))
  list(N = nrow(X), P = ncol(X), X = plain(X), low = MASS::birthwt$low)
}

# Thall and Vail (1990), Some covariance models for longitudinal count data with overdispersion,
# Biometrics 46, 657-671.
data$epileptic_seizures <- function() {
  d <- MASS::epil
  list(N = nrow(d), J = max(d$subject), patient = d$subject,
       treated = as.integer(d$trt == "progabide"), base = d$base, age = d$age, fourth = d$V4,
       y = d$y)
}

# Crowder and Hand (1990), Analysis of repeated measures, Chapman and Hall.
data$rat_diets <- function() {
  d <- nlme::BodyWeight
  rat <- number(d$Rat)
  list(N = nrow(d), J = max(rat), D = 3L, rat = rat,
       diet = number(d$Diet)[match(seq_len(max(rat)), rat)], day = d$Time, weight = d$weight)
}

# Belenky and others (2003), Patterns of performance degradation and restoration during sleep
# restriction and subsequent recovery, Journal of Sleep Research 12, 1-12.
data$sleep_deprivation <- function() {
  d <- lme4::sleepstudy
  list(N = nrow(d), J = nlevels(d$Subject), person = as.integer(d$Subject), day = d$Days,
       reaction = d$Reaction)
}

# Lesnoff and others (2004), Within-herd spread of contagious bovine pleuropneumonia in Ethiopian
# highlands, Preventive Veterinary Medicine 64, 27-40.
data$cattle_pneumonia <- function() {
  d <- lme4::cbpp
  list(N = nrow(d), H = nlevels(d$herd), herd = as.integer(d$herd), period = as.integer(d$period),
       animals = d$size, cases = d$incidence)
}

# Silverman (1985), Some aspects of the spline smoothing approach to non-parametric regression curve
# fitting, Journal of the Royal Statistical Society B 47, 1-52: every third measurement.
data$motorcycle_crash <- function() {
  d <- MASS::mcycle[seq(1, 133, by = 3), ]
  list(N = nrow(d), time = d$times, acceleration = d$accel)
}

# Closing prices of the German index DAX, in R as EuStockMarkets (Erste Bank AG, Vienna): returns of
# the last 60 days, in percent.
data$stock_volatility <- function() {
  list(T = 60L, y = round(tail(100 * diff(log(as.vector(EuStockMarkets[, "DAX"]))), 60), 4))
}

# Elton and Nicholson (1942), The ten-year cycle in numbers of the lynx in Canada, Journal of Animal
# Ecology 11, 215-244: trapped in the Mackenzie River district, 1821 to 1934.
data$lynx_cycles <- function() list(T = length(lynx), trapped = as.integer(lynx))

# Haerdle (1991), Smoothing techniques with implementation in S, Springer.
data$geyser_eruptions <- function() {
  list(N = nrow(faithful), eruption = faithful$eruptions, waiting = faithful$waiting)
}

# Kwan and others (1976), Kinetics of indomethacin absorption, elimination, and enterohepatic
# circulation in man, Journal of Pharmacokinetics and Biopharmaceutics 4, 255-280.
data$indomethacin <- function() {
  list(N = nrow(Indometh), J = 6L, person = number(Indometh$Subject), hour = Indometh$time,
       concentration = Indometh$conc)
}

# Kalbfleisch and Prentice (1980), The statistical analysis of failure time data, Wiley: the lung
# cancer trial of the Veterans' Administration.
data$veteran_survival <- function() {
  X <- with(survival::veteran, cbind(trt == 2, celltype == "smallcell", celltype == "adeno",
                                     celltype == "large", karno, diagtime, age, prior / 10))
  list(N = nrow(X), P = ncol(X), X = plain(X), died = as.integer(survival::veteran$status),
       days = survival::veteran$time)
}

# Madsen (1976), Statistical analysis of multiple contingency tables, Scandinavian Journal of
# Statistics 3, 97-106: tenants of twelve areas of Copenhagen.
data$housing_satisfaction <- function() {
  groups <- MASS::housing[MASS::housing$Sat == "Low", c("Infl", "Type", "Cont")]
  X <- model.matrix(~ Infl + Type + Cont, groups)[, -1]
  list(G = nrow(X), P = ncol(X), X = plain(X), count = matrix(MASS::housing$Freq, ncol = 3,
                                                              byrow = TRUE))
}

# Brownlee (1965), Statistical theory and methodology in science and engineering, 2nd ed., Wiley,
# 491-500: a plant that oxidizes ammonia to nitric acid.
data$stack_loss <- function() {
  list(N = 21L, P = 3L, X = plain(stackloss[, 1:3]), loss = stackloss$stack.loss)
}

# Box and Tiao (1973), Bayesian inference in statistical analysis, Addison-Wesley, section 5.1.2:
# generated figures, whose batches differ less than their samples do.
data$dyestuff_batches <- function() {
  d <- lme4::Dyestuff2
  list(N = nrow(d), J = nlevels(d$Batch), batch = as.integer(d$Batch), yield = d$Yield)
}

# Snee (1974), Graphical display of two-way contingency tables, The American Statistician 28, 9-12,
# the division by sex added by Friendly (1992).
data$hair_and_eyes <- function() {
  cells <- as.data.frame(HairEyeColor)
  X <- model.matrix(~ (Hair + Eye + Sex)^2, cells)[, -1]
  list(N = nrow(X), P = ncol(X), X = plain(X), y = as.integer(cells$Freq))
}

# Edwards and Eberhardt (1967), Estimating cottontail abundance from livetrapping data, Journal of
# Wildlife Management 31, 87-96: 135 rabbits in an enclosure, trapped 18 times.
data$rabbit_traps <- function() {
  list(T = 18L, M = 500L, caught = as.integer(c(43, 16, 8, 6, 0, 2, 1, rep(0, 11))))
}

# Boeckmann, Sheiner and Beal (1994), NONMEM users guide, part V, University of California, San
# Francisco: a study by Upton.
data$theophylline <- function() {
  person <- number(Theoph$Subject)
  list(N = nrow(Theoph), J = 12L, person = person, hour = Theoph$Time,
       dose = Theoph$Dose[match(1:12, person)], concentration = Theoph$conc)
}

for (name in names(data)) write_json(data[[name]](), file.path(folder, name, "data.json"))
