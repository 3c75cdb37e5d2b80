//! Requests, garbage among them, and the runner.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot read its own request has failed")]

use lab::{
    job::Given,
    protocol::{Answer, BAND, Band, Message, Request, Rows, edges, why, word},
    runner::Runner,
    time::{LENGTHS, LONG_ENOUGH},
    weights::{Found, Matrix, Refused, Source},
};
use posenc::{Config, Encoding, Kind, Settings, Value, Why};
use proptest::prelude::*;
use std::cell::Cell;

fn band(text: &str) -> Band {
    let (Request::Band(band), repairs) = Request::parse(text).unwrap() else { unreachable!("{text}") };
    assert_eq!(repairs, [], "{text}");
    band
}

/// A clock that goes on by so much at each look.
fn clock(by: f64) -> impl Fn() -> f64 {
    let time = Cell::new(1000.0);
    move || {
        time.set(time.get() + by);
        time.get()
    }
}

/// All messages until there is no work, at most so many slices.
fn finish(runner: &mut Runner, slices: usize, now: &dyn Fn() -> f64) -> Vec<Message> {
    let mut messages = Vec::new();
    for _ in 0..slices {
        if !runner.busy() {
            return messages;
        }
        messages.extend(runner.step(now));
    }
    unreachable!("still busy after {slices} slices")
}

fn answer(text: &str) -> Answer {
    let mut runner = Runner::new();
    assert_eq!(runner.run(1, text), None);
    match finish(&mut runner, 1_000_000, &clock(0.5)).pop() {
        Some(Message::Answer(answer)) => answer,
        other => unreachable!("{text}: {other:?}"),
    }
}

#[test]
fn a_request_is_read() {
    let given = band(
        "band?scheme=rope(rope_theta=500000)&length=5000&vectors=equal&seed=3&draws=7&columns=10&samples=9&axis=log&aim=-4",
    );
    assert_eq!(given.scheme, Config::parse("rope(rope_theta=500000)").unwrap().0);
    assert_eq!(given.vectors(), posenc::vectors::Vectors::Equal { seed: 3 });
    let values: Vec<String> = given.settings.iter().map(|(_, value)| value.to_string()).collect();
    assert_eq!(values, ["5000", "equal", "3", "7", "10", "9", "log", "-4"]);
    // What is not said is at its default, and percent signs are read.
    let plain = band("band?scheme=rope%28head_dim%3D64%29");
    assert_eq!(plain.settings, Settings::new(BAND));
    assert_eq!(plain.scheme.to_string(), "rope(head_dim=64)");
    assert_eq!(band("band").scheme.to_string(), "rope");
}

#[test]
fn what_does_not_fit_is_clamped_with_a_note() {
    let (Request::Band(band), repairs) =
        Request::parse("band?scheme=rope(rope_theta=-1)&length=1e12&draws=0&columns=x&axis=up&other=1&flag").unwrap()
    else {
        unreachable!()
    };
    let got: Vec<(&str, &str, &str, Why)> =
        repairs.iter().map(|r| (r.key.as_str(), r.given.as_str(), r.used.as_str(), r.why)).collect();
    assert_eq!(
        got,
        [
            ("rope_theta", "-1", "1", Why::OutOfRange),
            ("length", "1e12", "10000000", Why::OutOfRange),
            ("draws", "0", "1", Why::OutOfRange),
            ("columns", "x", "1000", Why::NotANumber),
            ("axis", "up", "linear", Why::UnknownWord),
            ("other", "1", "", Why::UnknownKey),
            ("flag", "", "", Why::Unreadable),
        ]
    );
    assert_eq!(band.settings.integer("length"), 10_000_000);
}

#[test]
fn what_cannot_be_read_fails_with_a_sentence() {
    for (text, part) in [
        ("", "no job \"\""),
        ("bend?length=1", "no job \"bend\""),
        ("band?scheme=nothing", "no scheme is called \"nothing\""),
        ("band?scheme=rope(", "id(key=value"),
        (&format!("band?{}", "a=1&".repeat(5000)), "longer than"),
    ] {
        let message = Request::parse(text).unwrap_err();
        assert!(message.contains(part), "{text}: {message}");
        assert_eq!(Runner::new().run(4, text), Some(Message::Failed { id: Some(4), message }));
    }
    // These are read, and fail when they begin.
    for text in ["band?scheme=sinusoidal", "band?scheme=none", "band?scheme=rope(head_dim=7)"] {
        let mut runner = Runner::new();
        assert_eq!(runner.run(5, text), None);
        let messages = finish(&mut runner, 2, &clock(1.0));
        assert!(matches!(messages[..], [Message::Failed { id: Some(5), .. }]), "{messages:?}");
    }
}

