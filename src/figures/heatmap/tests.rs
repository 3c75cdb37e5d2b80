use super::*;
use crate::figures::testing::{cursor, scene, size};

fn model(schemes: &[&str], length: u64, options: &[(&str, &str)]) -> Model {
    Model::new(&scene(&SPEC, schemes, length, options), size(800.0, 500.0, 1.0))
}

/// The state after the edits of a response, on this model's options.
fn after(model: &Model, response: &Response) -> Model {
    let mut scene = model.scene.clone();
    for edit in &response.edits {
        if let Edit::Set(Target::Figure("heatmap"), key, value) = edit {
            assert_eq!(scene.options.set(key, value), None, "{key}={value}");
        }
    }
    Model::new(&scene, size(800.0, 500.0, 1.0))
}

#[test]
fn every_cell_of_a_small_table_is_its_value() {
    let model = model(&["sinusoidal"], 64, &[]);
    let panel = &model.panels[0];
    let raster = panel.raster.borrow();
    assert_eq!((raster.rows(), raster.columns()), (64, 32));
    for row in 0..64 {
        for dim in 0..32 {
            let exact = panel.sheet.at(row as f64, dim);
            assert!((f64::from(raster.cells()[row * 32 + dim]) - exact).abs() < 1e-6);
        }
    }
    assert!((panel.sheet.at(12.0, 4) - (12.0 * 10_000_f64.powf(-4.0 / 32.0)).sin()).abs() < 1e-12);
}

#[test]
fn a_cell_of_many_positions_is_their_mean_or_spread_over_all_of_them() {
    for spread in [false, true] {
        let cells = if spread { "spread" } else { "mean" };
        let model = model(&["rope(head_dim=8)"], 10_000, &[("cells", cells)]);
        let panel = &model.panels[0];
        let (run, raster) = (panel.view.run, panel.raster.borrow());
        assert_eq!(run, 10_000_u64.div_ceil(432));
        for row in [0, 1, raster.rows() - 1] {
            for dim in 0..8 {
                let from = row as u64 * run;
                let all: Vec<f64> = (from..(from + run).min(10_000)).map(|p| panel.sheet.at(p as f64, dim)).collect();
                let mean = all.iter().sum::<f64>() / all.len() as f64;
                let variance = all.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / all.len() as f64;
                let wanted = if spread { variance.sqrt() } else { mean };
                let cell = f64::from(raster.cells()[row * 8 + dim]);
                assert!((cell - wanted).abs() < 1e-5, "{cells} {row} {dim}: {cell} {wanted}");
            }
        }
        assert!(model.legend().iter().any(|l| matches!(l, Legend::Note(note) if note.contains("24"))));
    }
}

#[test]
fn the_colour_of_a_cell_can_be_read_as_a_number() {
    let at = cursor(5000.0, 0, 1);
    for spread in [false, true] {
        let cells = if spread { "spread" } else { "mean" };
        let model = model(&["rope(head_dim=8)"], 10_000, &[("cells", cells)]);
        let panel = &model.panels[0];
        let first = 5000 / panel.view.run * panel.view.run;
        let all: Vec<f64> =
            (first..first + panel.view.run).map(|position| panel.sheet.at(position as f64, 1)).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let square = all.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / all.len() as f64;
        let wanted = if spread { square.sqrt() } else { mean };
        let reading = model.cell(panel, 1, &at).unwrap();
        assert!(reading.label.contains(&number::whole(first as i64)), "{}", reading.label);
        assert_eq!(reading.value, number::short(f64::from(wanted as f32)));
        assert!(model.cell(panel, 8, &at).is_none());
    }
    let single = model(&["rope(head_dim=8)"], 100, &[]);
    assert!(single.cell(&single.panels[0], 1, &cursor(50.0, 0, 1)).is_none());
}

#[test]
fn the_work_does_not_grow_with_the_length() {
    let cells = |length| model(&["sinusoidal(d_model=512)"], length, &[]).panels[0].raster.borrow().cells().len();
    assert!(cells(10_000_000) <= cells(4096) * 11 / 10);
    let wide = model(&["sinusoidal(d_model=4096)"; 4], 10_000_000, &[]);
    assert!(wide.panels.iter().map(|p| p.view.rows * p.view.dims).sum::<usize>() <= 1_300_000);
}

#[test]
fn a_place_and_its_cell_are_each_others_inverse() {
    let model = model(&["sinusoidal", "rope(head_dim=16)"], 40, &[("first_position", "7"), ("positions", "20")]);
    for panel in &model.panels {
        for position in 7..27_u64 {
            for dim in 0..panel.view.dims {
                let x = panel.view.x_of(panel.rect, dim as f64 + 0.5);
                let y = panel.view.y_of(panel.rect, position as f64 + 0.5);
                let patch = model.cell_at(x, y).unwrap();
                assert_eq!(patch.position, Some(position as f64));
                assert_eq!(patch.plane, panel.sheet.plane_of(dim));
            }
        }
    }
    let hover = model.respond(&Input::Hover { x: 1.0, y: 1.0 }, &cursor(0.0, 0, 0));
    assert_eq!(hover, Response::default(), "outside of the cells nothing is pointed at");
}

