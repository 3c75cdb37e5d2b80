//! The rotation of a kind of layers: how wide, by which base, in which pairs.

use super::{
    document::{Node, Object},
    error::Error,
    extension::Plan,
    layers::{Kind, Layers},
    mistakes::Mistake,
    reader::{Draft, Reader, names},
    reading::{Attention, Because},
};
use crate::schemes::{irope, none, rope};

/// Where the base stands, beside the table of the extension.
const BASE: &[&str] = &["rope_theta", "rotary_emb_base", "global_rope_theta", "rotary_base", "rope_base"];
const LOCAL_BASE: &[&str] = &["rope_local_base_freq", "local_rope_theta", "swa_rope_theta"];
/// The base that programs take where they find none.
const COMMON_BASE: f64 = 10_000.0;
const SHARE: &[&str] =
    &["partial_rotary_factor", "rotary_pct", "rope_pct", "rotary_percent", "rotary_emb_fraction", "rope_percent"];

/// What the rotation of a kind of layers is made of.
pub(super) struct Rotation<'o, 's> {
    /// The table of the extension, `rope_parameters` or `rope_scaling`, for these layers.
    pub(super) table: Option<&'o Object<'s>>,
    pub(super) head_dim: u64,
    /// Whether `head_dim` is the rotated part of a wider head.
    pub(super) latent: bool,
    pub(super) base: f64,
    pub(super) layout: &'static str,
    pub(super) share: f64,
}

impl Rotation<'_, '_> {
    /// Planes that are rotated.
    pub(super) fn planes(&self) -> u64 {
        (self.head_dim as f64 * self.share.min(1.0)) as u64 / 2
    }

    /// A scheme with `head_dim`, `rope_theta` and `layout`.
    pub(super) fn draft(&self, spec: &'static crate::SchemeSpec) -> Draft {
        let mut draft = Draft::new(spec);
        draft.set("head_dim", self.head_dim);
        draft.set("rope_theta", self.base);
        draft.set("layout", self.layout);
        draft
    }
}

impl<'o, 's> Reader<'o, 's> {
    /// The scheme of a kind of layers that attend.
    pub(super) fn rotary(&mut self, kind: &Kind, layers: &Layers) -> Result<Draft, Error> {
        let alternates = layers.kinds.iter().any(|other| !other.rotates && other.attention != Attention::Other);
        // Cohere's layers without rotation are just that.
        let listed = layers.interval.is_some() || self.family.temperature.is_some();
        let temperature = if alternates && listed { self.temperature()? } else { None };
        if !kind.rotates && !listed {
            return Ok(Draft::new(&none::SPEC));
        }
        let rotation = self.rotation(kind.attention)?;
        let plan = self.plan(&rotation, kind.attention)?;
        let plain = plan == Plan::Plain && rotation.share == 1.0;
        match (kind.rotates, layers.interval) {
            (true, Some(interval)) if alternates && plain => {
                Ok(self.alternating(&rotation, layers, interval, kind, temperature))
            }
            (true, _) => self.extended(&rotation, plan, kind.attention),
            (false, interval) if interval.is_some_and(|_| plain) || temperature.is_some() => {
                // Of layers that follow no rule it is at least true that none of these rotates.
                Ok(self.alternating(&rotation, layers, interval.unwrap_or(1), kind, temperature))
            }
            (false, _) => Ok(Draft::new(&none::SPEC)),
        }
    }

    /// Rotation in all but every n-th layer.
    fn alternating(
        &mut self,
        rotation: &Rotation<'o, 's>,
        layers: &Layers,
        interval: usize,
        kind: &Kind,
        temperature: Option<(f64, u64)>,
    ) -> Draft {
        let mut draft = rotation.draft(&irope::SPEC);
        if let Some(count) = layers.count {
            draft.set("num_hidden_layers", count);
        } else {
            let path = self.path(names::LAYERS[0]);
            self.default(path, draft.scheme.settings.integer("num_hidden_layers"), Because::Scheme);
        }
        draft.set("no_rope_layer_interval", interval);
        draft.set("layer", kind.layers.first().copied().unwrap_or_default());
        draft.set("attn_scale", temperature.map_or(0.0, |(scale, _)| scale));
        if let Some((_, floor)) = temperature {
            draft.set("floor_scale", floor);
        }
        draft
    }

    /// What multiplies the queries of layers that do not rotate.
    fn temperature(&mut self) -> Result<Option<(f64, u64)>, Error> {
        let Some((scale, floor)) = self.family.temperature else { return Ok(None) };
        let because = self.because();
        if let Some(node) = self.get(&["attn_temperature_tuning"])
            && !node.truthy()?
        {
            return Ok(None);
        }
        let scale = self.or_default("attn_scale", Node::number, scale, because)?;
        let floor = self.or_default("floor_scale", Node::count, floor, because)?;
        Ok(Some((scale, floor)))
    }

    /// What it is made of.
    pub(super) fn rotation(&mut self, attention: Attention) -> Result<Rotation<'o, 's>, Error> {
        let table = self.table(attention)?;
        let (head_dim, latent) = self.head_dim(attention)?;
        let base = self.base(table, attention)?;
        let share = self.share(table, head_dim, latent)?;
        let layout = self.layout()?;
        Ok(Rotation { table, head_dim, latent, base, layout, share })
    }

