// What each confusion costs, from a text file, or from the text itself:
//
//     # blank lines and comments are skipped; a comment begins a line or stands behind a blank
//             cat  dog  bird        the classes that may be predicted
//     cat       0    1     2        each true class, and what every answer to it costs
//     dog       1    0     2
//     bird    0.5  0.5     0
//
// Names and numbers are separated by spaces or tabs, rows stand in any order. Costs are finite and not
// negative; a right answer costs 0.
#pragma once

#include <string>
#include <vector>

#include "hinge/core/string_table.h"

namespace hinge {

struct CostMatrix {
  std::string name;      // of the file
  std::size_t line = 0;  // with the names of the classes
  StringTable classes;
  std::vector<double> cost;  // K × K, in rows of the true class

  double operator()(Index truth, Index answer) const { return cost[truth * classes.size() + answer]; }
};

// What has several lines is the matrix itself, else the path of a file. Throws InputError with file and line.
CostMatrix read_cost_matrix(const std::string& path_or_lines);

}  // namespace hinge
