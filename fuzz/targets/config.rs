//! Any text as a `config.json`: it is read or refused with a message, and what was read can be built.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    match posenc::config::read(text) {
        Ok(reading) => {
            for part in &reading.parts {
                let _ = part.scheme.build();
                // It is written as it is read.
                let (again, repairs) = posenc::Config::parse(&part.scheme.to_string()).expect("it is a scheme");
                assert!(repairs.is_empty() && again == part.scheme, "{}", part.scheme);
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
