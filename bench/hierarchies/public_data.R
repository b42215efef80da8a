# Writes the data.json of the hierarchies, all of them real: those of R packages, or published
# figures.
# Usage: Rscript bench/hierarchies/public_data.R
# Needs Debian's r-cran-mass, r-cran-nlme, r-cran-mgcv, r-cran-lme4, r-cran-survival, r-cran-mlmrev,
# r-cran-metadat and r-cran-ordinal; all else comes with R.

folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(folder, "..", "..", "models", "json.R"))

index <- function(x) as.integer(factor(x))  # 1, 2, ... of the values in their order
level <- function(x) as.integer(factor(x, unique(x)))  # ... as they come
standardized <- function(x) round((x - mean(x)) / sd(x), 6)
centered <- function(x) round(x - mean(x), 6)
of_package <- function(name, package) {
  env <- new.env()
  utils::data(list = name, package = package, envir = env)
  env[[name]]
}

data <- list()

# Davies and Goldsmith (1972), Statistical methods in research and production, 4th ed., Hafner.
data$penicillin_plates <- function() {
  d <- lme4::Penicillin
  list(N = nrow(d), J = nlevels(d$plate), K = nlevels(d$sample), plate = as.integer(d$plate),
       penicillin = as.integer(d$sample), diameter = d$diameter)
}
data$cask_pastes <- function() {
  d <- lme4::Pastes
  list(N = nrow(d), B = nlevels(d$batch), C = nlevels(d$sample), batch = as.integer(d$batch),
       cask = as.integer(d$sample), strength = d$strength)
}

# Pinheiro and Bates (2000), Mixed-effects models in S and S-PLUS, Springer, appendix A: data by
# Littell and others (1996).
data$oxide_thickness <- function() {
  d <- as.data.frame(nlme::Oxide)
  lot <- level(paste(d$Source, d$Lot))
  wafer <- level(paste(d$Source, d$Lot, d$Wafer))
  first <- match(seq_len(max(wafer)), wafer)
  list(N = nrow(d), L = max(lot), W = max(wafer),
       source = index(d$Source)[match(seq_len(max(lot)), lot)], lot_of = lot[first],
       wafer_of = wafer, thickness = d$Thickness)
}

# Potthoff and Roy (1964), A generalized multivariate analysis of variance model useful especially
# for growth curve problems, Biometrika 51, 313-326.
data$jaw_growth <- function() {
  d <- as.data.frame(nlme::Orthodont)
  list(N = nrow(d), J = nlevels(d$Subject), child = level(as.character(d$Subject)), age = d$age,
       female = as.integer(d$Sex == "Female"), jaw = d$distance)
}

# Goldstein (1995), Multilevel statistical models, 2nd ed., Arnold: boys of Oxford.
data$oxford_boys <- function() {
  d <- as.data.frame(nlme::Oxboys)
  list(N = nrow(d), J = nlevels(d$Subject), boy = level(as.character(d$Subject)), age = d$age,
       height = d$height)
}

# Elston and others (2001), Analysis of aggregation, a worked example: numbers of ticks on red grouse
# chicks, Parasitology 122, 563-569.
data$grouse_ticks <- function() {
  d <- lme4::grouseticks
  list(N = nrow(d), J = nlevels(factor(d$LOCATION)), place = index(d$LOCATION),
       height = centered(d$HEIGHT / 100), y96 = as.integer(d$YEAR == "96"),
       y97 = as.integer(d$YEAR == "97"), y = d$TICKS)
}

# Venables and Ripley (2002), Modern applied statistics with S, 4th ed., Springer: data by A. Leach.
data$ear_bacteria <- function() {
  d <- MASS::bacteria
  list(N = nrow(d), J = nlevels(d$ID), child = as.integer(d$ID),
       drug = as.integer(d$trt == "drug"), drug_plus = as.integer(d$trt == "drug+"),
       late = as.integer(d$week > 2), y = as.integer(d$y == "y"))
}

