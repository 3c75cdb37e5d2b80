//! `cargo xtask cards`: pictures for the previews of lessons and questions, drawn by the site itself.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use lexopt::{Arg, Parser};

use crate::build::{self, CARDS, COMMON_CARD};
use crate::node::Stage;
use crate::project::Project;
use crate::run;

/// The figures of the first screen stand for all that has no figure of its own.
const COMMON: &str = "#/explore";

/// `cargo xtask cards`.
pub(crate) fn command(project: &Project, mut args: Parser) -> Result<()> {
    let mut options = build::Options::default();
    while let Some(argument) = args.next()? {
        match argument {
            Arg::Long("dev") => options.dev = true,
            other => return Err(other.unexpected().into()),
        }
    }
    build::run(project, options)?;
    let mut cards = BTreeMap::from([(COMMON_CARD.to_owned(), COMMON.to_owned())]);
    for lesson in catalogue::lessons(&project.root).map_err(anyhow::Error::msg)? {
        if let Some(figure) = lesson.figures.first() {
            cards.insert(lesson.name, figure.address.clone());
        }
    }
    let questions = catalogue::questions(&project.root).map_err(anyhow::Error::msg)?;
    cards.extend(questions.into_iter().map(|question| (question.card(), question.link)));
    let folder = project.root.join(CARDS);
    fs::create_dir_all(&folder)?;
    let list = project.target.join("placewise-cards.json");
    fs::write(&list, serde_json::to_string(&cards)?).with_context(|| format!("cannot write {}", list.display()))?;
    let stage = Stage::set(project)?;
    run::run(stage.node().arg(project.root.join("tests/cards.mjs")).arg(&folder).arg(&list))
}
