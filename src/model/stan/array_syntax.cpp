// Rewrites the array syntax of Stan 2.26 and later into the one that stanc 2.21 understands.
#include "model/stan/array_syntax.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>

#include "model/stan/tokens.hpp"

namespace ravi {
namespace {

using Position = std::size_t;  // of a token in the list of tokens
constexpr Position kNone = static_cast<Position>(-1);

// The types of stanc 2.21, and later ones (last two lines) so that its message is about those.
constexpr std::string_view kTypeNames =
    " int real vector row_vector matrix simplex unit_vector ordered positive_ordered"
    " cholesky_factor_corr cholesky_factor_cov corr_matrix cov_matrix"
    " complex complex_vector complex_row_vector complex_matrix"
    " sum_to_zero_vector column_stochastic_matrix row_stochastic_matrix ";

struct Declared {
  Position name;
  Position last;           // of the name and its own [sizes], when written in the old way
  Position comma = kNone;  // between the previous variable and this one
  bool initialized = false;
};

// array[sizes] type<bounds>[sizes] a, b = ..., c;
struct Declaration {
  Position first;
  Position type;                    // == first unless the declaration begins with array[sizes]
  std::vector<Declared> variables;  // at least one
  Position next;                    // the first token that is not part of it: ; if all is well
  bool is_array() const { return type != first; }
};

// A pair of braces around declarations and statements.
struct Block {
  bool local = true;     // a variable is visible in this block only
  bool movable = false;  // a program block with statements
  bool has_include = false;
  Position statement = kNone;  // the first, since the block or its innermost wrapper opened
  int wrappers = 0;            // blocks opened by us, to be closed at its end
  std::set<std::string_view> names;
};

struct Edit {
  std::size_t begin, end;  // characters replaced
  std::string text;
};

class Rewriter {
 public:
  explicit Rewriter(std::string_view program) : program_(program), tokens_(stan_tokens(program)) {
    match_brackets();
  }
  std::string run();

 private:
  // Reading. Positions past the last token are allowed, their text is empty.
  std::string_view text(Position i) const { return i < tokens_.size() ? tokens_[i].text : ""; }
  bool is(Position i, StanToken::Kind kind) const {
    return i < tokens_.size() && tokens_[i].kind == kind;
  }
  bool is_type(Position i) const {
    return is(i, StanToken::Kind::word) &&
           kTypeNames.find(" " + std::string(text(i)) + " ") != std::string_view::npos;
  }
  bool is_name(Position i) const { return is(i, StanToken::Kind::word) && !is_type(i); }
  bool is_symbol(Position i, std::string_view which) const {
    return is(i, StanToken::Kind::symbol) && which.find(text(i)[0]) != std::string_view::npos;
  }
  void match_brackets();
  bool opens_block(Position brace) const;
  bool starts_statement(Position i) const;
  bool is_unsized(Position open) const;
  Position past_expression(Position i, std::string_view stops) const;
  std::optional<Declaration> declaration_at(Position first) const;
  Block block_at(Position brace, bool outermost) const;

  // Writing.
  std::string in_one_line(Position from, Position to) const;
  std::string type_of(const Declaration& d) const;
  std::string sizes_of(const Declaration& d, const Declared& v) const;
  void insert(std::size_t at, std::string what) { edits_.push_back({at, at, std::move(what)}); }
  void erase(Position from, Position to);
  void rewrite_tokens();
  void rewrite_statements();
  void rewrite_in_place(const Declaration& d);
  void make_real(Position open);
  void move_to_front(const Declaration& d, const Block& block);
  bool may_move_to_front(const Declaration& d, const Block& block) const;
  void place(const Declaration& d, Block* block);

