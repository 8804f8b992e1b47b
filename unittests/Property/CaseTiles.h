//===- CaseTiles.h - Tiles of cases across reshapes -------------*- C++ -*-===//
//
// Computes the loops of a case, and whether a tile of the root is a tile of the
// scores too if reshapes of the rows lie between them.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_PROPERTY_CASETILES_H
#define LINALG_EXT_UNITTESTS_PROPERTY_CASETILES_H

#include "Cases.h"

#include <string>
#include <vector>

namespace linalg_ext_test {

/// Returns the letters of each loop op, outermost first. An scf.for has one
/// letter, an scf.forall may have several.
std::vector<std::string> getNests(const Case &c);

/// Returns true if the tiles of the source of a reshape are not known. This is
/// so if the loop over the keys, or a loop inside of it, tiles reshaped rows,
/// or if a tile of reshaped rows is neither a tile of the source nor a known
/// part of one.
bool cutsReshapedRowsApart(const Case &c);

/// Returns true if cutsReshapedRowsApart, or if a tile of reshaped rows may be
/// only a part of a tile of the source.
bool takesPartsOfRows(const Case &c);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_PROPERTY_CASETILES_H
