// The first rung: features, loss and two searches give the structural SVM, with every solver for it. With a
// reader and a writer the task has a command line:
//
//     own_task_event train event recordings.txt --model event.model
//     own_task_event predict event.model new.txt
#include "examples/own_task/event_task.h"

// A recording a line: begin, end and the measurements of each time, which stand between ';'.
std::vector<hinge::Example<EventTask>> read_recordings(const std::string& file) {
  std::vector<hinge::Example<EventTask>> examples;
  hinge::LineReader reader(file);
  std::string_view line;
  while (reader.next(line)) {
    auto& [x, y, weight] = examples.emplace_back();
    std::istringstream fields{std::string(line)};
    fields >> y.begin >> y.end;
    for (double value; fields >> value;) {
      hinge::Vector& row = x.emplace_back(1, value);
      while (fields >> value) row.push_back(value);
      fields.clear();
      if (char separator; row.size() != EventTask::kMeasurements || (fields >> separator && separator != ';'))
        hinge::fail_at(reader.file(), reader.line(), "time {} has {} measurements, where {} belong.",
                       x.size(), row.size(), EventTask::kMeasurements);
    }
    if (y.begin < 0 || y.begin >= y.end || y.end > static_cast<int>(x.size()))
      hinge::fail_at(reader.file(), reader.line(),
                     "{} to {} is no interval of {} times: mend the first two "
                     "numbers.",
                     y.begin, y.end, x.size());
  }
  return examples;
}

std::string write_interval(const EventTask::Input&, const Interval& s) {
  return fmt::format("{} {}", s.begin, s.end);
}

int main(int argc, char** argv) {
  hinge::register_task<EventTask>({.name = "event",
                                   .summary = "the interval of a recording in which something happens",
                                   .read = read_recordings,
                                   .write = write_interval});
  return hinge::command_line(argc, argv);
}
