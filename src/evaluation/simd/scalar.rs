//! The kernels in plain Rust.

use crate::evaluation::network::{INPUT_SCALE, SQUARE_SHIFT};

#[inline(always)]
pub(super) fn add(layer: &mut [i16], added: &[i16]) {
    for (value, added) in layer.iter_mut().zip(added) {
        *value = value.wrapping_add(*added);
    }
}

#[inline(always)]
pub(super) fn add_sub(before: &[i16], after: &mut [i16], added: &[i16], removed: &[i16]) {
    let rows = before.iter().zip(added).zip(removed);
    for (after, ((before, added), removed)) in after.iter_mut().zip(rows) {
        *after = before.wrapping_add(*added).wrapping_sub(*removed);
    }
}

#[inline(always)]
pub(super) fn add_sub_sub(
    before: &[i16],
    after: &mut [i16],
    added: &[i16],
    removed: &[i16],
    taken: &[i16],
) {
    let rows = before.iter().zip(added).zip(removed).zip(taken);
    for (after, (((before, added), removed), taken)) in after.iter_mut().zip(rows) {
        *after = before.wrapping_add(*added).wrapping_sub(*removed).wrapping_sub(*taken);
    }
}

pub(super) fn squared_dot(layer: &[i16], weights: &[i16]) -> i64 {
    let mut sum = 0;
    for (&value, &weight) in layer.iter().zip(weights) {
        let cut = i32::from(value).clamp(0, INPUT_SCALE);
        let square = (cut * cut + (1 << SQUARE_SHIFT >> 1)) >> SQUARE_SHIFT;
        sum += i64::from(square * i32::from(weight));
    }
    sum
}
