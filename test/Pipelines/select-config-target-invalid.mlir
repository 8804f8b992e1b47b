// RUN: linalg-ext-opt %s --linalg-ext-select-config --split-input-file --verify-diagnostics

// expected-error @below {{expected 'lanes' of the device 'GPU' to be an integer from 1 to 2^31 - 1, got 0 : i64}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"lanes" = 0>>} {
}

// -----

// expected-error @below {{expected 'processors' of the device 'GPU' to be an integer from 1 to 2^31 - 1, got "many"}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"processors" = "many">>} {
}

// -----

// expected-error @below {{expected 'intrinsics' of the device 'GPU' to be an array of strings, got 3 : i64}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"intrinsics" = 3>>} {
}

// -----

// expected-error @below {{expected 'intrinsics' of the target to be registered, got 'mma.of.nobody'}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"intrinsics" = ["mma.of.nobody"]>>} {
}

// -----

// expected-error @below {{expected 'max_threads' of the device 'GPU' to be at least 'lanes', got 1024 : i64}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"lanes" = 2048>>} {
}

// -----

// expected-error @below {{expected 'processor_shared_bytes' of the device 'GPU' to be at least 'shared_bytes' + 'reserved_shared_bytes', got 65536 : i64}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"processor_shared_bytes" = 65536>>} {
}

// -----

// Other devices and other keys are not read.
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "CPU" = #dlti.target_device_spec<"lanes" = 0>,
    "GPU" = #dlti.target_device_spec<"max_vector_op_width" = 64>>} {
}