#[test]
fn words_of_notes_read_back() {
    for reason in [Why::UnknownKey, Why::UnknownWord, Why::NotANumber, Why::OutOfRange, Why::NotWhole, Why::Unreadable]
    {
        assert_eq!(why(word(reason)), Some(reason));
    }
    assert_eq!(why("other"), None);
}

proptest! {
    #[test]
    fn requests_read_back(theta in 1.0..1e9, values in prop::collection::vec(any::<Option<u32>>(), BAND.len())) {
        let mut given = Band { scheme: Config::parse(&format!("rope(rope_theta={theta})")).unwrap().0, settings: Settings::new(BAND) };
        for (spec, value) in BAND.iter().zip(values) {
            let Some(value) = value else { continue };
            let text = match spec.kind {
                Kind::Integer { min, max, .. } => (min + i64::from(value) % (max - min + 1)).to_string(),
                Kind::Choice { options, .. } => options[value as usize % options.len()].to_owned(),
                _ => unreachable!("no such parameter"),
            };
            assert_eq!(given.settings.set(spec.key, &text), None);
        }
        let request = Request::Band(given);
        prop_assert_eq!(Request::parse(&request.to_string()), Ok((request, vec![])));
    }

    #[test]
    fn garbage_is_clamped_or_refused(text in prop_oneof![".{0,80}", "band\\?([a-z]{0,7}=?[-0-9a-z.%()&]{0,9}&?){0,6}", "band\\?((length|draws|columns|samples|aim|seed)=(-?[0-9]{0,25}|NaN|inf|1e999|%%|%zz)&){1,6}"]) {
        if let Ok((Request::Band(band), _)) = Request::parse(&text) {
            for (spec, value) in band.settings.iter() {
                match (spec.kind, value) {
                    (Kind::Integer { min, max, .. }, Value::Integer(v)) => prop_assert!((min..=max).contains(v)),
                    (Kind::Choice { options, .. }, Value::Choice(v)) => prop_assert!(options.contains(v)),
                    _ => prop_assert!(false),
                }
            }
            prop_assert!(band.edges().len() <= 4097);
        }
    }

    #[test]
    fn columns_cover_every_offset_once(length in 1_i64..10_000_000, columns in 1_i64..5000, logarithmic: bool) {
        let edges = edges(length, columns, logarithmic);
        prop_assert_eq!(edges.len() as i64, columns.min(4096) + 1);
        prop_assert_eq!((edges[0], edges[edges.len() - 1]), (0, length));
        prop_assert!(edges.windows(2).all(|pair| pair[0] <= pair[1]));
    }
}

#[test]
fn columns_are_even_on_their_axis() {
    assert_eq!(edges(10, 4, false), [0, 2, 5, 7, 10]);
    assert_eq!(edges(1000, 4, true), [0, 1, 10, 100, 1000]);
    assert_eq!(edges(1000, 1, true), [0, 1000]);
}

/// The band of a million tokens, far fewer columns: against a plain sum over the same draws.
#[test]
fn an_answer_is_the_band() {
    let text = "band?scheme=rope(head_dim=32)&length=600&vectors=equal&seed=2&draws=5&columns=6&samples=1000&aim=20";
    let answer = answer(text);
    assert_eq!(answer.id, 1);
    let names: Vec<&str> = answer.arrays.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["edges", "mean", "spread", "min", "max", "exact"]);
    assert_eq!(answer.array("edges"), [0.0, 100.0, 200.0, 300.0, 400.0, 500.0, 600.0]);
    assert_eq!(answer.array("exact"), [1.0]);
    assert_eq!(answer.array("other"), [0.0; 0]);

    let Encoding::Rotary(rope) = Config::parse("rope(head_dim=32)").unwrap().0.build().unwrap() else { unreachable!() };
    let vectors = band(text).vectors();
    let mut stream = vectors.stream();
    let profiles: Vec<_> = (0..5)
        .map(|_| {
            let (q, k) = vectors.draw(&mut stream, 32);
            rope.profile(&q, &k).unwrap().aimed(20.0)
        })
        .collect();
    for column in 0..6 {
        let (mut sum, mut variance, mut min, mut max) = (0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY);
        for offset in column * 100..(column + 1) * 100 {
            let scores: Vec<f64> = profiles.iter().map(|p| p.at(f64::from(offset))).collect();
            let mean = scores.iter().sum::<f64>() / 5.0;
            sum += mean / 100.0;
            variance += scores.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / 500.0;
            min = scores.iter().copied().fold(min, f64::min);
            max = scores.iter().copied().fold(max, f64::max);
        }
        let close = |name: &str, expected: f64| {
            let got = answer.array(name)[column as usize] as f64;
            assert!((got - expected).abs() < 1e-5, "{name} {column}: {got} {expected}");
        };
        close("mean", sum);
        close("spread", variance.sqrt());
        close("min", min);
        close("max", max);
    }
    // The peak is where it was aimed.
    assert!(answer.array("max")[0] > answer.array("max")[1]);
}

