//! Any text as a link: it is read, with repairs where it has to be, and what is written reads back as itself.
#![no_main]

use placewise::state::link;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (search, fragment) = text.split_once('#').unwrap_or(("", text));
    let (state, _) = link::parse(search, &format!("#/{fragment}"));
    let written = link::write(&state);
    let (again, repairs) = link::parse("", &written);
    assert!(repairs.is_empty(), "{written}: {repairs:?}");
    assert_eq!(link::write(&again), written);
});
