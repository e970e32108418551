#include "hinge/watch/monitor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hinge/learning/summary_json.h"
#include "hinge/watch/notes.h"

namespace hinge {
namespace {

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.1f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

// Relative; the solver's estimate where it has one, since its primal may be many rounds old.
double shown_gap(const Progress& p) {
  if (std::isnan(p.estimated_gap)) return p.relative_gap();
  const double objective = std::isfinite(p.dual) ? p.dual + p.estimated_gap : p.primal;
  return std::isfinite(objective) ? p.estimated_gap / objective : NAN;
}

std::string progress_text(const Progress& p) {
  std::string line = fmt::format("{:6.1f} passes", p.passes);
  if (std::isfinite(p.primal)) line += fmt::format("  primal {:.6g}", p.primal);
  if (std::isfinite(p.dual)) line += fmt::format("  dual {:.6g}", p.dual);
  if (const double gap = shown_gap(p); std::isfinite(gap))
    line += fmt::format("  gap {}{:.1e}", std::isnan(p.estimated_gap) ? "" : "~", gap);
  if (!std::isnan(p.inner_gap)) line += fmt::format("  round {} to {:.1e}", p.iteration + 1, p.inner_gap);
  if (!std::isnan(p.gradient_norm)) line += fmt::format("  gradient {:.1e}", p.gradient_norm);
  return line;
}

}  // namespace

bool show_progress(const Progress& progress) {
  using Clock = std::chrono::steady_clock;
  static std::atomic<Clock::rep> next = 0;
  const Clock::duration now = Clock::now().time_since_epoch();
  if (progress.iteration > 1 && now.count() < next) return true;
  next = (now + std::chrono::seconds(1)).count();
  print_note(fmt::format("{}  {}\n", progress_text(progress), duration(progress.seconds)));
  return true;
}

double estimate_remaining(const GapHistory& history, double target) {
  constexpr std::size_t kLeast = 6;
  constexpr double kAlike = 2, kFar = 10;
  if (history.size() < kLeast || !(target > 0)) return -1;
  const auto [now, gap] = history.back();
  if (gap <= target) return 0;
  const auto at = [&](double share) {
    const double then = history.front().first + share * (now - history.front().first);
    return *std::ranges::lower_bound(history, then, {}, &GapHistory::value_type::first);
  };
  const auto rate = [](const auto& from, const auto& to) {
    return std::log(from.second / to.second) / (to.first - from.first);
  };
  const double before = rate(at(1.0 / 3), at(2.0 / 3)), lately = rate(at(2.0 / 3), history.back());
  if (!(before > 0 && lately > 0 && before < kAlike * lately && lately < kAlike * before)) return -1;
  const double left = std::log(gap / target) / std::min(before, lately);
  return left < kFar * now ? left : -1;
}

Monitor::Monitor(MonitorOptions options) : options_(std::move(options)), live_(isatty(STDERR_FILENO) != 0) {
  if (!options_.log.empty()) log_.emplace(options_.log, OutputFile::Appears::at_once);
  if (options_.ranks != nullptr) options_.ranks->set_wish([this] { return wishes(); });
}

Monitor::~Monitor() {
  end_line();
  if (options_.ranks != nullptr) options_.ranks->set_wish({});
}

double Monitor::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

Observer Monitor::observer(const std::string& label, double C) {
  return Observer([this, label, C, history = std::make_shared<GapHistory>()](
                      const Progress& progress) { return watch(label, C, progress, *history); },
                  [this] { return stops(); })
      .keeping(options_.checkpoints);
}

bool Monitor::stops() {
  if (stopped_) return true;
  stopped_ = options_.ranks != nullptr ? options_.ranks->stops() : wishes();
  return stopped_;
}

bool Monitor::wishes() {
  if (Checkpoints* const kept = options_.checkpoints;
      kept != nullptr && kept->writes() && interrupt_.to_terminate() && !kept->left()) {
    kept->ask_to_leave();
    return kept->still();
  }
  return !interrupt_.by().empty() || options_.also.stops() ||
         (options_.time_limit > 0 && seconds() + options_.spent >= options_.time_limit);
}

std::string Monitor::stopped() const {
  if (!stopped_) return {};
  if (left())
    return fmt::format("Stopped by a signal to terminate, after a checkpoint: go on with `resume` {}.",
                       options_.checkpoints->folder());
  if (const std::string by = interrupt_.by(); !by.empty())
    return fmt::format("Stopped by {}; the best weights so far are kept.", by);
  const bool ahead = options_.ranks != nullptr && options_.ranks->stops();  // the clock of another rank
  if (options_.time_limit > 0 && (ahead || seconds() + options_.spent >= options_.time_limit))
    return fmt::format("The time limit of {:g} s was reached; the best weights so far are kept.",
                       options_.time_limit);
  return "The observer ended it; the best weights so far are kept.";
}

bool Monitor::watch(const std::string& label, double C, const Progress& progress, GapHistory& history) {
  if (log_) {
    nlohmann::json object = to_json(progress);
    object["C"] = C;
    log_->write(object.dump() + "\n");
    log_->flush();
  }
  if (const double gap = shown_gap(progress); std::isfinite(gap)) history.emplace_back(progress.seconds, gap);
  if (!options_.quiet) show(label, progress, history);
  if (!options_.also(progress)) stopped_ = true;
  return !stops();
}

void Monitor::show(const std::string& label, const Progress& p, const GapHistory& history) {
  const double now = seconds();
  if (now < next_show_) return;
  next_show_ = live_ ? now + 0.1 : std::min(now + 600, std::max(now + 1, 1.5 * now));

  std::string line = label + progress_text(p) + "  " + duration(now);
  const double remaining = estimate_remaining(history, options_.target_gap);
  if (remaining > 0) line += "  about " + duration(remaining) + " left";
  print_note(live_ ? "\r" + line + "\x1b[K" : line + "\n");
  line_open_ = live_;
}

void Monitor::end_line() {
  if (line_open_) print_note("\r\x1b[K");
  line_open_ = false;
}

void Monitor::finish() {
  end_line();
  interrupt_.ignore();
}

}  // namespace hinge
