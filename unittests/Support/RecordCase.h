//===- RecordCase.h - Cases for a machine with a GPU ------------*- C++ -*-===//
//
// Writes what a test runs in the interpreter, for bench/gpu/cases.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_RECORDCASE_H
#define LINALG_EXT_UNITTESTS_SUPPORT_RECORDCASE_H

#include "ErrorBound.h"

#include "gtest/gtest.h"

#include <optional>
#include <string>
#include <vector>

namespace linalg_ext_test {

/// True if cases are recorded: LINALG_EXT_GPU_RECORD names a directory.
bool isRecording();

/// Writes a case for bench/gpu/cases to that directory: the program `text`,
/// whose function is @main, the `options` of its pipeline, and a file of
/// doubles, inputs, then the result and the bound of the error of each output.
/// Names of files begin with `test`.
void recordCase(const std::string &test, const std::string &text,
                const std::string &options,
                const std::vector<oracle::Tensor> &inputs,
                const std::vector<oracle::Bounded> &want,
                std::optional<size_t> destination = std::nullopt);

/// The name of the test that is running, as the first argument of recordCase.
/// Cases of processes that only compile and run them are of none.
inline std::string getTestName() {
  const auto *info = testing::UnitTest::GetInstance()->current_test_info();
  return info ? std::string(info->test_suite_name()) + "-" + info->name()
              : "case";
}

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_RECORDCASE_H
