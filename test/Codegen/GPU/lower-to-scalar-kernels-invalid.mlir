// RUN: linalg-ext-opt %s --linalg-ext-map-to-launches='steps=scalars num-threads=0' --verify-diagnostics

// expected-error @below {{expected 'num-threads' to be between 1 and 1024, got 0}}
module {}
