//===- RecordCase.cpp - Cases for a machine with a GPU --------------------===//
//
// See RecordCase.h.
//
//===----------------------------------------------------------------------===//

#include "RecordCase.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"

#include <cstdlib>
#include <fstream>

using namespace linalg_ext_test;

static const char *getDirectory() {
  return std::getenv("LINALG_EXT_GPU_RECORD");
}

bool linalg_ext_test::isRecording() { return getDirectory() != nullptr; }

void linalg_ext_test::recordCase(const std::string &test,
                                 const std::string &text,
                                 const std::string &options,
                                 const std::vector<oracle::Tensor> &inputs,
                                 const std::vector<oracle::Bounded> &want,
                                 std::optional<size_t> destination) {
  std::vector<double> data;
  llvm::json::Array inputShapes, outputShapes;
  auto add = [&](const oracle::Tensor &tensor, llvm::json::Array *shapes) {
    data.insert(data.end(), tensor.data.begin(), tensor.data.end());
    if (shapes)
      shapes->push_back(llvm::json::Array(tensor.shape));
  };
  for (const oracle::Tensor &input : inputs)
    add(input, &inputShapes);
  for (const oracle::Bounded &output : want) {
    add(output.value, &outputShapes);
    add(output.error, nullptr);
  }
  llvm::StringRef bytes(reinterpret_cast<const char *>(data.data()),
                        data.size() * sizeof(double));
  llvm::json::Object description{{"options", options},
                                 {"inputs", std::move(inputShapes)},
                                 {"outputs", std::move(outputShapes)}};
  if (destination)
    description["destination"] = static_cast<int64_t>(*destination);
  std::string json =
      llvm::formatv("{0:2}", llvm::json::Value(std::move(description)));
  // Tests run in several processes: the name is the contents'.
  std::string base =
      llvm::formatv("{0}/{1}-{2:x-}", getDirectory(), test,
                    llvm::xxh3_64bits(text + json + bytes.str()));
  for (auto [extension, contents] :
       {std::pair<const char *, llvm::StringRef>{".mlir", text},
        {".case.json", json},
        {".doubles", bytes}}) {
    std::ofstream file(base + extension, std::ios::binary);
    file.write(contents.data(), contents.size());
  }
}