    /// The table for a kind of layers: one for all, or one for each.
    fn table(&self, attention: Attention) -> Result<Option<&'o Object<'s>>, Error> {
        let table = match self.child(&["rope_parameters"])? {
            Some(table) => table,
            None => match self.child(&["rope_scaling"])? {
                Some(table) => table,
                None => return Ok(None),
            },
        };
        if table.is_nested() {
            // `rope_parameters` of one kind alone may stand for all.
            return match attention.word() {
                Some(word) => table.child(word),
                None => Ok(None),
            };
        }
        Ok((attention == Attention::Full || !self.family.extends_full).then_some(table))
    }

    /// The width of a head, or of its rotated part.
    pub(super) fn head_dim(&mut self, attention: Attention) -> Result<(u64, bool), Error> {
        if let Some(node) = self.get(&["qk_rope_head_dim"]) {
            return Ok((node.count()?, true));
        }
        let heads = self.count(names::HEADS)?;
        let width = self.count(names::WIDTH)?;
        let derived = heads.zip(width).map(|(heads, width)| width / heads).filter(|width| *width > 0);
        let full = self.family.full_head_dim.filter(|_| attention == Attention::Full);
        let key = if full.is_some() { "global_head_dim" } else { "head_dim" };
        let given =
            if full.is_some() { self.get(&[key]) } else { self.get(&[key, "kv_channels", "attention_head_dim"]) };
        if let Some(node) = given {
            let given = node.count()?;
            if let Some(derived) = derived.filter(|derived| *derived != given) {
                self.warn(Mistake::HeadDim { given, derived }, &node);
            }
            return Ok((given, false));
        }
        let path = self.path(key);
        if let Some(width) = full.or(self.family.head_dim) {
            self.default(&path, width, Because::Code);
            if let Some(derived) = derived.filter(|derived| *derived != width && !self.family.latent) {
                self.warn_missing(Mistake::HeadDim { given: width, derived }, path);
            }
            return Ok((width, self.family.latent));
        }
        if let Some(derived) = derived {
            self.default(path, derived, Because::Derived);
            return Ok((derived, false));
        }
        let width = Draft::new(&rope::SPEC).scheme.settings.integer("head_dim") as u64;
        self.default(path, width, Because::Scheme);
        Ok((width, false))
    }

    fn base(&mut self, table: Option<&'o Object<'s>>, attention: Attention) -> Result<f64, Error> {
        let windowed = attention == Attention::Sliding;
        let local = if windowed { self.get(LOCAL_BASE) } else { None };
        let beside = match local {
            Some(node) => Some(node),
            // Gemma 3's `rope_theta` is that of the layers that see everything.
            None if windowed && self.family.local_theta.is_some() => None,
            None => self.get(BASE),
        };
        if let Some(node) = table.and_then(|table| table.get("rope_theta")) {
            let given = node.positive()?;
            if given != COMMON_BASE && beside.is_none() {
                self.warn(Mistake::BaseInside { given }, &node);
            }
            return Ok(given);
        }
        if let Some(node) = beside {
            return node.positive();
        }
        // ChatGLM: a multiple of the common one.
        if let Some(node) = self.get(&["rope_ratio"]) {
            return Ok(COMMON_BASE * node.positive()?);
        }
        let taken = self.family.local_theta.filter(|_| windowed).unwrap_or(self.family.theta);
        let path = match table {
            Some(table) => table.path_of("rope_theta"),
            None => self.path(if windowed && self.family.local_theta.is_some() { LOCAL_BASE[0] } else { BASE[0] }),
        };
        let because = self.because();
        self.default(&path, taken, because);
        if !self.family.fixed {
            self.warn_missing(Mistake::BaseDefaulted { taken }, path);
        }
        Ok(taken)
    }

    fn share(&mut self, table: Option<&'o Object<'s>>, head_dim: u64, latent: bool) -> Result<f64, Error> {
        let inside = table.and_then(|table| table.get("partial_rotary_factor"));
        let beside = self.get(SHARE);
        let dims = self.get(&["rotary_dim", "rotary_ndims"]);
        if latent {
            // The width is that of the rotated part already.
            return Ok(1.0);
        }
        if let Some(node) = inside.or(beside) {
            return node.positive();
        }
        if let Some(node) = dims {
            return Ok(share(node.count()?, head_dim));
        }
        let default = self.family.rotary_dim.map_or(self.family.share, |dims| share(dims, head_dim));
        if default != 1.0 {
            let path = self.path(SHARE[0]);
            self.default(&path, default, Because::Code);
            self.warn_missing(Mistake::PartialDefault { taken: default }, path);
        }
        Ok(default)
    }

    fn layout(&mut self) -> Result<&'static str, Error> {
        if let Some(node) = self.get(&["rope_interleave", "rope_interleaved", "rotary_emb_interleaved"]) {
            return Ok(if node.flag()? { "interleaved" } else { "half" });
        }
        // It stands in no config.
        let because = self.because();
        self.default("layout", self.family.layout, because);
        Ok(self.family.layout)
    }
}

/// So many dimensions as a share of the head, such that this share of it is so many again.
fn share(dims: u64, head_dim: u64) -> f64 {
    let share = dims as f64 / head_dim as f64;
    if ((head_dim as f64 * share) as u64) < dims { share.next_up() } else { share }
}
