// A kernel of your own over inputs of any kind becomes features that every task of rows can weigh
// (core/landmarks.h): for inputs it was made of, <features(x), features(x')> = k(x, x').
//
//     const std::vector<std::string> words = {"structure", "structural", "hinge", "hinges"};
//     const hinge::KernelFeatures features(words, hinge::SubsequenceKernel{.length = 3, .decay = 0.5});
//     hinge::MulticlassRecords records;
//     for (const std::string& word : words) records.add(features(word), word.substr(0, 1));
//     auto task = hinge::make_multiclass();
//     const auto data = task->train_on(records);
#pragma once

#include "hinge/tasks/landmark_features.h"
#include "hinge/tasks/multiclass/any_multiclass.h"
#include "hinge/tasks/multiclass/records.h"
#include "hinge/tasks/string_kernels.h"
