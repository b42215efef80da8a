// New Stan syntax becomes what stanc 2.21 accepts, line by line; old programs are left alone.
#include "model/stan/array_syntax.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "model/stan/tokens.hpp"

namespace ravi {
namespace {

struct Case {
  std::string_view name, before, after;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

// stanc 2.21 accepts each form on the right inside a suitable program, and refuses the left one.
const std::vector<Case> kDeclarations = {
    {"Scalar", "array[N] real x;", "real x[N];"},
    {"NoSpaces", ";array [N]real x;", ";real x[N];"},
    {"TwoSizes", "array[N, M] int<lower=0, upper=K> y;", "int<lower=0, upper=K> y[N, M];"},
    {"SizeIsAnExpression", "array[size(a[1:(n + 1)]) + 1, f({1, 2})] int y;",
     "int y[size(a[1:(n + 1)]) + 1, f({1, 2})];"},
    {"Vector", "array[N] vector<lower=0>[K] v;", "vector<lower=0>[K] v[N];"},
    {"RowVector", "array[N] row_vector[K] v;", "row_vector[K] v[N];"},
    {"Matrix", "array[N] matrix[R, C] m;", "matrix[R, C] m[N];"},
    {"Simplex", "array[N] simplex[K] s;", "simplex[K] s[N];"},
    {"Ordered", "array[N] ordered[K] o;", "ordered[K] o[N];"},
    {"PositiveOrdered", "array[N] positive_ordered[K] o;", "positive_ordered[K] o[N];"},
    {"UnitVector", "array[N] unit_vector[K] u;", "unit_vector[K] u[N];"},
    {"CholeskyCorrelation", "array[2] cholesky_factor_corr[K] L;", "cholesky_factor_corr[K] L[2];"},
    {"CholeskyCovariance", "array[2] cholesky_factor_cov[M, N] L;",
     "cholesky_factor_cov[M, N] L[2];"},
    {"Correlation", "array[2] corr_matrix[K] C;", "corr_matrix[K] C[2];"},
    {"Covariance", "array[2] cov_matrix[K] C;", "cov_matrix[K] C[2];"},
    {"OffsetMultiplier", "array[N] real<offset=mu, multiplier=tau> t;",
     "real<offset=mu, multiplier=tau> t[N];"},
    {"BoundsWithBrackets", "array[N] real<lower=a[1], upper=max({b, c})> x;",
     "real<lower=a[1], upper=max({b, c})> x[N];"},
    {"BoundsWithComparisons", "array[N] vector<lower=(a > b ? a[x < 2] : 1)>[K] x;",
     "vector<lower=(a > b ? a[x < 2] : 1)>[K] x[N];"},
    {"Initialized", "array[3] int x = {1, 2, 3};", "int x[3] = {1, 2, 3};"},
    {"RealFromIntegers",
     "array[2, 2] real x = {{1, -2}, {f(3, {4, 5})[6], 7e0}}, y = {{8, 9}, z}; array[1] int n = "
     "{1};",
     "real x[2, 2] = {{1.0, -2.0}, {f(3, {4, 5})[6], 7e0}}; real y[2, 2] = {{8.0, 9.0}, z}; int "
     "n[1] = {1};"},
    {"Several", "array[N] real a, b = f(1, {2, 3}), c;",
     "real a[N]; real b[N] = f(1, {2, 3}); real c[N];"},
    {"SeveralScalars", "real a, b = n == 1 ? 2 : 3, c;",
     "real a; real b = n == 1 ? 2 : 3; real c;"},
    {"SeveralBounded", "vector<lower=0>[K] a, b;", "vector<lower=0>[K] a; vector<lower=0>[K] b;"},
    {"SeveralOldArrays", "real a[2], b[3, 4];", "real a[2]; real b[3, 4];"},
    {"SeveralInSeveralLines", "array[N] real a, // first\n  b /* second */,\n  c;\n",
     "real a[N]; // first\n  real b[N] /* second */;\n  real c[N];\n"},
    {"SizesInSeveralLines", "array[\n  N, // rows\n  M\n] real x;\nreal y;",
     "\n   // rows\n  \nreal x[N, M];\nreal y;"},
    {"TypeInSeveralLines",
     "array[2]\nvector<lower=0, // positive\n  upper=1>[\n  K] x, y;\nreal z;",
     "\nvector<lower=0, // positive\n  upper=1>[\n  K] x[2]; vector<lower=0, upper=1>[K] y[2];\n"
     "real z;"},
    {"CommentsInside", "array/*1*/[N/*2*/]/*3*/real/*4*/x/*5*/;/*6*/",
     "/*1*//*2*//*3*/real/*4*/x[N]/*5*/;/*6*/"},
    {"CommentHidesTheEnd", "array[N] real x // ; array[M] real y;\n;",
     "real x[N] // ; array[M] real y;\n;"},
    {"CarriageReturns", "array[N,\r\n M] real x;\r\n", "\r\n real x[N, M];\r\n"},
    {"Signature", "array[] real f(array[,] int x, data array[] vector y) { return g(x, y); }",
     "real[] f(int[,] x, data vector[] y) { return g(x, y); }"},
    {"MatrixSignature", "array [ , ] matrix g(array[\n]\nmatrix m) { return {m}; }",
     "matrix[ , ] g(\n\nmatrix[] m) { return {m}; }"},
    {"EveryBlock",
     "functions { void f() { array[2] int a; } }\ndata { array[2] int b; }\n"
     "model { array[2] int c; for (n in 1:2) { array[2] int d; d[1] = n; } }",
     "functions { void f() { int a[2]; } }\ndata { int b[2]; }\n"
     "model { int c[2]; for (n in 1:2) { int d[2]; d[1] = n; } }"},
    {"AfterInclude", "#include a.stan\narray[2] int x;", "#include a.stan\nint x[2];"},
    {"Include", "#include <a.stan>  // array[2] int x;\n",
     "#include \"a.stan\"  // array[2] int x;\n"},
    {"Unnormalized", "target += normal_lupdf(x | 0, 1) + foo_lupmf(n | x);",
     "target += normal_lpdf(x | 0, 1) + foo_lpmf(n | x);"},
};

// Declarations after statements.
const std::vector<Case> kOrder = {
    {"ModelOpensABlock", "model {\n  x ~ normal(0, 1);\n  real y = 3;\n  x ~ normal(y, 1);\n}\n",
     "model {\n  x ~ normal(0, 1);\n  { real y = 3;\n  x ~ normal(y, 1);\n} }\n"},
    {"OneBlockForNeighbors", "model { x = 1; real y; array[2] real z, w; }",
     "model { x = 1; { real y; real z[2]; real w[2]; } }"},
    {"BlocksNest", "model { f(); int a; g(); int b; if (a) { h(); int c; } }",
     "model { f(); { int a; g(); { int b; if (a) { h(); { int c; } } } } }"},
    {"FunctionBody", "real f(real a) { print(a); real b = a; return b; }",
     "real f(real a) { print(a); { real b = a; return b; } }"},
    {"ForwardDeclarationIsNoVariable",
     "functions { real f(real a); real g(real a) { return f(a); } real f(real a) { return a; } }",
     "functions { real f(real a); real g(real a) { return f(a); } real f(real a) { return a; } }"},
    {"GeneratedMovesToFront",
     "generated quantities {\n  real a;\n  a = 1; // one\n  array[N] real b = g(a);\n  vector[N] "
     "c;\n}",
     "generated quantities {\n  real a;\n  real b[N]; vector[N] c; a = 1; // one\n  b = g(a);\n  "
     ";\n}"},
    {"SeveralMoveToFront",
     "transformed parameters { real a; { a = 1; } real b = a, c[3], d[2] = f(a); }",
     "transformed parameters { real a; real b; real c[3]; real d[2]; { a = 1; } b = a; ; d= "
     "f(a); }"},
    {"SizeOfTheSameBlockStays",
     "transformed data { int n; n = f(x); array[n] int a; vector[n] b; real c[n]; }",
     "transformed data { int n; n = f(x); int a[n]; vector[n] b; real c[n]; }"},
    {"UnknownNamesOfAnIncludeStay", "transformed data {\n#include a.stan\n  f(x); vector[n] b; }",
     "transformed data {\n#include a.stan\n  f(x); vector[n] b; }"},
};

// Old syntax, things that look like new syntax, and things that nobody understands.
const std::vector<Case> kUnchanged = {
    {"Nothing", "", ""},
    {"OldDeclarations", "data { int N; real x[N]; vector<lower=0>[3] v[N, 2]; int y[2] = {1, 2}; }",
     ""},
    {"OldRealArray", "model { real x[2] = {1, 2.5}; }", ""},
    {"OldSignature", "functions { real[] f(int[,] x, data vector[] y, real a) { return x; } }", ""},
    {"OldOrder", "model { real a; real b = 2; { int c; } a = b; { int d[2]; d[1] = 1; } }", ""},
    {"VariableNamedArray", "model { real array[3]; array[1] = 2; array [2] += array[1]; }", ""},
    {"NameEndingInArray", "model { my_array[1] = 2; my_array[N] ~ normal(0, 1); }", ""},
    {"VariableNamedLikeALaterType", "model { real complex[2]; f(); complex[1] = 2; }", ""},
    {"LineComment", "// array[3] real x;\nreal a; // real b, c;", ""},
    {"BlockComment", "/* array[3]\n real x; \" */ real a;", ""},
    {"HashComment", "# array[3] real x;\nreal a; # array[3] real x;\n#array[2] int b;", ""},
    {"UnclosedComment", "real a; /* array[3] real x;", ""},
    {"String", "model { print(\"array[3] real x; // \", x); print(\"/*\"); }", ""},
    {"Transpose", "model { matrix[2, 2] A = B' * C'; print(\"'\"); }", ""},
    {"ArrayExpressions", "model { for (x in {1, 2}) { f({{1}, {2}}); } }", ""},
    {"NoType", "array[3] foo x;", ""},
    {"NoName", "array[3] real;", ""},
    {"BothSyntaxes", "array[3] real x[2];", ""},
    {"UnclosedSize", "array[3 real x;", ""},
    {"UnclosedBounds", "array[3] real<lower=0 x;", ""},
    {"UnclosedType", "array[3] vector[2 x;", ""},
    {"SizeInSignature", "real f(array[3] real x) { return 1; }", ""},
    {"NoEnd", "real a, b", ""},
    {"OtherUnnormalizedNames", "model { real x_lupdf; normal_lupdf = 1; }", ""},
    {"OldIncludes", "#include a.stan\n  #include \"b<c>.stan\"\n#include <\n#include\n", ""},
};

std::ptrdiff_t newlines(std::string_view text) {
  return std::count(text.begin(), text.end(), '\n');
}

class Rewritten : public testing::TestWithParam<Case> {};

TEST_P(Rewritten, IsTheOldSyntax) {
  EXPECT_EQ(with_old_arrays(GetParam().before), GetParam().after);
}

TEST_P(Rewritten, KeepsTheNumberOfLines) {
  EXPECT_EQ(newlines(with_old_arrays(GetParam().before)), newlines(GetParam().before));
}

TEST_P(Rewritten, IsLeftAloneTheSecondTime) {
  EXPECT_EQ(with_old_arrays(GetParam().after), GetParam().after);
}

const auto name_of = [](const auto& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(Declarations, Rewritten, testing::ValuesIn(kDeclarations), name_of);
INSTANTIATE_TEST_SUITE_P(Order, Rewritten, testing::ValuesIn(kOrder), name_of);

class Unchanged : public testing::TestWithParam<Case> {};

TEST_P(Unchanged, ByteForByte) { EXPECT_EQ(with_old_arrays(GetParam().before), GetParam().before); }

INSTANTIATE_TEST_SUITE_P(Programs, Unchanged, testing::ValuesIn(kUnchanged), name_of);

// A missing semicolon is reported better by a stanc that knows the declaration before it.
TEST(ArraySyntax, RewritesADeclarationWithoutItsEnd) {
  EXPECT_EQ(with_old_arrays("data { array[2] int x }"), "data { int x[2] }");
  EXPECT_EQ(with_old_arrays("array[2] int x\nreal y;"), "int x[2]\nreal y;");
}

std::string everything() {
  std::string program;
  for (const auto& table : {kDeclarations, kOrder, kUnchanged}) {
    for (const Case& c : table) (program += c.before) += '\n';
  }
  return program;
}

TEST(ArraySyntax, StatementsStayInTheirLine) {
  const std::string program =
      "model {\n  array[\n    2,\n    3\n  ] real a =\n    first(), b\n    = second();\n"
      "  third();\n  array[2] real c = fourth(), d = fifth(),\n   e = sixth();\n  seventh();\n}\n";
  const std::string result = with_old_arrays(program);
  ASSERT_NE(result, program);
  const auto line_of = [](const std::string& text, std::string_view word) {
    const auto at = text.find(word);
    return at == std::string::npos ? -1 : newlines(std::string_view(text).substr(0, at));
  };
  for (const auto* word : {"first", "second", "third", "fourth", "fifth", "sixth", "seventh"}) {
    EXPECT_EQ(line_of(result, word), line_of(program, word)) << word;
  }
}

// Nothing crashes, hangs or loses a line, whatever is missing: every prefix and suffix, and 3000
// programs with a few bytes deleted or replaced by characters that matter to the rewriting.
TEST(ArraySyntax, SurvivesDamagedPrograms) {
  const std::string program = everything();
  for (std::size_t i = 0; i <= program.size(); ++i) {
    const std::string_view whole = program, front = whole.substr(0, i), back = whole.substr(i);
    ASSERT_EQ(newlines(with_old_arrays(front)), newlines(front)) << "first " << i << " bytes";
    ASSERT_EQ(newlines(with_old_arrays(back)), newlines(back)) << "without " << i << " bytes";
  }
  std::mt19937 random(20210);
  const std::string_view characters = "[](){}<>,;=\"/*#\n a";
  for (int trial = 0; trial < 3000; ++trial) {
    std::string damaged = program;
    for (int k = 0; k < 1 + trial % 40; ++k) {
      const std::size_t at = random() % damaged.size();
      if (random() % 2)
        damaged.erase(at, 1);
      else
        damaged[at] = characters[random() % characters.size()];
    }
    ASSERT_EQ(newlines(with_old_arrays(damaged)), newlines(damaged)) << damaged;
  }
}

// A recursive reader would overflow its stack on these.
TEST(ArraySyntax, SurvivesDeepNesting) {
  constexpr int kDepth = 100'000;
  const auto repeated = [](std::string_view piece) {
    std::string text;
    for (int k = 0; k < kDepth; ++k) text += piece;
    return text;
  };
  EXPECT_EQ(with_old_arrays(repeated("{ f(); real x; ") + repeated("}")),
            repeated("{ f(); { real x; ") + repeated("} }"));
  for (const auto* piece :
       {"array[", "array[]", "{", "(]", "real<", "real x = {", "array[1] real<lower=(", "/*"}) {
    EXPECT_EQ(with_old_arrays(repeated(piece)), repeated(piece)) << piece;
  }
}

TEST(StanTokens, CoverTheProgramWithoutCommentsAndBlanks) {
  std::vector<std::string_view> texts;
  for (const StanToken& t : stan_tokens("a1_b=1.5e3;/* x */ print(\"q // r\")//c\n#d\n'\"")) {
    texts.push_back(t.text);
  }
  EXPECT_THAT(texts, testing::ElementsAre("a1_b", "=", "1.5e3", ";", "print", "(", "\"q // r\"",
                                          ")", "'", "\""));
}

TEST(IncludedFiles, AreThoseOutsideOfComments) {
  EXPECT_THAT(
      included_files("#include a.stan\n"
                     "  #include \"dir/b c.stan\"  // comment\n"
                     "\t#include\t<d.stan>\r\n"
                     "#include e.stan//comment\r\n"
                     "// #include no.stan\n"
                     "/*\n#include no.stan\n*/\n"
                     "/* */ #include no.stan\n"
                     "# #include no.stan\n"
                     "real x; #include no.stan\n"
                     "#included no.stan\n"
                     "#include\n"
                     "print(\"\n#include f.stan\n\");\n"
                     "#include a.stan"),
      testing::ElementsAre("a.stan", "dir/b c.stan", "d.stan", "e.stan", "f.stan", "a.stan"));
}

}  // namespace
}  // namespace ravi
