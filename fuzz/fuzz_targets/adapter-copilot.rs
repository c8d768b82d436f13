#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| palimpsest_fuzz_targets::run("adapter-copilot", bytes));
