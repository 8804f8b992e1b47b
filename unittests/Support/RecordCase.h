//===- RecordCase.h - Cases for a machine with a GPU ------------*- C++ -*-===//
//
// Writes what a test runs in the interpreter, for bench/gpu/cases.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_RECORDCASE_H
#define LINALG_EXT_UNITTESTS_SUPPORT_RECORDCASE_H

#include "ErrorBound.h"

#include <optional>
#include <string>
#include <vector>

namespace linalg_ext_test {

/// Writes a case for bench/gpu/cases to the directory that the environment's
/// LINALG_EXT_GPU_RECORD names, if it does: the program `text`, whose function
/// is
/// @main, the `options` of its pipeline, and a file of doubles, inputs, then
/// the result and the bound of the error of each output. Names of files begin
/// with `test`.
void recordCase(const std::string &test, const std::string &text,
                const std::string &options,
                const std::vector<oracle::Tensor> &inputs,
                const std::vector<oracle::Bounded> &want,
                std::optional<size_t> destination = std::nullopt);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_RECORDCASE_H
