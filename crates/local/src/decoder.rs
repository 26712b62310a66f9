//! The decoder of the llama and qwen2 families.
//!
//! Invariant: what is computed for a row depends on its token, its position and the rows it sees, in their order, and on
//! nothing else that is computed along with it. Reading a prompt at once, in pieces, or together with others gives the
//! same bits.

use std::fs::File;

use rayon::prelude::*;

use crate::Error;
use crate::arithmetic::{Attend, Gate, Norm, rotate};
use crate::geometry::{Family, Geometry};
use crate::gguf::{Gguf, Placement};
use crate::matrix::{Keeping, Matrix, Order, Rows};
use crate::memory::Memory;

/// One token to read.
#[derive(Debug, Clone)]
pub(crate) struct Row<'a> {
    pub(crate) token: u32,
    pub(crate) position: usize,
    /// What was read before; all of it is seen.
    pub(crate) past: &'a [&'a Memory],
    /// The rows of the same pass that are seen, itself last, in the order of their positions.
    pub(crate) seen: Vec<usize>,
}

/// What a pass gives.
pub(crate) struct Reading {
    /// The keys and values of the rows.
    pub(crate) memory: Memory,
    /// The last hidden state of every row, normed.
    hidden: Vec<f32>,
    width: usize,
}

impl Reading {
    /// The hidden state of a row.
    pub(crate) fn hidden(&self, row: usize) -> &[f32] {
        &self.hidden[row * self.width..][..self.width]
    }
}

#[derive(Debug)]
struct Projection {
    matrix: Matrix,
    bias: Option<Vec<f32>>,
}

impl Projection {
    fn times(&self, input: &[f32]) -> Result<Vec<f32>, Error> {
        let mut output = self.matrix.times(input)?;
        if let Some(bias) = &self.bias {
            for row in output.chunks_exact_mut(bias.len()) {
                row.iter_mut().zip(bias).for_each(|(out, bias)| *out += bias);
            }
        }
        Ok(output)
    }
}

#[derive(Debug)]
struct Layer {
    attention_norm: Vec<f32>,
    query: Projection,
    key: Projection,
    value: Projection,
    output: Matrix,
    inner_norm: Vec<f32>,
    gate: Matrix,
    up: Matrix,
    down: Matrix,
}

/// A model's weights.
#[derive(Debug)]
pub(crate) struct Decoder {
    geometry: Geometry,
    embeddings: Rows,
    layers: Vec<Layer>,
    norm: Vec<f32>,
    output: Matrix,
}

impl Decoder {
    /// Reads the weights.
    pub(crate) fn load(gguf: &Gguf, geometry: Geometry, keeping: &Keeping) -> Result<Self, Error> {
        let cause = |cause| Error::Unreadable { path: gguf.path().to_owned(), cause };
        let file = File::open(gguf.path()).map_err(cause)?;
        let mut source = Source { gguf, file, keeping };
        let Geometry { width, inner, .. } = geometry;
        let (queries, keys) = (geometry.query_width(), geometry.key_width());
        // Files of the llama family store queries and keys so that neighbours turn together; `rotate` turns the halves of a
        // head. Taking the pairs apart once, when weights are read, costs no token anything.
        let order = match geometry.family {
            Family::Llama => Order::Unpaired { head: geometry.head_size },
            Family::Qwen2 => Order::Plain,
        };
        let vocabulary = source.place("token_embd.weight")?.rows;
        let layers = (0..geometry.layers).map(|layer| {
            let name = |part: &str| format!("blk.{layer}.{part}");
            Ok(Layer {
                attention_norm: source.numbers(&name("attn_norm.weight"), width)?,
                query: source.projection(&name("attn_q"), queries, width, order)?,
                key: source.projection(&name("attn_k"), keys, width, order)?,
                value: source.projection(&name("attn_v"), keys, width, Order::Plain)?,
                output: source.matrix(&name("attn_output.weight"), width, queries, Order::Plain)?,
                inner_norm: source.numbers(&name("ffn_norm.weight"), width)?,
                gate: source.matrix(&name("ffn_gate.weight"), inner, width, Order::Plain)?,
                up: source.matrix(&name("ffn_up.weight"), inner, width, Order::Plain)?,
                down: source.matrix(&name("ffn_down.weight"), width, inner, Order::Plain)?,
            })
        });
        let layers = layers.collect::<Result<_, Error>>()?;
        let head = output_name(gguf);
        Ok(Self {
            layers,
            embeddings: source.rows("token_embd.weight", vocabulary, width)?,
            norm: source.numbers("output_norm.weight", width)?,
            output: source.matrix(head, vocabulary, width, Order::Plain)?,
            geometry,
        })
    }

