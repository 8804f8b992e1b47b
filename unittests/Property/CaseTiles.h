//===- CaseTiles.h - Tiles of cases across reshapes -------------*- C++ -*-===//
//
// Which loops a case has, and whether their tiles go through the reshapes of
// its rows.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_PROPERTY_CASETILES_H
#define LINALG_EXT_UNITTESTS_PROPERTY_CASETILES_H

#include "Cases.h"

namespace linalg_ext_test {

/// The letters of each loop, or of loops that are one op, from the outside in.
std::vector<std::string> getNests(const Case &c);

/// Whether a loop inside of that over the keys cuts reshaped rows, or tiles of
/// them are not known to be tiles, or parts of others, of what is reshaped.
bool cutsReshapedRowsApart(const Case &c);

/// Whether they may be parts, or not even that.
bool takesPartsOfRows(const Case &c);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_PROPERTY_CASETILES_H
