// RUN: not linalg-ext-opt %s --linalg-ext-vectorize-tiles=max-elements=0 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// RUN: not linalg-ext-opt %s --linalg-ext-vectorize-tiles=multiple-of=-2 2>&1 | FileCheck %s --check-prefix=MULTIPLE
// RUN: not linalg-ext-opt %s --linalg-ext-vectorize-tiles=row-multiple-of=-3 2>&1 | FileCheck %s --check-prefix=ROW

// ROW: error: expected 'row-multiple-of' not to be negative, got -3
// ELEMENTS: error: expected 'max-elements' and 'multiple-of' to be positive, got 0 and {{[1-9][0-9]*}}
// MULTIPLE: error: expected 'max-elements' and 'multiple-of' to be positive, got {{[1-9][0-9]*}} and -2

module {}
