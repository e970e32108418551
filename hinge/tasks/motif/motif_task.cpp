#include "hinge/tasks/motif/motif_task.h"

#include <cassert>

#include "hinge/core/workspace.h"
#include "hinge/tasks/motif/word_start.h"

namespace hinge {
namespace {

std::size_t power(std::size_t base, std::size_t exponent) {
  std::size_t result = 1;
  for (std::size_t k = 0; k < exponent; ++k) result *= base;
  return result;
}

// Where the weights of contexts of `letters` letters begin among those of the background: A + A² + … before.
std::size_t contexts_before(std::size_t size, std::size_t letters) {
  std::size_t sum = 0;
  for (std::size_t k = 1; k <= letters; ++k) sum += power(size, k);
  return sum;
}

}  // namespace

MotifTask::MotifTask(const Alphabet& alphabet, const Shape& shape)
    : alphabet_(&alphabet),
      shape_(shape),
      background_(static_cast<Index>(shape.length * alphabet.size())),
      dimension_(background_ + static_cast<Index>(contexts_before(alphabet.size(), shape.order + 1))) {
  assert(shape.length > 0 && shape.length <= kMaxLength && shape.order <= kMaxOrder);
  assert(!shape.both_strands || alphabet.has_strands());
}

std::string MotifTask::background_letters(Index weight) const {
  const std::size_t size = alphabet_->size();
  std::size_t rest = weight - background_, letters = 1;
  for (; rest >= power(size, letters); ++letters) rest -= power(size, letters);
  std::string text(letters, ' ');
  for (std::size_t k = letters; k-- > 0; rest /= size) text[k] = alphabet_->letters()[rest % size];
  return text;
}

MotifSequence MotifTask::sequence(std::vector<Alphabet::Symbol> symbols) const {
  assert(symbols.size() >= shape_.length);
  MotifSequence x{std::move(symbols), {}, false};
  x.background.reserve(x.symbols.size());
  const std::size_t size = alphabet_->size(), modulus = power(size, shape_.order);
  std::size_t context = 0, letters = 0;  // the number of the last letters, and how many they are
  for (const Alphabet::Symbol s : x.symbols) {
    if (alphabet_->ambiguous(s)) {
      x.ambiguous = true;
      x.background.push_back(MotifSequence::kNone);
      context = letters = 0;
      continue;
    }
    const std::size_t number = context * size + s;
    x.background.push_back(static_cast<Index>(background_ + contexts_before(size, letters) + number));
    context = number % modulus;
    letters = std::min(letters + 1, shape_.order);
  }
  return x;
}

std::string MotifTask::site(const MotifSequence& x, const Place& at) const {
  std::string text;
  for (std::size_t j = 0; j < shape_.length; ++j) {
    const Alphabet::Symbol s = x.symbols[at.position + (at.reverse ? shape_.length - 1 - j : j)];
    text += alphabet_->ambiguous(s) ? '?' : alphabet_->letters()[at.reverse ? alphabet_->complement(s) : s];
  }
  return text;
}

// What each symbol scores in a row of the matrix.
void MotifTask::fill_column(std::size_t row, bool reverse, bool ambiguous, Weights w, double* column) const {
  const std::size_t size = alphabet_->size();
  const double* own = w.data() + row * size;
  for (std::size_t a = 0; a < size; ++a) column[a] = own[reverse ? size - 1 - a : a];
  for (std::size_t s = size; ambiguous && s < alphabet_->symbols(); ++s) {
    column[s] = 0;
    for_each_cell(row, static_cast<Alphabet::Symbol>(s), reverse,
                  [&](Index weight, double share) { column[s] += share * w[weight]; });
  }
}

void MotifTask::score(const MotifSequence& x, Weights w, GroupedScores& scores) const {
  Vector& before = scratch<Vector, struct MotifTaskBefore>();
  const std::size_t n = x.symbols.size(), l = shape_.length, count = windows(x);
  scores.clear();
  scores.add_item(1 + count * (shape_.both_strands ? 2 : 1), 2);
  std::fill(scores.groups(0).begin() + 1, scores.groups(0).end(), Index{1});

  before.resize(n + 1);
  before[0] = 0;
  for (std::size_t i = 0; i < n; ++i)
    before[i + 1] = before[i] + (x.background[i] == MotifSequence::kNone ? 0 : w[x.background[i]]);
  for (std::size_t strand = 0; strand < (shape_.both_strands ? 2u : 1u); ++strand) {
    const bool reverse = strand == 1;
    double* out = scores.values(0).data() + 1 + strand * count;
    for (std::size_t h = 0; h < count; ++h) out[h] = before[h] - before[h + l];
    for (std::size_t j = 0; j < l; ++j) {
      const std::size_t row = reverse ? l - 1 - j : j;
      double column[256];
      fill_column(row, reverse, x.ambiguous, w, column);
      const Alphabet::Symbol* symbol = x.symbols.data() + j;
      for (std::size_t h = 0; h < count; ++h) out[h] += column[symbol[h]];
    }
  }
}

Vector MotifTask::start(std::span<const Example<MotifTask>> examples, std::span<const std::size_t> chosen,
                        std::size_t attempt) const {
  return word_start(*this, examples, chosen, attempt);
}

void MotifTask::sum_uses(const MotifSequence& x, const GroupedCounts& counts, Vector& cells,
                         Vector& covered) const {
  const std::size_t l = shape_.length, A = alphabet_->size();
  cells.assign(background_, 0.0);
  covered.assign(x.symbols.size() + 1, 0.0);
  counts.for_each_use([&](std::size_t, std::size_t option, double amount) {
    if (option == 0) return;
    const auto [position, reverse] = place(x, static_cast<Index>(option));
    covered[position] += amount;
    if (position + l < covered.size()) covered[position + l] -= amount;
    const Alphabet::Symbol* symbol = x.symbols.data() + position;
    if (x.ambiguous) {
      for (std::size_t j = 0; j < l; ++j)
        for_each_cell(reverse ? l - 1 - j : j, symbol[j], reverse,
                      [&, amount = amount](Index cell, double share) { cells[cell] += amount * share; });
    } else if (reverse) {
      for (std::size_t j = 0; j < l; ++j) cells[(l - j) * A - 1 - symbol[j]] += amount;
    } else {
      for (std::size_t j = 0; j < l; ++j) cells[j * A + symbol[j]] += amount;
    }
  });
  for (std::size_t i = 1; i < covered.size(); ++i) covered[i] += covered[i - 1];
}

}  // namespace hinge
