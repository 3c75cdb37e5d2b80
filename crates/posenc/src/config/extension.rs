//! The extension of the context: which, and with which numbers.

use super::{
    document::{Node, Object},
    error::Error,
    mistakes::Mistake,
    reader::{Draft, Extension, Reader},
    reading::{Attention, Because},
    rotation::Rotation,
};
use crate::{
    Encoding,
    schemes::{
        mrope, rope,
        rope_scaling::{Scaling, longrope_attention_factor, mscale, softmax_factor},
    },
};

const ORIGINAL: &str = "original_max_position_embeddings";

/// What is to be made of a table.
#[derive(Clone, PartialEq)]
pub(super) enum Plan {
    /// No extension.
    Plain,
    /// That of the family, for want of a table.
    Family,
    /// By sections, the extension left out.
    Sections(Vec<u64>),
    /// By a `rope_type` of the scheme.
    Scaled(&'static str),
}

impl<'o, 's> Reader<'o, 's> {
    /// What is to be made of the table.
    pub(super) fn plan(&mut self, rotation: &Rotation<'o, 's>, attention: Attention) -> Result<Plan, Error> {
        // Of a head that they do not fit, these are not meant.
        let theirs = self.family.sections.map(|(sections, _)| sections);
        let theirs = theirs.filter(|sections| sections.iter().sum::<u64>() == rotation.planes());
        let Some(table) = rotation.table else {
            let extends = attention == Attention::Full || !self.family.extends_full;
            if extends && !self.family.extension.is_empty() {
                return Ok(Plan::Family);
            }
            let Some(theirs) = theirs else { return Ok(Plan::Plain) };
            let path = self.path("rope_scaling.mrope_section");
            self.default(path, joined(theirs), Because::Code);
            return Ok(Plan::Sections(theirs.to_vec()));
        };
        let kind = self.kind(table)?;
        if let Some(node) = table.get("mrope_section") {
            if kind != "default" {
                let factor = table.get("factor").map(|node| node.positive()).transpose()?;
                let original = table.get(ORIGINAL).map(|node| node.count()).transpose()?;
                self.note(kind, factor, original);
            }
            let sections: Vec<u64> = node.numbers()?.iter().map(|n| *n as u64).collect();
            let given = sections.iter().fold(0_u64, |sum, n| sum.saturating_add(*n));
            if given != rotation.planes() {
                self.warn(Mistake::SectionSum { given, needed: rotation.planes() }, &node);
            }
            return Ok(Plan::Sections(sections));
        }
        if let ("default", Some(theirs)) = (kind, theirs) {
            self.default(table.path_of("mrope_section"), joined(theirs), Because::Code);
            return Ok(Plan::Sections(theirs.to_vec()));
        }
        Ok(if kind == "default" { Plan::Plain } else { Plan::Scaled(kind) })
    }

