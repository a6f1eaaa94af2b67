//! The kernels in plain Rust, for every processor; the tests compare the others with them.

use super::block::Block;
use crate::evaluation::network::{INPUT_SCALE, SQUARE_SHIFT};

#[inline(always)]
pub(super) fn add(layer: &mut [Block], added: &[Block]) {
    for (layer, added) in layer.iter_mut().zip(added) {
        for (value, added) in layer.0.iter_mut().zip(added.0) {
            *value = value.wrapping_add(added);
        }
    }
}

#[inline(always)]
pub(super) fn update<const N: usize>(
    inputs: &[Block],
    before: &[Block],
    after: &mut [Block],
    added: [usize; 2],
    removed: [[usize; 2]; N],
) {
    let blocks = after.len() / 2;
    let row = |feature: usize| &inputs[feature * blocks..][..blocks];
    let before = &before[..2 * blocks];
    for view in 0..2 {
        let added = row(added[view]);
        let removed = removed.map(|feature| row(feature[view]));
        let before = &before[view * blocks..][..blocks];
        let after = &mut after[view * blocks..][..blocks];
        for at in 0..blocks {
            let mut block = before[at];
            for (lane, value) in block.0.iter_mut().enumerate() {
                *value = value.wrapping_add(added[at].0[lane]);
                for row in removed {
                    *value = value.wrapping_sub(row[at].0[lane]);
                }
            }
            after[at] = block;
        }
    }
}

pub(super) fn squared_dot(layers: [&[Block]; 2], weights: [&[Block]; 2]) -> i64 {
    let mut sum = 0;
    for (layer, weights) in layers.into_iter().zip(weights) {
        for (layer, weights) in layer.iter().zip(weights) {
            // 32 products of at most 8192 * 2028 fit into 32 bits.
            let mut block = 0;
            for (value, weight) in layer.0.into_iter().zip(weights.0) {
                let cut = i32::from(value.clamp(0, INPUT_SCALE as i16));
                let square = (cut * cut + (1 << SQUARE_SHIFT >> 1)) >> SQUARE_SHIFT;
                block += i32::from(square as i16) * i32::from(weight);
            }
            sum += i64::from(block);
        }
    }
    sum
}
