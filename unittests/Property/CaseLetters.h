//===- CaseLetters.h - Sets of dimensions as letters ------------*- C++ -*-===//
//
// A spec names dimensions by letters. Cases draw, test and drop them.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_PROPERTY_CASELETTERS_H
#define LINALG_EXT_UNITTESTS_PROPERTY_CASELETTERS_H

#include <algorithm>
#include <string>

namespace linalg_ext_test {

inline bool contains(const std::string &letters, char letter) {
  return letters.find(letter) != std::string::npos;
}

inline void eraseLetter(std::string &letters, char letter) {
  letters.erase(std::remove(letters.begin(), letters.end(), letter),
                letters.end());
}

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_PROPERTY_CASELETTERS_H
