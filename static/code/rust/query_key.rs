use posenc::{Config, Encoding, Error};

fn main() -> Result<(), Error> {
    let (config, _) = Config::parse("{{config}}")?;
    let Encoding::QueryKey(both) = config.build_at({{length}}.0)? else { unreachable!() };
    let x = vec![1.0; both.head_dim()];
    let mut changed = x.clone();
    for position in 0..{{length}} {
        both.query(&x, position as f64, &mut changed)?; // `key` for keys
        println!("{changed:?}");
    }
    Ok(())
}
