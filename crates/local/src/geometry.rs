//! The sizes of a model, read from the keys of its file.

use crate::Error;
use crate::gguf::Gguf;
use crate::value::Value;

/// The families of models that this engine can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// Rotates pairs of neighbours; no biases.
    Llama,
    /// Rotates halves; biases on queries, keys and values.
    Qwen2,
}

/// The sizes of a model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Geometry {
    pub(crate) family: Family,
    pub(crate) layers: usize,
    pub(crate) width: usize,
    pub(crate) inner: usize,
    pub(crate) heads: usize,
    pub(crate) key_heads: usize,
    pub(crate) head_size: usize,
    pub(crate) context: usize,
    pub(crate) base: f64,
    pub(crate) epsilon: f32,
}

impl Geometry {
    /// Reads the sizes and checks that they fit each other.
    pub(crate) fn read(gguf: &Gguf) -> Result<Self, Error> {
        let name = gguf.text("general.architecture")?;
        let family = match name {
            "llama" => Family::Llama,
            "qwen2" => Family::Qwen2,
            _ => {
                let known = "llama and qwen2".to_owned();
                return Err(Error::Unknown { what: "architecture", found: name.to_owned(), known });
            }
        };
        let size = |key: &str, most: u64| {
            let key = format!("{name}.{key}");
            let size = gguf.number(&key)?;
            if size == 0 || size > most {
                return Err(gguf.damaged(format!("{key} is {size}")));
            }
            usize::try_from(size).map_err(|_| gguf.damaged(format!("{key} is {size}")))
        };
        let heads = size("attention.head_count", 1 << 12)?;
        let key_heads = match gguf.value(&format!("{name}.attention.head_count_kv")) {
            Some(_) => size("attention.head_count_kv", 1 << 12)?,
            None => heads,
        };
        let width = size("embedding_length", 1 << 20)?;
        let head_size = match gguf.value(&format!("{name}.attention.key_length")) {
            Some(_) => size("attention.key_length", 1 << 12)?,
            None => width / heads,
        };
        if heads % key_heads != 0 || head_size == 0 || head_size % 2 != 0 {
            let what = format!("{heads} heads, {key_heads} key heads and width {width} do not fit each other");
            return Err(gguf.damaged(what));
        }
        refuse_variants(gguf, name, head_size)?;
        let fraction = |key: &str, low: f64, high: f64| {
            let key = format!("{name}.{key}");
            let number = gguf.fraction(&key)?;
            if (low..=high).contains(&number) { Ok(number) } else { Err(gguf.damaged(format!("{key} is {number}"))) }
        };
        let base = match gguf.value(&format!("{name}.rope.freq_base")) {
            Some(_) => fraction("rope.freq_base", 1.0, 1e12)?,
            None => 10_000.0,
        };
        #[expect(clippy::cast_possible_truncation, reason = "it was written as a 32-bit float")]
        let epsilon = fraction("attention.layer_norm_rms_epsilon", 0.0, 1.0)? as f32;
        Ok(Self {
            family,
            layers: size("block_count", 1 << 12)?,
            width,
            inner: size("feed_forward_length", 1 << 22)?,
            heads,
            key_heads,
            head_size,
            context: size("context_length", 1 << 32)?,
            base,
            epsilon,
        })
    }

    /// The length of a row of keys or values.
    pub(crate) fn key_width(&self) -> usize {
        self.key_heads * self.head_size
    }

    /// The length of a row of queries.
    pub(crate) fn query_width(&self) -> usize {
        self.heads * self.head_size
    }
}

/// Refuses models that differ from their family in a way that this engine does not know.
fn refuse_variants(gguf: &Gguf, name: &str, head_size: usize) -> Result<(), Error> {
    let unknown = |what, found, known: String| Err(Error::Unknown { what, found, known });
    if let Some(turned) = gguf.value(&format!("{name}.rope.dimension_count")).and_then(Value::unsigned)
        && turned != head_size as u64
    {
        return unknown("rope.dimension_count", turned.to_string(), format!("the head size {head_size}"));
    }
    if let Some(kind) = gguf.value(&format!("{name}.rope.scaling.type")).and_then(Value::text)
        && kind != "none"
    {
        return unknown("rope.scaling.type", kind.to_owned(), "none".to_owned());
    }
    if gguf.tensor("rope_freqs.weight").is_some() {
        return unknown("tensor", "rope_freqs.weight".to_owned(), "unscaled rotations".to_owned());
    }
    if let Some(experts) = gguf.value(&format!("{name}.expert_count")).and_then(Value::unsigned)
        && experts > 0
    {
        return unknown("expert_count", experts.to_string(), "0".to_owned());
    }
    Ok(())
}