#[test]
fn a_sampled_answer_says_so_and_notes_come_with_it() {
    let answer = answer("band?length=1000000&draws=2&columns=3&nothing=1");
    assert_eq!(answer.array("exact"), [0.0]);
    assert_eq!(answer.notes.len(), 1);
    assert_eq!(answer.array("mean").len(), 3);
}

#[test]
fn slices_are_short_and_progress_grows() {
    let mut runner = Runner::new();
    assert_eq!(runner.run(9, "band?length=1000000&samples=1000&columns=300"), None);
    // 4 ms a step: two steps a slice.
    let now = clock(4.0);
    let (mut slices, mut last) = (0, -1.0);
    let mut messages = 0;
    while runner.busy() {
        slices += 1;
        match runner.step(&now) {
            Some(Message::Progress { id: 9, done, total }) => {
                assert!(done > last && done < total && total == 300.0);
                last = done;
                messages += 1;
            }
            Some(Message::Answer(answer)) => assert_eq!(answer.array("mean").len(), 300),
            None => {}
            other => unreachable!("{other:?}"),
        }
    }
    assert!(slices > 100, "{slices}");
    // One in 50 ms at the most, of at least 8 ms a slice.
    assert!(messages > 10 && messages <= slices / 4, "{messages} of {slices}");
}

#[test]
fn a_cancel_gets_through() {
    let mut runner = Runner::new();
    let long = "band?length=10000000&samples=10000000&columns=1&draws=256";
    for id in 1..=3 {
        assert_eq!(runner.run(id, long), None);
    }
    for _ in 0..3 {
        runner.step(&clock(10.0));
    }
    // Under way, waiting, unknown.
    assert_eq!(runner.cancel(1), Some(Message::Cancelled { id: 1 }));
    assert_eq!(runner.cancel(3), Some(Message::Cancelled { id: 3 }));
    assert_eq!(runner.cancel(1), None);
    assert_eq!(runner.cancel(99), None);
    assert!(runner.busy());
    assert_eq!(runner.cancel(2), Some(Message::Cancelled { id: 2 }));
    assert!(!runner.busy());
    assert_eq!(runner.step(&clock(1.0)), None);
    // The next one is served.
    assert_eq!(runner.run(4, "band?length=10&draws=1"), None);
    let messages = finish(&mut runner, 1000, &clock(1.0));
    assert!(matches!(messages.last(), Some(Message::Answer(Answer { id: 4, .. }))), "{messages:?}");
}

#[test]
fn an_id_used_again_drops_the_earlier_request() {
    let mut runner = Runner::new();
    assert_eq!(runner.run(1, "band?length=10000000"), None);
    assert_eq!(runner.run(1, "band?length=10&columns=2"), Some(Message::Cancelled { id: 1 }));
    let messages = finish(&mut runner, 1000, &clock(1.0));
    assert!(matches!(&messages[..], [.., Message::Answer(a)] if a.array("mean").len() == 2), "{messages:?}");
}

#[test]
fn the_queue_is_bounded() {
    let mut runner = Runner::new();
    for id in 0..32 {
        assert_eq!(runner.run(id, "band"), None);
    }
    assert!(matches!(runner.run(32, "band"), Some(Message::Failed { id: Some(32), .. })));
}

/// A file that owns its bytes.
struct Bytes(Vec<u8>);

impl Source for Bytes {
    fn size(&self) -> u64 {
        self.0.size()
    }