  std::string_view program_;
  std::vector<StanToken> tokens_;
  std::vector<Position> match_;  // the other bracket of a pair, else kNone
  std::vector<bool> is_block_;   // for both braces of a pair
  std::vector<Edit> edits_;
};

void Rewriter::match_brackets() {
  match_.assign(tokens_.size(), kNone);
  is_block_.assign(tokens_.size(), false);
  std::vector<Position> open;
  for (Position i = 0; i < tokens_.size(); ++i) {
    if (is_symbol(i, "([{")) {
      if (text(i) == "{") is_block_[i] = opens_block(i);
      open.push_back(i);
    } else if (is_symbol(i, ")]}") && !open.empty()) {
      const std::string_view opening = text(open.back());
      if (text(i) != (opening == "(" ? ")" : opening == "[" ? "]" : "}")) continue;
      match_[i] = open.back();
      match_[open.back()] = i;
      is_block_[i] = is_block_[open.back()];
      open.pop_back();
    }
  }
}

// Braces are also array expressions: after an operator, a comma, a bracket, return or in.
bool Rewriter::opens_block(Position brace) const {
  if (brace == 0) return true;
  const Position before = brace - 1;
  if (is(before, StanToken::Kind::word)) return text(before) != "return" && text(before) != "in";
  return is(before, StanToken::Kind::include) || is_block_[before] || is_symbol(before, ");");
}

bool Rewriter::starts_statement(Position i) const {
  if (i == 0) return true;
  return is(i - 1, StanToken::Kind::include) || is_block_[i - 1] || is_symbol(i - 1, ";");
}

bool Rewriter::is_unsized(Position open) const {
  for (Position i = open + 1; i < match_[open]; ++i) {
    if (text(i) != ",") return false;
  }
  return true;
}

// The first token from i on that is one of the stops, or that no expression contains.
Position Rewriter::past_expression(Position i, std::string_view stops) const {
  while (i < tokens_.size() && !is_symbol(i, stops) && !is_symbol(i, ")]};") && !is_block_[i]) {
    if (is_symbol(i, "([{")) {
      if (match_[i] == kNone) break;
      i = match_[i];
    }
    ++i;
  }
  return i;
}

std::optional<Declaration> Rewriter::declaration_at(Position first) const {
  Declaration d{first, first, {}, first};
  Position i = first;
  if (text(i) == "array" && text(i + 1) == "[" && match_[i + 1] != kNone && !is_unsized(i + 1)) {
    d.type = i = match_[i + 1] + 1;
  }
  if (!is_type(i)) return {};
  ++i;
  // Bounds are arithmetic: the grammar wants comparisons in parentheses, so > ends them.
  if (text(i) == "<") {
    i = past_expression(i + 1, ">");
    if (text(i) != ">") return {};
    ++i;
  }
  if (text(i) == "[") {
    if (match_[i] == kNone) return {};
    i = match_[i] + 1;
  }
  Position comma = kNone;
  while (is_name(i)) {
    Declared v{i, i, comma};
    ++i;
    if (text(i) == "(") return {};  // a function
    if (text(i) == "[") {
      if (d.is_array() || match_[i] == kNone) return {};
      v.last = match_[i];
      i = v.last + 1;
    }
    if (text(i) == "=") {
      v.initialized = true;
      i = past_expression(i + 1, ",");
    }
    d.variables.push_back(v);
    d.next = i;
    if (text(i) != ",") break;
    comma = i++;
  }
  if (d.variables.empty()) return {};
  return d;
}

Block Rewriter::block_at(Position brace, bool outermost) const {
  Block block;
  if (!outermost || brace == 0) return block;
  const std::string_view last = text(brace - 1), first = brace > 1 ? text(brace - 2) : "";
  block.local =
      last != "functions" && last != "data" && last != "parameters" && last != "quantities";
  block.movable = !block.local && (first == "transformed" || first == "generated");
  return block;
}

// The tokens [from, to) with comments and line breaks between them left out.
std::string Rewriter::in_one_line(Position from, Position to) const {
  std::string line;
  for (Position i = from; i < to; ++i) {
    line += text(i);
    if (i + 1 == to) break;
    const std::string_view gap =
        program_.substr(tokens_[i].end(), tokens_[i + 1].begin - tokens_[i].end());
    if (gap.find_first_not_of(" \t") == std::string_view::npos) {
      line += gap;
    } else if (!is_symbol(i, "([{") && !is_symbol(i + 1, ")]}")) {
      line += ' ';
    }
  }
  return line;
}

std::string Rewriter::type_of(const Declaration& d) const {
  return in_one_line(d.type, d.variables.front().name);
}

std::string Rewriter::sizes_of(const Declaration& d, const Declared& v) const {
  return d.is_array() ? in_one_line(d.first + 1, d.type) : in_one_line(v.name + 1, v.last + 1);
}

// Removes the tokens [from, to) and the blanks after them, but no comment and no line break.
void Rewriter::erase(Position from, Position to) {
  std::string kept;
  for (Position i = from; i < to; ++i) {
    const std::string_view gap =
        program_.substr(tokens_[i].end(), tokens_[i + 1].begin - tokens_[i].end());
    if (gap.find_first_not_of(" \t") != std::string_view::npos) kept += gap;
  }
  edits_.push_back({tokens_[from].begin, tokens_[to].begin, std::move(kept)});
}

// What can be told from a few neighboring tokens: function types, includes, _lupdf and _lupmf.
void Rewriter::rewrite_tokens() {
  for (Position i = 0; i < tokens_.size(); ++i) {
    const StanToken& token = tokens_[i];
    if (text(i) == "array" && text(i + 1) == "[" && match_[i + 1] != kNone) {
      const Position type = match_[i + 1] + 1;
      if (!is_unsized(i + 1) || !is_type(type) || !is_name(type + 1)) continue;
      erase(i, type);
      insert(tokens_[type].end(), in_one_line(i + 1, type));
    } else if (token.kind == StanToken::Kind::include) {
      const std::size_t open = token.text.find('<'), close = token.text.find('>');
      if (open == std::string_view::npos || close == std::string_view::npos ||
          included_file(token).data() != token.text.data() + open + 1) {
        continue;
      }
      edits_.push_back({token.begin + open, token.begin + open + 1, "\""});
      edits_.push_back({token.begin + close, token.begin + close + 1, "\""});
    } else if ((token.text.ends_with("_lupdf") || token.text.ends_with("_lupmf")) &&
               token.kind == StanToken::Kind::word && text(i + 1) == "(") {
      edits_.push_back({token.end() - 4, token.end() - 3, ""});  // the u
    }
  }
}

void Rewriter::rewrite_in_place(const Declaration& d) {
  if (d.is_array()) erase(d.first, d.type);
  for (const Declared& v : d.variables) {
    if (v.comma != kNone) {
      edits_.push_back({tokens_[v.comma].begin, tokens_[v.comma].end(), ";"});
      insert(tokens_[v.name].begin, type_of(d) + " ");
    }
    if (d.is_array()) insert(tokens_[v.name].end(), sizes_of(d, v));
  }
}

// {1, -2} becomes {1.0, -2.0}: stanc 2.21 takes no array of int for the value of one of real.
void Rewriter::make_real(Position open) {
  for (Position i = open + 1; i < match_[open]; ++i) {
    if (is_symbol(i, "([")) i = match_[i];
    const Position before = is_symbol(i - 1, "+-") ? i - 2 : i - 1;
    if (is_symbol(before, "{,") && is_symbol(i + 1, ",}") &&
        text(i).find_first_not_of("0123456789") == std::string_view::npos) {
      insert(tokens_[i].end(), ".0");
    }
  }
}

bool Rewriter::may_move_to_front(const Declaration& d, const Block& block) const {
  if (!block.movable || block.has_include) return false;
  const auto is_free = [&](Position from, Position to) {
    return std::none_of(tokens_.begin() + static_cast<std::ptrdiff_t>(from),
                        tokens_.begin() + static_cast<std::ptrdiff_t>(to),
                        [&](const StanToken& t) { return block.names.contains(t.text); });
  };
  return is_free(d.first, d.variables.front().name) &&
         std::all_of(d.variables.begin(), d.variables.end(),
                     [&](const Declared& v) { return is_free(v.name + 1, v.last + 1); });
}

void Rewriter::move_to_front(const Declaration& d, const Block& block) {
  erase(d.first, d.variables.front().name);
  for (const Declared& v : d.variables) {
    insert(tokens_[block.statement].begin,
           type_of(d) + " " + std::string(text(v.name)) + sizes_of(d, v) + "; ");
    if (v.comma != kNone) edits_.push_back({tokens_[v.comma].begin, tokens_[v.comma].end(), ";"});
    if (!v.initialized) {
      erase(v.name, v.last + 1);
    } else if (v.last != v.name) {
      erase(v.name + 1, v.last + 1);
    }
  }
}

void Rewriter::place(const Declaration& d, Block* block) {
  const bool complete = text(d.next) == ";";
  if (block && block->statement != kNone && complete) {
    if (may_move_to_front(d, *block)) return move_to_front(d, *block);
    if (block->local) {
      insert(tokens_[d.first].begin, "{ ");
      ++block->wrappers;
      block->statement = kNone;
    }
  }
  if (d.is_array() || (d.variables.size() > 1 && complete)) rewrite_in_place(d);
}

void Rewriter::rewrite_statements() {
  std::vector<Block> blocks;
  for (Position i = 0; i < tokens_.size(); ++i) {
    if (is(i, StanToken::Kind::include)) {
      if (!blocks.empty()) blocks.back().has_include = true;
    } else if (is_block_[i] && text(i) == "}") {
      for (int k = 0; k < blocks.back().wrappers; ++k) insert(tokens_[i].begin, "} ");
      blocks.pop_back();
    } else {
      if (starts_statement(i)) {
        Block* block = blocks.empty() ? nullptr : &blocks.back();
        if (const auto d = declaration_at(i)) {
          place(*d, block);
          for (const Declared& v : d->variables) {
            if (block) block->names.insert(text(v.name));
            const Position value = v.last + 2;
            const bool is_list = v.initialized && text(value) == "{" && match_[value] != kNone;
            if (is_list && d->is_array() && text(d->type) == "real") make_real(value);
          }
          i = d->next - (text(d->next) == ";" ? 0 : 1);
          continue;
        }
        if (block && block->statement == kNone) block->statement = i;
      }
      if (is_block_[i] && match_[i] != kNone) blocks.push_back(block_at(i, blocks.empty()));
    }
  }
}

std::string Rewriter::run() {
  rewrite_tokens();
  rewrite_statements();
  // At the same place, insertions come before a replacement and keep their order.
  std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) {
    return a.begin != b.begin ? a.begin < b.begin : (a.begin == a.end) > (b.begin == b.end);
  });
  std::string result;
  std::size_t done = 0;
  for (const Edit& edit : edits_) {
    if (edit.begin < done) continue;  // only in a program that stanc will refuse
    result += program_.substr(done, edit.begin - done);
    result += edit.text;
    done = edit.end;
  }
  return result += program_.substr(done);
}

}  // namespace

std::string with_old_arrays(std::string_view program) { return Rewriter(program).run(); }

std::size_t line_of_late_include(std::string_view program) {
  for (const StanToken& token : stan_tokens(program)) {
    if (token.kind != StanToken::Kind::late_include) continue;
    const std::string_view before = program.substr(0, token.begin);
    return 1 + static_cast<std::size_t>(std::ranges::count(before, '\n'));
  }
  return 0;
}

std::vector<std::string> included_files(std::string_view program) {
  std::vector<std::string> files;
  for (const StanToken& token : stan_tokens(program)) {
    if (token.kind != StanToken::Kind::include) continue;
    if (const auto file = included_file(token); !file.empty()) files.emplace_back(file);
  }
  return files;
}

}  // namespace ravi