#[test]
fn zoom_reaches_single_cells_and_comes_back() {
    let mut model = model(&["sinusoidal(d_model=512)"], 1_000_000, &[]);
    let (left, top, width, height) = model.panels[0].rect;
    let at = Input::Zoom { x: left + width * 0.3, y: top + height * 0.3, factor: 4.0 };
    let mut zooms = 0;
    while model.panels[0].view.run > 1 || model.panels[0].view.columns_run > 1 || model.panels[0].view.count > 8 {
        let response = model.respond(&at, &cursor(0.0, 0, 0));
        assert!(response.used);
        model = after(&model, &response);
        zooms += 1;
        assert!(zooms < 40);
    }
    let position = model.panels[0].view.position_at(model.panels[0].rect, top + height * 0.3);
    assert!((position as f64 - 300_000.0).abs() < 10.0, "the cell below the pointer stays: {position}");
    let model = after(&model, &model.key("0", &cursor(0.0, 0, 0)));
    assert_eq!((model.panels[0].view.first, model.panels[0].view.count), (0, 1_000_000));
    assert_eq!(model.scene.options.changed().count(), 0, "the whole table is the default, and not written in a link");
}

#[test]
fn zooming_out_of_a_single_cell_grows() {
    let mut model = model(&["sinusoidal"], 64, &[("positions", "1"), ("dims", "1"), ("first_position", "5")]);
    for _ in 0..20 {
        model = after(&model, &model.key("-", &cursor(5.0, 0, 0)));
    }
    assert_eq!((model.panels[0].view.count, model.panels[0].view.dims), (64, 32));
}

#[test]
fn a_drag_pans_from_where_it_began() {
    let model = model(&["sinusoidal"], 1000, &[("first_position", "500"), ("positions", "100")]);
    let (left, top, width, height) = model.panels[0].rect;
    let (x, y) = (left + width / 2.0, top + height / 2.0);
    model.respond(&Input::Press { x, y, shift: true }, &cursor(0.0, 0, 0));
    let drag = |to: f64| Input::Drag { from_x: x, from_y: y, x, y: y + to, shift: true };
    let once = after(&model, &model.respond(&drag(height / 10.0), &cursor(0.0, 0, 0)));
    assert_eq!(once.panels[0].view.first, 490);
    let twice = after(&once, &once.respond(&drag(height / 5.0), &cursor(0.0, 0, 0)));
    assert_eq!(twice.panels[0].view.first, 480);
}

#[test]
fn keys_move_the_cursor_within_the_table() {
    let model = model(&["sinusoidal"], 64, &[]);
    let to = |key: &str, position: f64, plane: usize| match model.key(key, &cursor(position, 0, plane)).edits[..] {
        [Edit::Cursor(patch)] => (patch.position, patch.plane),
        _ => (None, None),
    };
    assert_eq!(to("ArrowDown", 3.0, 0), (Some(4.0), None));
    assert_eq!(to("ArrowDown", 63.0, 0), (Some(63.0), None));
    assert_eq!(to("ArrowUp", 2.5, 0), (Some(2.0), None));
    assert_eq!(to("ArrowUp", 0.0, 0), (Some(0.0), None));
    assert_eq!(to("ArrowRight", 0.0, 15), (None, Some(15)));
    assert_eq!(to("ArrowLeft", 0.0, 3), (None, Some(2)));
    assert_eq!(to("PageDown", 0.0, 0), (Some(6.0), None));
    assert_eq!(to("End", 0.0, 0), (Some(63.0), None));
    assert!(!model.key("q", &cursor(0.0, 0, 0)).used);
}

#[test]
fn tables_hold_exact_values_and_page() {
    let model = model(&["sinusoidal", "rope(head_dim=64)"], 100, &[]);
    let table = model.table(&cursor(45.0, 0, 1), 0);
    assert!(table.before && table.after);
    assert!(table.rows.len() * table.head.len() <= 1000);
    assert_eq!(table.rows[5][0], "45");
    assert!(table.rows.iter().all(|row| row.len() == table.head.len()));
    assert_eq!(table.rows[5][1], number::exact(45_f64.sin()));
    assert!(!model.table(&cursor(45.0, 0, 1), -5).before);
    let last = model.table(&cursor(45.0, 0, 1), 9);
    assert!(!last.after && last.rows.len() == 20);
}

