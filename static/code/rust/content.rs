use posenc::{Config, Encoding, Error, content::Tokens, random::Normal};

fn main() -> Result<(), Error> {
    let (config, _) = Config::parse("{{config}}")?;
    let Encoding::Content(content) = config.build()? else { unreachable!() };
    let (count, width) = ({{tokens}}, content.head_dim());
    let mut random = Normal::new(1); // queries and keys: yours
    let (q, k) = (random.vector(count * width), random.vector(count * width));
    let tokens = Tokens::new(width, &q, &k)?;
    let mut added = vec![0.0; count];
    for query in 0..count {
        content.write_row(&tokens, query, false, &mut added)?; // is added to the scaled q·k
        println!("{added:?}");
    }
    Ok(())
}