    /// How many tokens the vocabulary has.
    pub(crate) fn vocabulary(&self) -> usize {
        self.embeddings.count()
    }

    /// A memory of nothing.
    pub(crate) fn no_memory(&self) -> Memory {
        Memory::empty(self.layers.len(), self.geometry.key_width())
    }

    /// Reads rows.
    pub(crate) fn read(&self, rows: &[Row<'_>]) -> Result<Reading, Error> {
        let geometry = &self.geometry;
        let (width, queries, keys) = (geometry.width, geometry.query_width(), geometry.key_width());
        let mut memory = self.no_memory();
        let mut state: Vec<f32> = rows.iter().flat_map(|row| self.embeddings.row(row.token as usize)).collect();
        let turns: Vec<_> = rows.iter().map(|row| turn(geometry, row.position)).collect();
        for (at, layer) in self.layers.iter().enumerate() {
            let input = self.normed(&state, &layer.attention_norm);
            let mut query = layer.query.times(&input)?;
            let mut key = layer.key.times(&input)?;
            let value = layer.value.times(&input)?;
            for (row, (cosines, sines)) in turns.iter().enumerate() {
                rotate(&mut query[row * queries..][..queries], geometry.head_size, cosines, sines);
                rotate(&mut key[row * keys..][..keys], geometry.head_size, cosines, sines);
            }
            // Each row lists what it sees by itself: rows of different prompts, and of different words, share a pass.
            let mut mixed = vec![0.0; query.len()];
            mixed.par_chunks_mut(queries).zip(query.par_chunks(queries)).zip(rows).for_each(|((mixed, query), row)| {
                let own = |rows: &[f32], seen: usize| seen * keys..(seen * keys + keys).min(rows.len());
                let mut seen_keys: Vec<&[f32]> = row.past.iter().flat_map(|past| past.keys(at)).collect();
                seen_keys.extend(row.seen.iter().map(|seen| &key[own(&key, *seen)]));
                let mut seen_values: Vec<&[f32]> = row.past.iter().flat_map(|past| past.values(at)).collect();
                seen_values.extend(row.seen.iter().map(|seen| &value[own(&value, *seen)]));
                let (keys, values, output) = (&seen_keys, &seen_values, mixed);
                pulp::Arch::new().dispatch(Attend { geometry, query, keys, values, output });
            });
            memory.extend(at, &key, &value);
            add(&mut state, &layer.output.times(&mixed)?);
            let input = self.normed(&state, &layer.inner_norm);
            let mut inner = layer.gate.times(&input)?;
            let up = layer.up.times(&input)?;
            inner
                .par_chunks_mut(geometry.inner)
                .zip(up.par_chunks(geometry.inner))
                .for_each(|(gate, up)| pulp::Arch::new().dispatch(Gate { gate, up }));
            add(&mut state, &layer.down.times(&inner)?);
        }
        Ok(Reading { memory, hidden: self.normed(&state, &self.norm), width })
    }

    /// The logits of every token that could come next.
    pub(crate) fn logits(&self, hidden: &[f32]) -> Result<Vec<f32>, Error> {
        self.output.times(hidden)
    }

    /// The logits of these tokens.
    pub(crate) fn logits_of(&self, hidden: &[f32], tokens: &[u32]) -> Result<Vec<f32>, Error> {
        self.output.at(hidden, tokens)
    }

    fn normed(&self, state: &[f32], weights: &[f32]) -> Vec<f32> {
        let mut output = vec![0.0; state.len()];
        let width = self.geometry.width;
        let rows = output.par_chunks_mut(width).zip(state.par_chunks(width));
        let epsilon = self.geometry.epsilon;
        rows.for_each(|(output, row)| pulp::Arch::new().dispatch(Norm { row, weights, epsilon, output }));
        output
    }
}

fn add(state: &mut [f32], change: &[f32]) {
    state.iter_mut().zip(change).for_each(|(state, change)| *state += change);
}

/// Cosines and sines of a position's angles.
fn turn(geometry: &Geometry, position: usize) -> (Vec<f32>, Vec<f32>) {
    // In double precision, and by libm: a far position makes an angle of thousands of radians, of which single precision
    // would keep few digits after the point, and the system's own functions differ from machine to machine.
    #[expect(clippy::cast_possible_truncation, reason = "the weights are 32-bit floats")]
    let angle = |pair: usize| {
        let exponent = -(2.0 * pair as f64) / geometry.head_size as f64;
        let angle = position as f64 * libm::pow(geometry.base, exponent);
        (libm::cos(angle) as f32, libm::sin(angle) as f32)
    };
    (0..geometry.head_size / 2).map(angle).unzip()
}

/// The name of the output's tensor; small models share it with the embeddings.
fn output_name(gguf: &Gguf) -> &'static str {
    if gguf.tensor("output.weight").is_some() { "output.weight" } else { "token_embd.weight" }
}