# Tarone (1982), The use of historical control information in testing for a trend in proportions,
# Biometrics 38, 215-220.
data$rat_tumors <- function() {
  y <- c(rep(0, 14), rep(1, 8), rep(2, 9), 1, 5, 2, 5, 3, 2, 7, 7, 3, 3, 2, 9, 10, rep(4, 7), 10,
         4, 4, 4, 5, 11, 12, 5, 5, 6, 5, 6, 6, 6, 6, 16, 15, 15, 9, 4)
  n <- c(rep(20, 7), rep(19, 4), 18, 18, 17, rep(20, 4), 19, 19, 18, 18, 25, 24, 23, rep(20, 6),
         10, 49, 19, 46, 27, 17, 49, 47, 20, 20, 13, 48, 50, rep(20, 7), 48, 19, 19, 19, 22, 46, 49,
         20, 20, 23, 19, 22, 20, 20, 20, 52, 46, 47, 24, 14)
  stopifnot(length(y) == 71, length(n) == 71)
  list(J = 71L, n = as.integer(n), y = as.integer(y))
}

# Crowder (1978), Beta-binomial anova for proportions, Applied Statistics 27, 34-37.
data$seed_germination <- function() {
  r <- c(10, 23, 23, 26, 17, 5, 53, 55, 32, 46, 10, 8, 10, 8, 23, 0, 3, 22, 15, 32, 3)
  n <- c(39, 62, 81, 51, 39, 6, 74, 72, 51, 79, 13, 16, 30, 28, 45, 4, 12, 41, 30, 51, 7)
  list(J = 21L, n = as.integer(n), r = as.integer(r), bean = rep(0:1, c(11, 10)),
       cucumber = rep(c(0L, 1L, 0L, 1L), c(5, 6, 5, 5)))
}

# McGilchrist and Aisbett (1991), Regression with frailty in survival analysis, Biometrics 47,
# 461-466.
data$kidney_infections <- function() {
  d <- survival::kidney
  list(N = nrow(d), J = max(d$id), patient = as.integer(d$id), infected = as.integer(d$status),
       female = as.integer(d$sex == 2), age = centered(d$age / 10), t = d$time)
}

# Mantel, Bohidar and Ciminera (1977), Mantel-Haenszel analyses of litter-matched time to response
# data, with modifications for recovery of interlitter information, Cancer Research 37, 3863-3868.
data$litter_tumors <- function() {
  d <- survival::rats[survival::rats$sex == "f", ]
  list(N = nrow(d), J = length(unique(d$litter)), litter = index(d$litter),
       tumor = as.integer(d$status), treated = as.integer(d$rx), weeks = d$time)
}

# Cobb (1978), The problem of the Nile: conditional solution to a change-point problem, Biometrika
# 65, 243-251: at Aswan, 1871 to 1970.
data$nile_flow <- function() list(T = length(Nile), flow = as.vector(Nile) / 100)

# Pierson and Ginther (1987), Follicular population dynamics during the estrous cycle of the mare,
# Animal Reproduction Science 14, 219-231.
data$mare_follicles <- function() {
  d <- as.data.frame(nlme::Ovary)
  list(N = nrow(d), J = nlevels(d$Mare), mare = level(as.character(d$Mare)),
       t = round(d$Time, 6), y = d$follicles)
}

# McNeil (1977), Interactive data analysis, Wiley, from the World Almanac: 1860 to 1959.
data$great_discoveries <- function() {
  list(N = 25L, year = seq(2, 98, by = 4),
       y = as.integer(colSums(matrix(as.vector(discoveries), 4))))
}

# Davis (1973), Statistics and data analysis in geology, Wiley.
data$survey_heights <- function() {
  d <- MASS::topo
  list(N = nrow(d), x = d$x, y = d$y, z = d$z / 100)
}

# Ehrlich (1973), Participation in illegitimate activities: a theoretical and empirical
# investigation, Journal of Political Economy 81, 521-565, corrected by Vandaele (1978).
data$crime_rates <- function() {
  d <- MASS::UScrime
  d$So <- as.numeric(d$So)
  list(N = nrow(d), P = 15L, X = unname(sapply(d[, 1:15], standardized)), y = standardized(d$y))
}