#[test]
fn what_is_not_there_is_said() {
    let nothing = model(&[], 64, &[]);
    assert!(!nothing.summary(&cursor(0.0, 0, 0)).is_empty());
    assert_eq!(nothing.table(&cursor(0.0, 0, 0), 0), Table::default());
    let refused = model(&["rope(head_dim=7)"], 64, &[]);
    assert!(refused.summary(&cursor(0.0, 0, 0)).contains("head_dim"));
    let partial = model(&["rope(head_dim=8,partial_rotary_factor=0.5)"], 64, &[]);
    assert!(partial.legend().iter().any(|l| matches!(l, Legend::Note(n) if n.contains("rotated"))));
    assert!(partial.panels[0].raster.borrow().cells()[7].is_nan());
    assert!(partial.summary(&cursor(0.0, 0, 3)).contains('3'));
}

#[test]
fn a_table_of_weights_ends_and_marks_what_no_text_reached() {
    let model = model(&["learned", "sinusoidal", "alibi", "none"], 600, &[]);
    let faint = |model: &Model| {
        model.legend().iter().any(|l| matches!(l, Legend::Note(note) if note.starts_with("One colour scale for all")))
    };
    assert!(faint(&model) && !faint(&super::tests::model(&["learned"], 600, &[])));
    let note = |text: &str| model.legend().iter().any(|l| matches!(l, Legend::Note(note) if note.contains(text)));
    assert!(note("ends with row 511") && note("(510, 511)"));
    let said = model.summary(&cursor(599.0, 0, 2));
    assert!(said.contains("no row for position 599") && said.contains("Sinusoidal at position 599"), "{said}");
    assert!(said.contains("ALiBi adds nothing to the vectors") && said.contains("No positions: no place"), "{said}");
    assert!(model.summary(&cursor(3.5, 0, 2)).contains("no row for position 3.5"));
    let readings = model.readings(&cursor(40.0, 0, 2));
    assert_eq!(readings.len(), 8, "two dimensions of two schemes, each with its cell of two rows");
    assert!(readings[0].math.contains("40") && readings[0].label.contains("dimension 4"));
    assert_eq!(model.readings(&cursor(599.0, 0, 2)).len(), 4, "what is not there has no formula");
    let table = model.table(&cursor(512.0, 0, 2), 0);
    let row = table.rows.iter().find(|row| row[0] == "512").unwrap();
    assert_eq!(row[1], "–");
}

#[test]
fn a_table_has_both_dimensions_of_the_plane() {
    for (scheme, plane) in [("rope", 2), ("rope", 63), ("rope(layout=interleaved)", 30), ("rope(head_dim=1024)", 500)] {
        for schemes in [vec![scheme], vec![scheme; 2], vec![scheme; 4]] {
            let model = model(&schemes, 64, &[]);
            let head = model.table(&cursor(5.0, 0, plane), 0).head;
            assert!(head.len() <= 25 && head.len() >= 5);
            for panel in &model.panels {
                let (cosine, sine) = panel.sheet.dims_of(plane);
                for dim in [cosine.unwrap(), sine.unwrap()] {
                    let name = if schemes.len() > 1 {
                        words::heatmap_head_of(&panel.name, dim)
                    } else {
                        words::heatmap_head(dim)
                    };
                    assert!(head.contains(&name), "{name}: {head:?}");
                }
            }
        }
    }
    assert_eq!(columns_about((Some(0), Some(1)), 1, 24), [0]);
    assert_eq!(columns_about((Some(31), Some(30)), 32, 6), [26, 27, 28, 29, 30, 31]);
    assert_eq!(columns_about((Some(2), Some(66)), 128, 6), [0, 1, 2, 64, 65, 66]);
}

#[test]
fn several_tables_are_named_in_the_legend() {
    let names = |schemes: &[&str]| -> Vec<String> {
        let label = |entry| if let Legend::Slot { label, .. } = entry { Some(label) } else { None };
        model(schemes, 64, &[]).legend().into_iter().filter_map(label).collect()
    };
    assert_eq!(names(&["rope"]), [""; 0]);
    let yarn = "rope(rope_type=yarn,factor=4)";
    assert_eq!(names(&[yarn, "rope", "sinusoidal"]), ["RoPE (yarn, factor 4)", "RoPE (default)", "Sinusoidal"]);
}

#[test]
fn a_scheme_that_cannot_be_drawn_leaves_room_for_the_message_alone() {
    let height = |scheme: &str, width: f64| SPEC.height(&scene(&SPEC, &[scheme], 64, &[]), width);
    assert!(height("rope(head_dim=7)", 1000.0) < 120.0 && height("rope(head_dim=8)", 1000.0) > 500.0);
    assert!(height("rope(head_dim=7)", 200.0) > height("rope(head_dim=7)", 1000.0));
}
