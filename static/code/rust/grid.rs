use posenc::{Config, Encoding, Error, grid::Grid};

fn main() -> Result<(), Error> {
    let (config, _) = Config::parse("{{config}}")?;
    let Encoding::Grid(table) = config.build()? else { unreachable!() };
    let grid = Grid { height: {{height}}, width: {{width}} };
    let mut vector = vec![0.0; table.width()];
    for (row, column) in grid.patches() {
        table.write_patch(grid, row, column, &mut vector)?; // is added to the embedding of this patch
        println!("{vector:?}");
    }
    Ok(())
}
