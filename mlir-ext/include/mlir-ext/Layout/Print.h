//===- Print.h - Pictures of layouts ----------------------------*- C++ -*-===//
//
// Layouts as people look at them: who owns each element, as a table or as a
// picture.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LAYOUT_PRINT_H
#define MLIR_EXT_LAYOUT_PRINT_H

#include "mlir-ext/Layout/Layout.h"

namespace mlir::layout {

/// Writes a table of the owner of each element, `s0 l4 r2` for register 2 of
/// lane 4 of subgroup 0. Columns are the last dimension, rows all others. An
/// element that several threads hold shows the first of them and `+n` for n
/// more.
void printOwnerTable(const Layout &layout, llvm::raw_ostream &os);

/// Writes the same as an SVG picture: a cell for each element, in a colour for
/// each lane (paler for each further subgroup), labelled with the register and,
/// small, the thread.
void printSVG(const Layout &layout, llvm::raw_ostream &os);

} // namespace mlir::layout

#endif // MLIR_EXT_LAYOUT_PRINT_H
