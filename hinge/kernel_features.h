// A kernel of your own over inputs of any kind. It becomes features that every task of rows can weigh
// (core/landmarks.h): for inputs it was made of, <features(x), features(x')> = k(x, x'). Or multiclass, taxonomy and binary
// compare inputs by it, and learn from its products (tasks/compared_inputs.h; `kernel` precomputed, `kernel_map` none).
//
//     const std::vector<std::string> words = {"structure", "structural", "hinge", "hinges"};
//     const hinge::SubsequenceKernel kernel{.length = 3, .decay = 0.5};
//     const hinge::KernelFeatures features(words, kernel);
//     const auto compared = std::make_shared<const hinge::KernelInputs<std::string, hinge::SubsequenceKernel>>(words, kernel);
//     hinge::MulticlassRecords rows, products, fresh;
//     products.compared = compared;
//     for (std::size_t i = 0; i < words.size(); ++i) {
//       rows.add(features(words[i]), words[i].substr(0, 1));
//       products.add(compared->row(i), words[i].substr(0, 1));
//     }
//     auto task = hinge::make_multiclass();
//     const auto data = task->train_on(rows);
//     auto dual = hinge::make_multiclass();
//     hinge::options_from_json({{"kernel", "precomputed"}, {"kernel_map", "none"}}, dual->options());
//     const auto own = dual->train_on(products);
//     fresh.add((*compared)("structures"), std::nullopt);
//     const auto others = dual->examples_of(fresh);
#pragma once

#include "hinge/core/options_json.h"
#include "hinge/tasks/compared_inputs.h"
#include "hinge/tasks/landmark_features.h"
#include "hinge/tasks/multiclass/any_multiclass.h"
#include "hinge/tasks/multiclass/records.h"
#include "hinge/tasks/string_kernels.h"
