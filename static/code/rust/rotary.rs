use posenc::{Config, Encoding, Error};

fn main() -> Result<(), Error> {
    let (config, _) = Config::parse("{{config}}")?;
    let Encoding::Rotary(rotary) = config.build_at({{length}}.0)? else { unreachable!() };
    let x = vec![1.0; rotary.head_dim()]; // a query or key
    let mut turned = x.clone();
    for position in 0..{{length}} {
        rotary.rotate(&x, position as f64, &mut turned)?;
        println!("{turned:?}");
    }
    Ok(())
}
