use posenc::{Config, Encoding, Error, bias::Row};

fn main() -> Result<(), Error> {
    let (config, _) = Config::parse("{{config}}")?;
    let Encoding::Bias(bias) = config.build_at({{length}}.0)? else { unreachable!() };
    for head in 0..bias.heads() {
        for query in 0..{{length}} {
            let row = Row::new(head, query).of({{length}});
            let row: Vec<f64> = (0..{{length}}).map(|key| bias.bias(row, key)).collect::<Result<_, _>>()?;
            println!("{row:?}"); // is added to the logits of this head and query
        }
    }
    Ok(())
}
