//! The numbers behind a figure, all of them: as CSV, JSON and NumPy's file.

use crate::draw::number;
use crate::figures::{Figure, Table};
use crate::state::Cursor;
use std::fmt::Write as _;

/// The most cells that go into a file.
pub const MOST_CELLS: usize = 2_000_000;

/// Farther than the first page of any table.
const FAR: i64 = 1 << 40;

/// All rows of a figure's table, gathered page by page; numbers are written for programs.
pub struct Gathering<'a> {
    figure: &'a dyn Figure,
    cursor: Cursor,
    page: i64,
    all: Data,
    more: bool,
}

/// A table for a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Data {
    /// Column heads.
    pub head: Vec<String>,
    /// Rows; the first cell heads the row.
    pub rows: Vec<Vec<String>>,
    /// Whether there were more than [`MOST_CELLS`].
    pub cut: bool,
}

impl<'a> Gathering<'a> {
    /// Begins with the first page.
    pub fn new(figure: &'a dyn Figure, cursor: Cursor) -> Self {
        let page = |page: i64| number::plainly(|| figure.table(&cursor, page));
        // Pages are counted from the cursor's: the first is the last of those that have none before. Past it, the table
        // stays at its ends.
        let (mut first, mut other) = (-FAR, 1);
        while other - first > 1 {
            let middle = first + (other - first) / 2;
            if page(middle).before {
                other = middle;
            } else {
                first = middle;
            }
        }
        Self { figure, cursor, page: first, all: Data::default(), more: true }
    }

    /// Takes one more page; whether there is another.
    pub fn step(&mut self) -> bool {
        if !self.more {
            return false;
        }
        let Table { head, rows, after, .. } = number::plainly(|| self.figure.table(&self.cursor, self.page));
        self.page += 1;
        let room = (MOST_CELLS / head.len().max(1)).saturating_sub(self.all.rows.len());
        self.all.cut = rows.len() > room || (after && rows.len() == room);
        self.all.head = head;
        self.all.rows.extend(rows.into_iter().take(room));
        self.more = after && !self.all.cut;
        self.more
    }

    /// What was gathered.
    pub fn finish(self) -> Data {
        self.all
    }
}

/// What a file says of the figure.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct About {
    /// Its title.
    pub title: String,
    /// Its link.
    pub link: String,
    /// The schemes, as in a link.
    pub schemes: Vec<String>,
    /// Remarks: what is synthetic, sampled or cut.
    pub notes: Vec<String>,
}

impl Data {
    /// As CSV (RFC 4180).
    pub fn csv(&self) -> String {
        let mut out = String::new();
        for row in std::iter::once(&self.head).chain(&self.rows) {
            for (i, cell) in row.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                if cell.contains([',', '"', '\n', '\r']) {
                    let _ = write!(out, "\"{}\"", cell.replace('"', "\"\""));
                } else {
                    out.push_str(cell);
                }
            }
            out.push_str("\r\n");
        }
        out
    }

    /// As JSON: what it is, the heads, and the rows, numbers as numbers.
    pub fn json(&self, about: &About) -> String {
        let strings = |list: &[String]| list.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ");
        let mut out = format!(
            "{{\n\"title\": {},\n\"link\": {},\n\"schemes\": [{}],\n\"notes\": [{}],\n\"cut\": {},\n\"columns\": [{}],\n\"rows\": [\n",
            quoted(&about.title),
            quoted(&about.link),
            strings(&about.schemes),
            strings(&about.notes),
            self.cut,
            strings(&self.head),
        );
        for (i, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| value(cell)).collect();
            let _ = write!(out, "{}[{}]", if i > 0 { ",\n" } else { "" }, cells.join(", "));
        }
        out.push_str("\n]\n}\n");
        out
    }

    /// The numbers without the heads, row by row: how many rows, how many columns, and what is no number as none.
    /// `None` where hardly anything is a number.
    pub fn numbers(&self) -> Option<(usize, usize, Vec<f64>)> {
        let columns = self.head.len().checked_sub(1).filter(|columns| *columns > 0)?;
        let cells = self.rows.iter().flat_map(|row| (1..=columns).map(|i| row.get(i).map_or("", String::as_str)));
        let numbers: Vec<f64> = cells.map(|cell| number_of(cell).unwrap_or(f64::NAN)).collect();
        let words = self.rows.iter().flatten().filter(|cell| !cell.is_empty() && number_of(cell).is_none()).count();
        (words * 2 < numbers.len()).then_some((self.rows.len(), columns, numbers))
    }
}

/// The number that a cell is, if it is one.
fn number_of(cell: &str) -> Option<f64> {
    cell.parse().ok().filter(|_| !cell.eq_ignore_ascii_case("nan"))
}

/// A cell as JSON: a number where it is one that JSON can say, none where it is empty.
fn value(cell: &str) -> String {
    match number_of(cell) {
        Some(number) if number.is_finite() => cell.to_owned(),
        _ if cell.is_empty() => "null".to_owned(),
        _ => quoted(cell),
    }
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// How exact the numbers of a [`npy`] are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Float {
    /// Four bytes.
    F32,
    /// Eight bytes.
    F64,
}

