use posenc::{Config, Encoding, Error};

fn main() -> Result<(), Error> {
    let (config, _) = Config::parse("{{config}}")?;
    let Encoding::Absolute(table) = config.build_at({{length}}.0)? else { unreachable!() };
    let mut row = vec![0.0; table.width()];
    for position in 0..{{length}} {
        table.write_row(position as f64, &mut row)?; // is added to the embedding of the token at this position
        println!("{row:?}");
    }
    Ok(())
}
