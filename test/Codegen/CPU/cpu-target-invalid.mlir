// A description of a CPU that cannot be, at each pass that reads one.

// RUN: linalg-ext-opt %s --linalg-ext-vectorize-buffers --split-input-file --verify-diagnostics
// RUN: linalg-ext-opt %s --linalg-ext-prepare-operands --split-input-file --verify-diagnostics
// RUN: linalg-ext-opt %s --linalg-ext-lower-math --split-input-file --verify-diagnostics
// RUN: linalg-ext-opt %s --linalg-ext-fuse --split-input-file --verify-diagnostics
// RUN: linalg-ext-opt %s --linalg-ext-finish-llvm --split-input-file --verify-diagnostics

// expected-error @below {{expected 'vector_bits' of the device 'CPU' to be a power of 2, got 100 : i64}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "CPU" = #dlti.target_device_spec<"vector_bits" = 100>>} {
}

// -----

// expected-error @below {{expected 'vector_registers' of the device 'CPU' to be an integer from 4 to 2^31 - 1, got 2 : i64}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "CPU" = #dlti.target_device_spec<"vector_registers" = 2>>} {
}

// -----

// expected-error @below {{expected 'shuffle_bits' of the device 'CPU' to be a power of 2, got 96 : i64}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "CPU" = #dlti.target_device_spec<"shuffle_bits" = 96>>} {
}

// -----

// expected-error @below {{expected 'l2_bytes' of the device 'CPU' to be at least 'l1_bytes', got 4096 : i64}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "CPU" = #dlti.target_device_spec<"l2_bytes" = 4096>>} {
}

// -----

// expected-error @below {{expected 'features' of the device 'CPU' to be an array of strings, got "+avx2"}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "CPU" = #dlti.target_device_spec<"features" = "+avx2">>} {
}

// -----

// expected-error @below {{expected 'name' of the device 'CPU' to be a string, got 3 : i64}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "CPU" = #dlti.target_device_spec<"name" = 3>>} {
}
