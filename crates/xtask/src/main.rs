//! `cargo xtask`: everything that is done to Placewise from a shell. One file per command.

mod bench;
mod build;
mod cards;
mod node;
mod project;
mod run;
mod serve;
mod setup;
mod single_file;
mod size;
mod test;

use std::process::ExitCode;

use anyhow::{Result, bail};
use lexopt::{Arg, Parser, ValueExt};

use crate::project::Project;

const HELP: &str = "\
cargo xtask <command>

  serve [--port 8080] [--dev]   build if anything changed, then serve the site on 127.0.0.1
  build [--dev] [--force]       write the site to dist/, ready to upload; --dev: quick, not optimised
  single-file [--out file]      write placewise.html, with everything inside: it opens without a server or a network
  test [--quick]                run every test there is; --quick: the inner loop
  test --only <step>            run one step; `test --list` names them
  bench [name]                  measure in a real browser, and posenc natively; fails when a figure is missed
  cards [--dev]                 draw the pictures for previews of lessons and questions, into static/cards
  size                          bytes of the first load; fails past the budget
  setup                         install what the other commands need, and nothing else

What is installed goes to ~/.cache/placewise, or to $PLACEWISE_CACHE.
";

fn main() -> ExitCode {
    match dispatch(Parser::from_env()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(mut args: Parser) -> Result<()> {
    let Some(command) = args.next()? else {
        print!("{HELP}");
        return Ok(());
    };
    let command = match command {
        Arg::Long("help") | Arg::Short('h') => "help".to_owned(),
        Arg::Value(value) => value.string()?,
        other => return Err(other.unexpected().into()),
    };
    if matches!(args.clone().next()?, Some(Arg::Long("help") | Arg::Short('h'))) || command == "help" {
        print!("{HELP}");
        return Ok(());
    }
    let project = Project::find()?;
    match command.as_str() {
        "serve" => serve::command(&project, args),
        "build" => build::command(&project, args),
        "test" => test::command(&project, args),
        "bench" => bench::command(&project, args),
        "cards" => cards::command(&project, args),
        "size" => size::command(&project, args),
        "single-file" => single_file::command(&project, args),
        "setup" => setup::command(&project, args),
        unknown => bail!("there is no command `{unknown}`\n\n{HELP}"),
    }
}

/// Refuses what is left on the command line.
fn no_more(mut args: Parser) -> Result<()> {
    match args.next()? {
        None => Ok(()),
        Some(extra) => Err(extra.unexpected().into()),
    }
}
