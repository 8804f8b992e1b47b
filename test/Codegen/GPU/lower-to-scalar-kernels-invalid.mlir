// RUN: linalg-ext-opt %s --linalg-ext-lower-to-scalar-kernels=num-threads=0 --verify-diagnostics

// expected-error @below {{expected 'num-threads' to be between 1 and 1024, got 0}}
module {}