# Henderson and Velleman (1981), Building multiple regression models interactively, Biometrics 37,
# 391-411.
data$fuel_consumption <- function() {
  list(N = nrow(mtcars), P = 10L, X = unname(sapply(mtcars[, 2:11], standardized)),
       y = standardized(mtcars$mpg))
}

# Egger and others (2001), Systematic reviews in health care, 2nd ed., BMJ Books.
data$magnesium_trials <- function() {
  d <- metadat::dat.egger2001
  list(J = nrow(d), n_magnesium = as.integer(d$n1i), deaths_magnesium = as.integer(d$ai),
       n_placebo = as.integer(d$n2i), deaths_placebo = as.integer(d$ci))
}

# Konstantopoulos (2011), Fixed effects and variance components estimation in three-level
# meta-analysis, Research Synthesis Methods 2, 61-76.
data$school_calendars <- function() {
  d <- metadat::dat.konstantopoulos2011
  list(N = nrow(d), D = length(unique(d$district)), district = index(d$district),
       y = as.vector(d$yi), se = round(sqrt(d$vi), 6))
}

# Raudenbush (1984), Magnitude of teacher expectancy effects on pupil IQ as a function of the
# credibility of expectancy induction, Journal of Educational Psychology 76, 85-97.
data$teacher_expectancy <- function() {
  d <- metadat::dat.raudenbush1985
  list(J = nrow(d), y = as.vector(d$yi), se = round(sqrt(d$vi), 6))
}

# De Boeck and Wilson (2004), Explanatory item response models, Springer: the first 40 persons who
# answered, every second question.
data$verbal_aggression <- function() {
  d <- lme4::VerbAgg
  d <- d[as.integer(d$id) <= 40 & as.integer(d$item) %% 2 == 1, ]
  list(N = nrow(d), J = 40L, K = length(unique(d$item)), person = index(as.integer(d$id)),
       question = index(as.integer(d$item)), y = as.integer(d$r2 == "Y"))
}

# Randall (1989), The analysis of sensory data by generalized linear model, Biometrical Journal 31,
# 781-793.
data$wine_bitterness <- function() {
  d <- ordinal::wine
  list(N = nrow(d), J = nlevels(d$judge), K = nlevels(d$rating), judge = as.integer(d$judge),
       warm = as.integer(d$temp == "warm"), contact = as.integer(d$contact == "yes"),
       y = as.integer(d$rating))
}

# Anselin (1988), Spatial econometrics: methods and models, Kluwer. Neighborhoods whose outlines
# share a point are neighbors.
data$columbus_crime <- function() {
  d <- of_package("columb", "mgcv")
  outlines <- of_package("columb.polys", "mgcv")[as.character(d$district)]
  points <- lapply(outlines, function(p) unique(paste(p[, 1], p[, 2])[!is.na(p[, 1])]))
  pairs <- which(upper.tri(diag(nrow(d))), arr.ind = TRUE)
  share <- apply(pairs, 1, function(ij) any(points[[ij[1]]] %in% points[[ij[2]]]))
  pairs <- pairs[share, ]
  list(N = nrow(d), E = nrow(pairs), one = unname(pairs[, 1]), other = unname(pairs[, 2]),
       income = standardized(d$income), value = standardized(d$home.value), crime = d$crime)
}

# Colditz and others (1994), Efficacy of BCG vaccine in the prevention of tuberculosis, Journal of
# the American Medical Association 271, 698-702.
data$underlying_risk <- function() {
  d <- metadat::dat.bcg
  list(J = nrow(d), n_vaccine = as.integer(d$tpos + d$tneg), cases_vaccine = as.integer(d$tpos),
       n_control = as.integer(d$cpos + d$cneg), cases_control = as.integer(d$cpos))
}

# Closing prices of the Standard and Poors 500, 1990 to 1999, in MASS: the returns of the last 80
# days, in percent.
data$index_returns <- function() list(T = 80L, y = round(tail(MASS::SP500, 80), 4))

