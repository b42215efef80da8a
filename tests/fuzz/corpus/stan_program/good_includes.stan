#include <a.stan>
#include "b.stan" // c
model { } #include late.stan