    fn read(&self, from: u64, out: &mut [u8]) -> Result<(), Refused> {
        self.0.read(from, out)
    }
}

fn of_file(text: &str, file: &[u8]) -> Answer {
    let mut runner = Runner::new();
    let given = Given { file: Some(Box::new(Bytes(file.to_vec()))), ..Given::default() };
    assert_eq!(runner.run_with(1, text, given), None);
    match finish(&mut runner, 10, &clock(0.5)).pop() {
        Some(Message::Answer(answer)) => answer,
        other => unreachable!("{text}: {other:?}"),
    }
}

#[test]
fn a_file_of_weights_is_listed_and_read() {
    let file = include_bytes!("../../../tests/corpus/safetensors/table.safetensors");
    let listed = of_file("weights", file);
    let found: Result<Found, Refused> = serde_json::from_str(&listed.text).unwrap();
    assert_eq!((found.unwrap().tensors[0].name.as_str(), listed.arrays), ("wpe.weight", vec![]));
    let taken = of_file("weights?tensor=0", file);
    let matrix: Result<Matrix, Refused> = serde_json::from_str(&taken.text).unwrap();
    assert_eq!((matrix.unwrap().columns, taken.array("values").len()), (3, 12));
    for (text, file, wanted) in [
        ("weights?tensor=1", file.as_slice(), Refused::NoSuch),
        ("weights?tensor=0", &file[..100], Refused::Cut { needed: 116, given: 100 }),
        ("weights", b"", Refused::Empty),
    ] {
        let answer: Result<Found, Refused> = serde_json::from_str(&of_file(text, file).text).unwrap();
        assert_eq!(answer.unwrap_err(), wanted, "{text}");
    }
}

#[test]
fn a_request_for_weights_reads_back_and_needs_a_file() {
    for request in [Request::Weights(None), Request::Weights(Some(7))] {
        assert_eq!(Request::parse(&request.to_string()), Ok((request, vec![])));
    }
    for odd in ["weights?tensor=", "weights?tensor=-1", "weights?tensor=x"] {
        assert!(Request::parse(odd).is_err(), "{odd}");
    }
    let mut runner = Runner::new();
    runner.run(1, "weights");
    assert!(matches!(&finish(&mut runner, 9, &clock(0.5))[..], [Message::Failed { id: Some(1), .. }]));
}

#[test]
fn rows_of_a_scheme_are_those_that_are_given() {
    let of = |of: Rows, values: Vec<f32>| {
        let request = Request::Table { of, components: 3 };
        assert_eq!(Request::parse(&request.to_string()), Ok((request.clone(), vec![])));
        let mut runner = Runner::new();
        assert_eq!(runner.run_with(1, &request.to_string(), Given { values, ..Given::default() }), None);
        finish(&mut runner, 999, &clock(0.5)).pop()
    };
    let (scheme, _) = Config::parse("sinusoidal(d_model=12)").unwrap();
    let Encoding::Absolute(table) = scheme.build().unwrap() else { unreachable!() };
    let mut values = vec![0.0; 50 * 12];
    table.fill(0.0, 1.0, &mut values);
    let made = of(Rows::Scheme { scheme, count: 50 }, Vec::new());
    let Some(Message::Answer(answer)) = &made else { unreachable!("{made:?}") };
    assert_eq!((answer.array("mean").len(), answer.array("along").len()), (50, 150));
    assert_eq!(of(Rows::Given { columns: 12 }, values), made);
    let (rope, _) = Config::parse("rope").unwrap();
    for rows in [Rows::Scheme { scheme: rope, count: 9 }, Rows::Given { columns: 12 }, Rows::Given { columns: 0 }] {
        assert!(matches!(of(rows, Vec::new()), Some(Message::Failed { id: Some(1), .. })));
    }
    for odd in [
        "table",
        "table?columns=3",
        "table?components=3",
        "table?scheme=sinusoidal&components=3",
        "table?scheme=x&rows=2&components=1",
    ] {
        assert!(Request::parse(odd).is_err(), "{odd}");
    }
}

/// A request to time a scheme, where the clock goes on by so many milliseconds at each look.
fn timed(scheme: &str, by: f64) -> Vec<Message> {
    let mut runner = Runner::new();
    let given = Given { clock: Some(Box::new(clock(by))), ..Given::default() };
    assert_eq!(runner.run_with(1, &format!("time?scheme={scheme}"), given), None);
    finish(&mut runner, 100_000, &clock(8.0))
}