# Fleming and Harrington (1991), Counting processes and survival analysis, Wiley.
data$granuloma_infections <- function() {
  d <- survival::cgd0
  times <- as.matrix(d[, paste0("etime", 1:7)])
  list(N = nrow(d), C = length(unique(d$center)), center = index(d$center),
       years = round(d$futime / 365.25, 6), treated = as.integer(d$treat == 1),
       age = centered(d$age / 10), y = as.integer(rowSums(!is.na(times))))
}

# Analytical Methods Committee (1987), Recommendations for the conduct and interpretation of
# co-operative trials, The Analyst 112, 679-686.
data$laboratory_trial <- function() {
  d <- MASS::coop
  list(N = nrow(d), S = nlevels(d$Spc), L = nlevels(d$Lab), specimen = as.integer(d$Spc),
       laboratory = as.integer(d$Lab), y = round(log(d$Conc), 6))
}

# Michelson (1882), Experimental determination of the velocity of light, Astronomical Papers 1,
# 109-145.
data$light_speed <- function() {
  list(N = nrow(morley), J = 5L, experiment = as.integer(morley$Expt), y = as.integer(morley$Speed))
}

# Joyner and Boore (1981), Peak horizontal acceleration and velocity from strong-motion records,
# Bulletin of the Seismological Society of America 71, 2011-2038.
data$earthquake_attenuation <- function() {
  d <- as.data.frame(nlme::Earthquake)
  list(N = nrow(d), J = nlevels(d$Quake), quake = level(as.character(d$Quake)),
       magnitude = d$Richter, away = d$distance, acceleration = d$accel)
}

# Breslow and Day (1980), Statistical methods in cancer research 1, International Agency for Research
# on Cancer: Ille-et-Vilaine.
data$esophageal_cancer <- function() {
  d <- esoph
  list(N = nrow(d), A = nlevels(d$agegp), B = nlevels(d$alcgp), C = nlevels(d$tobgp),
       age = as.integer(d$agegp), alcohol = as.integer(d$alcgp), tobacco = as.integer(d$tobgp),
       n = as.integer(d$ncases + d$ncontrols), y = as.integer(d$ncases))
}

# Bickel, Hammel and O'Connell (1975), Sex bias in graduate admissions: data from Berkeley, Science
# 187, 398-404.
data$berkeley_admissions <- function() {
  d <- as.data.frame(UCBAdmissions)
  yes <- d[d$Admit == "Admitted", ]
  no <- d[d$Admit == "Rejected", ]
  list(N = nrow(yes), D = 6L, department = as.integer(yes$Dept),
       male = as.integer(yes$Gender == "Male"), n = as.integer(yes$Freq + no$Freq),
       y = as.integer(yes$Freq))
}

# Yates (1935), Complex experiments, Journal of the Royal Statistical Society Supplement 2, 181-247.
data$split_plot_oats <- function() {
  d <- MASS::oats
  plot <- level(paste(d$B, d$V))
  list(N = nrow(d), B = nlevels(d$B), P = max(plot),
       block_of = as.integer(d$B)[match(seq_len(max(plot)), plot)], plot_of = plot,
       marvellous = as.integer(d$V == "Marvellous"), victory = as.integer(d$V == "Victory"),
       nitrogen = centered(as.numeric(sub("cwt", "", d$N))), y = d$Y)
}

# Huq and Cleland (1990), Bangladesh fertility survey 1989, National Institute of Population Research
# and Training, Dhaka: the first 30 districts.
data$contraceptive_use <- function() {
  d <- mlmRev::Contraception
  d <- d[as.integer(d$district) <= 30, ]
  list(N = nrow(d), D = 30L, district = as.integer(d$district), urban = as.integer(d$urban == "Y"),
       age = centered(d$age / 10), children = as.integer(d$livch != "0"),
       y = as.integer(d$use == "Y"))
}

for (name in names(data)) write_json(data[[name]](), file.path(folder, name, "data.json"))
