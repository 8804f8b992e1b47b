//===- Print.h - Prints layouts as tables and pictures ----------*- C++ -*-===//
//
// Shows which thread and register owns each element of a layout, as a text
// table or as an SVG picture, and in which bank of shared memory it lies.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LAYOUT_PRINT_H
#define MLIR_EXT_LAYOUT_PRINT_H

#include "mlir-ext/Layout/Layout.h"
#include "mlir-ext/Layout/SharedMemory.h"

namespace mlir::layout {

/// Writes a table of the owner of each element: `s0 l4 r2` is register 2 of
/// lane 4 of subgroup 0. Columns are the last dimension, rows are all others.
/// If several threads hold an element, the table shows the first one and `+n`
/// for n more.
void printOwnerTable(const Layout &layout, llvm::raw_ostream &os);

/// The first rows and columns of a tile, which a picture shows. 0 shows all.
struct PictureSize {
  int64_t rows = 0, columns = 0;
};

/// Writes the same as an SVG picture, with a cell for each element. The colour
/// shows the lane, and is paler for each further subgroup. The label shows the
/// register and, in a smaller font, the thread.
void printSVG(const Layout &layout, llvm::raw_ostream &os,
              PictureSize size = {});

/// Writes an SVG picture of a tile in shared memory. Rows and columns are those of
/// `SharedLayout`. A cell has the elements of a row that are in one word of 4
/// bytes, or one element. The colour and the label show the bank (of the first
/// word of a larger element), and a smaller label the byte offset. `size` counts
/// cells.
void printSVG(const SharedLayout &layout, llvm::raw_ostream &os,
              PictureSize size = {});

} // namespace mlir::layout

#endif // MLIR_EXT_LAYOUT_PRINT_H