fn seconds(messages: &[Message]) -> Vec<f32> {
    let Some(Message::Answer(answer)) = messages.last() else { unreachable!("{messages:?}") };
    assert_eq!(answer.array("lengths"), LENGTHS.map(|length| length as f32));
    answer.array("seconds").to_vec()
}

#[test]
fn every_scheme_can_be_timed() {
    for id in posenc::IDS {
        // Each look is long enough for a sample, and what is timed takes one round.
        let times = seconds(&timed(id, LONG_ENOUGH));
        let expected = (LONG_ENOUGH / 1000.0) as f32;
        let rows = match Config::parse(id).unwrap().0.build() {
            Ok(Encoding::Absolute(table)) => table.rows(),
            Ok(Encoding::Content(content)) => content.rows(),
            Err(posenc::Error::NeedsData(asset)) => Some(asset.rows),
            _ => None,
        };
        for (time, length) in times.iter().zip(LENGTHS) {
            if rows.is_some_and(|rows| length as usize > rows) {
                assert!(time.is_nan(), "{id} has no number for {length} tokens");
            } else {
                assert_eq!(*time, expected, "{id} at {length} tokens");
            }
        }
    }
}

#[test]
fn what_is_short_is_repeated_until_the_clock_can_tell() {
    // A clock that goes on by a tenth of what is needed at each look: no sample of one round is enough.
    let short = seconds(&timed("none", LONG_ENOUGH / 10.0));
    assert!(short.iter().all(|time| *time > 0.0 && *time < 1e-6 * LONG_ENOUGH as f32 / 1000.0), "{short:?}");
    // One that stands still ends all the same.
    let never = seconds(&timed("none", 0.0));
    assert_eq!(never, [0.0; LENGTHS.len()]);
}

#[test]
fn a_measurement_tells_how_far_it_is_and_can_be_cancelled() {
    let messages = timed("rope", LONG_ENOUGH);
    let shares: Vec<f64> = messages
        .iter()
        .filter_map(|message| match message {
            Message::Progress { done, total, .. } => Some(done / total),
            _ => None,
        })
        .collect();
    assert!(shares.len() > 3 && shares.windows(2).all(|pair| pair[0] < pair[1]) && shares[shares.len() - 1] < 1.0);
    let mut runner = Runner::new();
    let given = Given { clock: Some(Box::new(clock(LONG_ENOUGH))), ..Given::default() };
    assert_eq!(runner.run_with(7, "time?scheme=rope", given), None);
    assert!(matches!(runner.step(&clock(8.0)), Some(Message::Progress { id: 7, .. })));
    assert_eq!(runner.cancel(7), Some(Message::Cancelled { id: 7 }));
    assert!(!runner.busy());
}

#[test]
fn what_cannot_be_timed_says_why() {
    let failed = |text: &str, given: Given| {
        let mut runner = Runner::new();
        let at_once = runner.run_with(1, text, given);
        match at_once.or_else(|| finish(&mut runner, 10, &clock(8.0)).pop()) {
            Some(Message::Failed { message, .. }) => message,
            other => unreachable!("{text}: {other:?}"),
        }
    };
    assert!(failed("time?scheme=rope", Given::default()).contains("no clock"));
    assert!(failed("time", Given::default()).contains("of which scheme"));
    assert!(failed("time?scheme=rhyme", Given::default()).contains("rhyme"));
    // Weights that a person brought are in the app.
    let given = Given { clock: Some(Box::new(clock(1.0))), ..Given::default() };
    assert!(!failed("time?scheme=learned(table=yours)", given).is_empty());
    let (request, _) = Request::parse("time?scheme=rope(head_dim=32)").unwrap();
    assert_eq!(request.to_string(), "time?scheme=rope(head_dim=32)");
}

#[test]
fn a_longer_row_takes_longer() {
    let begin = std::time::Instant::now();
    let given = Given { clock: Some(Box::new(move || begin.elapsed().as_secs_f64() * 1000.0)), ..Given::default() };
    let mut runner = Runner::new();
    assert_eq!(runner.run_with(1, "time?scheme=kerple", given), None);
    let times = seconds(&finish(&mut runner, 1000, &move || begin.elapsed().as_secs_f64() * 1000.0));
    // 1024 times as many biases.
    assert!(times[5] > 30.0 * times[0], "{times:?}");
}
