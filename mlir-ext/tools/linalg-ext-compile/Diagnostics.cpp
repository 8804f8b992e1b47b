//===- Diagnostics.cpp - Diagnostics for people or programs ---------------===//
//
// See Diagnostics.h.
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"

#include "mlir/IR/Location.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::linalg_ext;
namespace json = llvm::json;

static bool printsJSON = false;

void mlir::linalg_ext::setDiagnosticsAsJSON(bool isJSON) {
  printsJSON = isJSON;
}

/// Prints `object` on a line of its own.
static void print(json::Object object) {
  llvm::errs() << json::Value(std::move(object)) << "\n";
}

static json::Object makeObject(StringRef severity, const Twine &message) {
  // JSON has no other text: the input may be anything.
  return json::Object{{"severity", severity},
                      {"message", json::fixUTF8(message.str())}};
}

/// Adds where `location` is, if it has a file.
static void addLocation(json::Object &object, Location location) {
  auto file = location->findInstanceOf<FileLineColLoc>();
  if (!file)
    return;
  object["file"] = json::fixUTF8(file.getFilename().getValue());
  // That of a module is the whole file.
  if (file.getLine() == 0)
    return;
  object["line"] = file.getLine();
  object["column"] = file.getColumn();
}

static StringRef getName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Remark:
    return "remark";
  }
  llvm_unreachable("unknown severity");
}

void mlir::linalg_ext::printError(const llvm::Twine &message) {
  if (printsJSON)
    print(makeObject("error", message));
  else
    llvm::WithColor::error(llvm::errs(), "linalg-ext-compile")
        << message << "\n";
}

void mlir::linalg_ext::printSummary(StringRef text) {
  if (!printsJSON)
    llvm::errs() << text;
  else if (!text.empty())
    print(makeObject("summary", text.rtrim()));
}

JSONDiagnosticHandler::JSONDiagnosticHandler(MLIRContext *context)
    : ScopedDiagnosticHandler(context) {
  setHandler([](Diagnostic &diagnostic) {
    json::Object object =
        makeObject(getName(diagnostic.getSeverity()), diagnostic.str());
    addLocation(object, diagnostic.getLocation());
    json::Array notes;
    for (Diagnostic &note : diagnostic.getNotes()) {
      json::Object each =
          makeObject(getName(note.getSeverity()), note.str());
      addLocation(each, note.getLocation());
      notes.push_back(std::move(each));
    }
    object["notes"] = std::move(notes);
    print(std::move(object));
    return success();
  });
}