    /// The kind of extension, as the scheme calls it.
    fn kind(&mut self, table: &Object<'s>) -> Result<&'static str, Error> {
        let old = table.get("type");
        let (node, spelt_so) = match (table.get("rope_type"), old) {
            (Some(node), _) => (node, false),
            (None, Some(node)) => (node, true),
            (None, None) => return Ok("default"),
        };
        let given = node.text()?;
        let lists = table.has("long_factor");
        let meant = match given.as_str() {
            "default" | "mrope" | "no_scaling" => "default",
            "linear" => "linear",
            // Hunyuan: a base that stays, for `alpha` times the length.
            "dynamic" if table.has("alpha") => "ntk",
            "dynamic" => "dynamic",
            "su" | "longrope" => "longrope",
            // The first Phi-3 called it so.
            "yarn" if lists => "longrope",
            "yarn" | "deepseek_yarn" => "yarn",
            "llama3" => "llama3",
            "proportional" => "proportional",
            _ => {
                // What else the config says still holds: the base, the width, the layers.
                self.warn(Mistake::UnknownWord { given, taken: "default" }, &node);
                return Ok("default");
            }
        };
        let renamed = matches!(given.as_str(), "su" | "deepseek_yarn") || (given == "yarn" && lists);
        if spelt_so || renamed {
            self.warn(Mistake::OldSpelling { given, meant }, &node);
        }
        Ok(meant)
    }

    /// The rotation with its extension.
    pub(super) fn extended(
        &mut self,
        rotation: &Rotation<'o, 's>,
        plan: Plan,
        attention: Attention,
    ) -> Result<Draft, Error> {
        if let Plan::Sections(sections) = plan {
            return self.sections(rotation, &sections);
        }
        let mut draft = rotation.draft(&rope::SPEC);
        draft.set("partial_rotary_factor", rotation.share);
        match plan {
            Plan::Family => {
                let because = self.because();
                for (key, value) in self.family.extension {
                    let path = match attention.word().filter(|_| self.family.extends_full) {
                        Some(word) => self.path(&format!("rope_parameters.{word}.{key}")),
                        None => self.path(&format!("rope_parameters.{key}")),
                    };
                    draft.set(key, value);
                    self.default(path, value, because);
                }
                let settings = &draft.scheme.settings;
                let original = settings.integer(ORIGINAL) as u64;
                let kind = settings.choice("rope_type");
                if kind != "proportional" {
                    self.note(kind, Some(settings.real("factor")), Some(original));
                }
            }
            Plan::Scaled(kind) => {
                if let Some(table) = rotation.table {
                    draft.set("rope_type", kind);
                    self.scaled(&mut draft, kind, table, rotation)?;
                }
            }
            Plan::Plain | Plan::Sections(_) => {}
        }
        Ok(draft)
    }

    fn note(&mut self, kind: &'static str, factor: Option<f64>, original: Option<u64>) {
        self.extension.get_or_insert(Extension { kind, factor, original });
    }

    /// The rotation by time, row and column.
    fn sections(&mut self, rotation: &Rotation<'o, 's>, sections: &[u64]) -> Result<Draft, Error> {
        let mut draft = Draft::new(&mrope::SPEC);
        // The scheme knows no other dimensions than those that it rotates.
        draft.set("head_dim", 2 * rotation.planes());
        draft.set("rope_theta", rotation.base);
        draft.set("mrope_section", joined(sections));
        let given = rotation.table.and_then(|table| table.get("mrope_interleaved"));
        let interleaved =
            given.as_ref().map_or(Ok(self.family.sections.is_some_and(|(_, dealt)| dealt)), Node::flag)?;
        if given.is_none() && interleaved {
            let path = match rotation.table {
                Some(table) => table.path_of("mrope_interleaved"),
                None => self.path("rope_scaling.mrope_interleaved"),
            };
            self.default(path, interleaved, Because::Code);
        }
        draft.set("interleaved", interleaved);
        if let Some(table) = rotation.table {
            for key in ["factor", ORIGINAL, "beta_fast", "beta_slow", "mscale", "mscale_all_dim", "attention_factor"] {
                table.beyond(key);
            }
        }
        Ok(draft)
    }

    /// The numbers of a `rope_type`.
    fn scaled(
        &mut self,
        draft: &mut Draft,
        kind: &'static str,
        table: &'o Object<'s>,
        rotation: &Rotation<'o, 's>,
    ) -> Result<(), Error> {
        for key in ["llama_4_scaling_beta", "short_mscale", "long_mscale"] {
            table.beyond(key);
        }
        let length = self.length()?;
        let factor = table.get("factor").map(|node| node.positive().map(|factor| (factor, node))).transpose()?;
        let given = factor.as_ref().map(|(factor, _)| *factor);
        let original = match kind {
            "yarn" | "llama3" | "longrope" => Some(self.original(table, draft, length)?),
            _ => table.get(ORIGINAL).map(|node| node.count().map(|count| (count, true))).transpose()?,
        };
        let explicit = original.filter(|(_, given)| *given).map(|(original, _)| original);
        // Planes that do not turn are no extension.
        if kind != "proportional" {
            self.note(kind, given, explicit);
        }
        match kind {
            "ntk" => {
                if let Some(node) = table.get("alpha") {
                    draft.set("factor", node.positive()?);
                }
            }
            "longrope" => return self.longrope(draft, table, rotation, given, original, length),
            _ => {
                let factor = self.factor(table, given, explicit.zip(length), kind);
                draft.set("factor", factor);
            }
        }
        match kind {
            "dynamic" => {
                let taken = draft.scheme.settings.integer("max_position_embeddings") as u64;
                draft.set("max_position_embeddings", length.unwrap_or(taken));
                if length.is_none() {
                    let path = self.path("max_position_embeddings");
                    self.default(path, taken, Because::Scheme);
                }
            }
            "llama3" => {
                for key in ["low_freq_factor", "high_freq_factor"] {
                    self.turns(draft, table, key)?;
                }
            }
            "yarn" => {
                self.yarn(draft, table, rotation)?;
                if let (Some((given, node)), Some(original), Some(length)) = (&factor, explicit, length) {
                    let used = length as f64 / original as f64;
                    if (used - given).abs() > 1e-6 * given {
                        self.warn(Mistake::FactorIgnored { given: *given, used }, node);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The factor: given, or by the lengths, or none.
    fn factor(&mut self, table: &Object<'s>, given: Option<f64>, by: Option<(u64, u64)>, kind: &str) -> f64 {
        if let Some(factor) = given {
            return factor;
        }
        let (factor, why) = match by.filter(|_| kind == "yarn") {
            Some((original, length)) => (length as f64 / original as f64, Because::Derived),
            None => (1.0, Because::Scheme),
        };
        self.default(table.path_of("factor"), factor, why);
        factor
    }

    /// The length before the extension, and whether the config or the code of its family gives one.
    fn original(&mut self, table: &Object<'s>, draft: &mut Draft, length: Option<u64>) -> Result<(u64, bool), Error> {
        let inside = table.get(ORIGINAL);
        // Phi-3 has it beside the table, and that one counts.
        let given = self.get(&[ORIGINAL]).or(inside);
        if let Some(node) = given {
            let original = node.count()?;
            draft.set(ORIGINAL, original);
            return Ok((original, true));
        }
        let (taken, why) = match (self.family.original, length) {
            (Some(original), _) => (original, Because::Code),
            (None, Some(length)) => (length, Because::Derived),
            (None, None) => (draft.scheme.settings.integer(ORIGINAL) as u64, Because::Scheme),
        };
        draft.set(ORIGINAL, taken);
        let path = table.path_of(ORIGINAL);
        self.default(&path, taken, why);
        self.warn_missing(Mistake::OriginalMissing { taken }, path);
        Ok((taken, self.family.original.is_some()))
    }

    /// A number of turns, which has a default.
    fn turns(&mut self, draft: &mut Draft, table: &Object<'s>, key: &'static str) -> Result<(), Error> {
        match table.get(key) {
            Some(node) => draft.set(key, node.number()?),
            None => self.default(table.path_of(key), draft.scheme.settings.real(key), Because::Scheme),
        }
        Ok(())
    }

    fn yarn(&mut self, draft: &mut Draft, table: &Object<'s>, rotation: &Rotation<'o, 's>) -> Result<(), Error> {
        for key in ["beta_fast", "beta_slow"] {
            self.turns(draft, table, key)?;
        }
        if let Some(node) = table.get("truncate") {
            let truncate = node.flag()?;
            draft.set("truncate", truncate);
            if !truncate {
                self.warn(Mistake::TruncateIgnored, &node);
            }
        }
        let weight = |key| table.get(key).map(|node: Node<'s>| node.number().map(|m| (m, node))).transpose();
        let (above, below) = (weight("mscale")?, weight("mscale_all_dim")?);
        let factor = draft.scheme.settings.real("factor");
        let mut weights = [0.0; 2];
        for ((key, given), slot) in [("mscale", &above), ("mscale_all_dim", &below)].into_iter().zip(&mut weights) {
            if let Some((m, _)) = given {
                draft.set(key, *m);
                *slot = *m;
            }
        }
        let both = weights[0] != 0.0 && weights[1] != 0.0;
        if let Some((_, node)) = [&above, &below].into_iter().flatten().find(|(m, _)| *m != 0.0)
            && !both
        {
            self.warn(Mistake::MscaleAlone, node);
        }
        if let Some((m, node)) = below.as_ref().filter(|(m, _)| *m != 0.0 && rotation.latent) {
            self.warn(Mistake::SoftmaxScale { factor: softmax_factor(factor, *m) }, node);
        }
        let formula = if both { mscale(factor, weights[0]) / mscale(factor, weights[1]) } else { mscale(factor, 1.0) };
        self.attention_factor(draft, table, formula)
    }

    /// A magnitude in place of the formula's.
    fn attention_factor(&mut self, draft: &mut Draft, table: &Object<'s>, formula: f64) -> Result<(), Error> {
        let Some(node) = table.get("attention_factor").or_else(|| table.get("attn_factor")) else { return Ok(()) };
        let given = node.positive()?;
        draft.set("attention_factor", given);
        if (given - formula).abs() > 1e-6 {
            self.warn(Mistake::AttentionFactor { given, formula }, &node);
        }
        Ok(())
    }

    fn longrope(
        &mut self,
        draft: &mut Draft,
        table: &Object<'s>,
        rotation: &Rotation<'o, 's>,
        factor: Option<f64>,
        original: Option<(u64, bool)>,
        length: Option<u64>,
    ) -> Result<(), Error> {
        let original = original.map_or(1, |(original, _)| original) as f64;
        let length = length.unwrap_or(draft.scheme.settings.integer("max_position_embeddings") as u64);
        draft.set("max_position_embeddings", length);
        let needed = rotation.planes() as usize;
        let mut lists = [const { Vec::new() }; 2];
        for (key, list) in ["short_factor", "long_factor"].into_iter().zip(&mut lists) {
            let Some(node) = table.get(key) else {
                self.default(table.path_of(key), "", Because::Scheme);
                continue;
            };
            *list = node.numbers()?;
            if list.len() != needed {
                self.warn(Mistake::FactorCount { given: list.len(), needed }, &node);
            }
        }
        let [short, long] = lists;
        if !preset(draft, &short, &long) {
            draft.set_all("short_factor", &short);
            draft.set_all("long_factor", &long);
        }
        let ratio = length as f64 / original;
        let formula = longrope_attention_factor(factor.unwrap_or(ratio), original);
        if factor.is_some_and(|factor| factor != ratio) && !table.has("attention_factor") {
            // The scheme has no factor of its own: it goes by the two lengths.
            draft.set("attention_factor", formula);
        }
        self.attention_factor(draft, table, formula)
    }
}

/// Sets the preset that has these lists, if one does.
fn preset(draft: &mut Draft, short: &[f64], long: &[f64]) -> bool {
    let Some(spec) = rope::SPEC.params.iter().find(|spec| spec.key == "preset") else { return false };
    let crate::Kind::Choice { options, .. } = spec.kind else { return false };
    let has = |word: &str| {
        let mut scheme = draft.scheme.clone();
        scheme.settings.set("preset", word);
        let Ok(Encoding::Rotary(rope)) = scheme.build() else { return false };
        matches!(rope.frequencies().map(crate::schemes::rope_scaling::Frequencies::scaling),
            Some(Scaling::LongRope { short: s, long: l, .. }) if s == short && l == long)
    };
    let Some(word) = options.iter().copied().find(|word| has(word)) else { return false };
    draft.set("preset", word);
    true
}

/// As settings write a list.
fn joined(list: &[u64]) -> String {
    let texts: Vec<String> = list.iter().map(u64::to_string).collect();
    texts.join(":")
}