/// An array as NumPy's file, version 1.0: little-endian, row by row.
pub fn npy(rows: usize, columns: usize, numbers: &[f64], float: Float) -> Vec<u8> {
    /// Magic, version and the length of the header.
    const BEFORE: usize = 10;
    let kind = match float {
        Float::F32 => "<f4",
        Float::F64 => "<f8",
    };
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    // The numbers begin at a multiple of 64, and the header ends with a line.
    while !(BEFORE + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    match float {
        Float::F32 => out.extend(numbers.iter().flat_map(|value| (*value as f32).to_le_bytes())),
        Float::F64 => out.extend(numbers.iter().flat_map(|value| value.to_le_bytes())),
    }
    out
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::figures::{self, Size};
    use crate::state::link;
    use crate::ui::board;

    const SIZE: Size = Size { width: 640.0, height: 400.0, dpr: 1.0 };

    fn gathered(link: &str, id: &str) -> Data {
        let (state, repairs) = link::parse("", link);
        assert!(repairs.is_empty(), "{repairs:?}");
        let spec = figures::find(id).expect("a figure");
        let figure = (spec.make)(&board::scene(&state, spec), SIZE);
        let mut all = Gathering::new(&*figure, state.cursor());
        while all.step() {}
        all.finish()
    }

    #[test]
    fn a_file_has_every_position_and_every_column() {
        // Wherever the cursor is, and however many pages there are.
        for position in [0, 77, 299] {
            let data = gathered(
                &format!("#/explore?length=300&schemes=sinusoidal(d_model=48)&position={position}"),
                "heatmap",
            );
            let (rows, columns, numbers) = data.numbers().expect("numbers");
            assert_eq!((rows, columns, data.head.len(), data.cut), (300, 48, 49, false));
            assert_eq!(data.rows[123][0], "123");
            let (config, _) = posenc::Config::parse("sinusoidal(d_model=48)").expect("a scheme");
            let Ok(posenc::Encoding::Absolute(table)) = config.build() else { unreachable!("it is a table") };
            let mut row = vec![0.0; 48];
            for (position, shown) in numbers.chunks(48).enumerate() {
                table.write_row(position as f64, &mut row).expect("a row");
                assert_eq!(shown, row, "position {position}");
            }
        }
    }

    #[test]
    fn every_figure_gives_whole_tables() {
        for (id, link) in [
            ("similarity", "#/explore?figures=similarity&length=70&schemes=rope,sinusoidal"),
            ("offset", "#/explore?figures=offset&length=333&offset=200&schemes=rope,alibi"),
            ("rotation", "#/explore?figures=rotation&schemes=rope,sinusoidal"),
            ("spectrum", "#/explore?figures=spectrum&schemes=rope(rope_type=yarn,factor=4)"),
            ("shift", "#/explore?figures=shift&schemes=sinusoidal"),
            ("bias", "#/explore?figures=bias&schemes=alibi(num_heads=32)&length=100"),
            ("bias", "#/explore?figures=bias&schemes=alibi&bias.show=matrix&length=100"),
            ("attention", "#/explore?figures=attention&schemes=rope,none"),
            ("shuffle", "#/explore?figures=shuffle&schemes=none,sinusoidal"),
            ("cost", "#/explore?figures=cost&schemes=rope,alibi"),
            ("patches", "#/explore?figures=patches&schemes=sincos2d"),
            ("embedding", "#/explore?figures=embedding&schemes=sinusoidal"),
        ] {
            let data = gathered(link, id);
            assert!(!data.rows.is_empty() && !data.cut, "{id}");
            assert!(data.rows.iter().all(|row| row.len() == data.head.len()), "{id}");
            let firsts: Vec<&String> = data.rows.iter().map(|row| &row[0]).collect();
            let mut distinct = firsts.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), firsts.len(), "{id}: no row twice");
            if id == "bias" && !link.contains("matrix") {
                assert_eq!(data.head.len(), 33, "all heads");
            }
            if id == "similarity" {
                assert_eq!((data.rows.len(), data.head.len()), (70, 141), "all keys of both");
            }
            let csv = data.csv();
            assert!(!csv.contains(['\u{202f}', '−']), "{id}: {csv}");
        }
    }

    #[test]
    fn what_is_too_much_is_cut_and_says_so() {
        let data = gathered("#/explore?length=1000000&schemes=sinusoidal(d_model=64)", "heatmap");
        assert!(data.cut && data.rows.len() == MOST_CELLS / 65, "{}", data.rows.len());
    }

    #[test]
    fn cells_are_quoted() {
        let data = Data {
            head: vec!["a,b".into(), "c \"d\"".into(), "e\nf".into()],
            rows: vec![vec!["1".into(), String::new(), "−∞ \u{7}\\".into()]],
            cut: false,
        };
        assert_eq!(data.csv(), "\"a,b\",\"c \"\"d\"\"\",\"e\nf\"\r\n1,,−∞ \u{7}\\\r\n");
        let json = data.json(&About { title: "T".into(), ..About::default() });
        assert!(json.contains(r#""columns": ["a,b", "c \"d\"", "e\u000af"]"#), "{json}");
        assert!(json.contains(r#"[1, null, "−∞ \u0007\\"]"#), "{json}");
    }

    #[test]
    fn the_file_of_an_array() {
        let file = npy(2, 3, &[0.0, 1.5, -2.0, f64::NAN, 1e300, 3.0], Float::F64);
        assert_eq!(&file[..8], b"\x93NUMPY\x01\x00");
        let length = usize::from(u16::from_le_bytes([file[8], file[9]]));
        assert_eq!((10 + length) % 64, 0);
        let header = std::str::from_utf8(&file[10..10 + length]).expect("ASCII");
        assert!(
            header.starts_with("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }") && header.ends_with('\n')
        );
        assert_eq!(file.len(), 10 + length + 48);
        assert_eq!(file[10 + length + 8..][..8], 1.5_f64.to_le_bytes());
        assert_eq!(npy(2, 3, &[0.0; 6], Float::F32).len(), 10 + length + 24);
    }
}
