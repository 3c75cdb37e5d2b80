//! Stub.
use super::{Cursor, Figure, FigureSpec, Input, Legend, Reading, Response, Size, Table};
use crate::draw::Surface;

/// `offset`.
pub static SPEC: FigureSpec = FigureSpec {
    id: "offset",
    options: &[],
    suits: |_| true,
    height: |_, _| 300.0,
    plays: false,
    make: |_, size| Box::new(Model { size }),
};

struct Model {
    size: Size,
}

impl Figure for Model {
    fn draw(&self, on: &Surface, _cursor: &Cursor) {
        on.context.stroke_rect(10.0, 10.0, self.size.width - 20.0, self.size.height - 20.0);
    }
    fn summary(&self, _cursor: &Cursor) -> String {
        String::new()
    }
    fn readings(&self, _cursor: &Cursor) -> Vec<Reading> {
        Vec::new()
    }
    fn legend(&self) -> Vec<Legend> {
        Vec::new()
    }
    fn table(&self, _cursor: &Cursor, _page: i64) -> Table {
        Table::default()
    }
    fn respond(&self, _input: &Input, _cursor: &Cursor) -> Response {
        Response::default()
    }
}
