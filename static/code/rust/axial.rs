use posenc::{Config, Encoding, Error, grid::Grid};

fn main() -> Result<(), Error> {
    let (config, _) = Config::parse("{{config}}")?;
    let Encoding::Axial(rotary) = config.build()? else { unreachable!() };
    let grid = Grid { height: {{height}}, width: {{width}} };
    let x = vec![1.0; rotary.head_dim()]; // a query or key
    let mut turned = x.clone();
    for (row, column) in grid.patches() {
        let [row, column] = rotary.coordinates(grid, row, column)?;
        let at = if rotary.axes().len() == 3 { vec![0.0, row, column] } else { vec![row, column] };
        rotary.rotate(&x, &at, &mut turned)?;
        println!("{turned:?}");
    }
    Ok(())
}