/// Bytes of memory that the embeddings take, which always stay as in the file.
pub(crate) fn embedding_bytes(gguf: &Gguf) -> u64 {
    gguf.tensor("token_embd.weight").map_or(0, as_packed)
}

/// Bytes of memory that the matrices take.
pub(crate) fn matrix_bytes(gguf: &Gguf, geometry: &Geometry, weigh: fn(&Placement) -> u64) -> u64 {
    let place = |name: &str| gguf.tensor(name).map_or(0, weigh);
    let parts = [
        "attn_q.weight",
        "attn_k.weight",
        "attn_v.weight",
        "attn_output.weight",
        "ffn_gate.weight",
        "ffn_up.weight",
        "ffn_down.weight",
    ];
    let layers = (0..geometry.layers).flat_map(|layer| parts.map(|part| place(&format!("blk.{layer}.{part}"))));
    layers.sum::<u64>() + place(output_name(gguf))
}

/// Bytes of a tensor as 32-bit floats.
pub(crate) fn as_floats(place: &Placement) -> u64 {
    place.rows as u64 * place.columns as u64 * 4
}

/// Bytes of a tensor as in the file.
pub(crate) fn as_packed(place: &Placement) -> u64 {
    place.bytes() as u64
}

/// Where weights come from.
struct Source<'a> {
    gguf: &'a Gguf,
    file: File,
    keeping: &'a Keeping,
}

impl Source<'_> {
    fn place(&self, name: &str) -> Result<Placement, Error> {
        self.gguf.tensor(name).cloned().ok_or_else(|| Error::Lacking { what: format!("the tensor {name}") })
    }

    fn rows(&mut self, name: &str, rows: usize, columns: usize) -> Result<Rows, Error> {
        let place = self.place(name)?;
        if (place.rows, place.columns) != (rows, columns) {
            let found = format!("{} rows of {}", place.rows, place.columns);
            return Err(self.gguf.damaged(format!("tensor {name} has {found} instead of {rows} rows of {columns}")));
        }
        Rows::read(self.gguf, &mut self.file, &place)
    }

    fn numbers(&mut self, name: &str, count: usize) -> Result<Vec<f32>, Error> {
        Ok(self.rows(name, 1, count)?.row(0))
    }

    fn matrix(&mut self, name: &str, rows: usize, columns: usize, order: Order) -> Result<Matrix, Error> {
        Matrix::new(self.rows(name, rows, columns)?, order, self.keeping)
    }

    fn projection(&mut self, name: &str, rows: usize, columns: usize, order: Order) -> Result<Projection, Error> {
        let matrix = self.matrix(&format!("{name}.weight"), rows, columns, order)?;
        let bias = format!("{name}.bias");
        let bias = self.gguf.tensor(&bias).is_some().then(|| self.numbers(&bias, rows)).transpose()?;
        if bias.is_some() && order != Order::Plain {
            return Err(Error::Unknown {
                what: "tensor",
                found: format!("{name}.bias"),
                known: "llama models without biases".to_owned(),
            });
        }
        Ok(Projection { matrix, bias })
    }
}
