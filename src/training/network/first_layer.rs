//! The first layer: sums of the rows of the active inputs, and their gradient.
//!
//! About 24 of the 1260 inputs for pieces are active in a view, and as many threats. The values of
//! a sample are gathered row by row. The gradient is added in blocks of samples: for each input that
//! is active in the block, the gradients of all samples that have it are summed in registers, so a
//! row of the gradient is read and written once per block and not once per sample.

use super::inputs::{LEAST, ROWS, VIEWS};

/// Units per inner loop: one vector of AVX-512 or two of AVX2. The number of units is a multiple.
pub(super) const TILE: usize = 16;

/// `hidden = biases + rows of the inputs`, `[sample][view][unit]`, for some samples of a block: `inputs`
/// are those of the block, `starts` where those of each sample begin and where those of the last
/// end. Tile by tile, so that the sums stay in registers and rows that several of the samples have
/// stay in the first cache.
#[inline(always)]
pub(super) fn gather(
    rows: &[f32],
    biases: &[f32],
    (inputs, starts): (&[u16], &[usize]),
    hidden: &mut [f32],
) {
    let units = biases.len();
    let mut done = 0;
    while units - done >= 4 * TILE {
        gather_tile::<{ 4 * TILE }>(rows, biases, (inputs, starts), hidden, done);
        done += 4 * TILE;
    }
    while units - done >= TILE {
        gather_tile::<TILE>(rows, biases, (inputs, starts), hidden, done);
        done += TILE;
    }
}

#[inline(always)]
fn gather_tile<const N: usize>(
    rows: &[f32],
    biases: &[f32],
    (inputs, starts): (&[u16], &[usize]),
    hidden: &mut [f32],
    from: usize,
) {
    let (units, views) = (biases.len(), &*ROWS);
    let size = hidden.len() / (starts.len() - 1);
    for (bounds, hidden) in starts.windows(2).zip(hidden.chunks_exact_mut(size)) {
        for (view, hidden) in hidden.chunks_exact_mut(units).enumerate() {
            let mut sums = [0.0; N];
            sums.copy_from_slice(&biases[from..from + N]);
            for &input in &inputs[bounds[0]..bounds[1]] {
                let feature = views[usize::from(input)][view % VIEWS];
                let row = &rows[usize::from(feature) * units + from..][..N];
                for lane in 0..N {
                    sums[lane] += row[lane];
                }
            }
            hidden[from..from + N].copy_from_slice(&sums);
        }
    }
}

/// The inputs that are active in a block, and the samples that have them. Inputs that are the same
/// one in different views are together.
pub(super) struct ActiveInputs {
    /// Times each input is active, while it is counted; then where its list ends.
    ends: Vec<u32>,
    /// The inputs that are active in some view, each by its least number, in the order of their
    /// first sample.
    active: Vec<u16>,
    /// The lists of the inputs, in the order of `active`: four times the sample, plus the view of
    /// the least number in which the sample's input is.
    lists: Vec<u16>,
}

impl ActiveInputs {
    pub(super) fn new() -> ActiveInputs {
        ActiveInputs { ends: vec![0; ROWS.len()], active: Vec::new(), lists: Vec::new() }
    }

    /// Lists the inputs of a block: `inputs` are those of all samples in order, `starts` where those
    /// of each sample begin, and at last their number.
    fn list(&mut self, inputs: &[u16], starts: &[usize], views: usize) {
        let least =
            |input: u16| if views == VIEWS { LEAST[usize::from(input)] } else { (input, 0) };
        for &input in &self.active {
            self.ends[usize::from(input)] = 0;
        }
        self.active.clear();
        for &input in inputs {
            let input = least(input).0;
            let count = &mut self.ends[usize::from(input)];
            if *count == 0 {
                self.active.push(input);
            }
            *count += 1;
        }
        let mut start = 0;
        for &input in &self.active {
            let count = &mut self.ends[usize::from(input)];
            (start, *count) = (start + *count, start);
        }
        self.lists.resize(inputs.len(), 0);
        for (sample, bounds) in starts.windows(2).enumerate() {
            for &input in &inputs[bounds[0]..bounds[1]] {
                let (input, view) = least(input);
                let end = &mut self.ends[usize::from(input)];
                self.lists[*end as usize] = (sample * VIEWS) as u16 + view;
                *end += 1;
            }
        }
    }

    /// Adds the gradient of a block to the rows and the biases. `hidden` are the gradients of the
    /// hidden values, `[sample][view][unit]`; those of the samples come first.
    #[inline(always)]
    pub(super) fn scatter(
        &mut self,
        rows: &mut [f32],
        biases: &mut [f32],
        (inputs, starts): (&[u16], &[usize]),
        hidden: &[f32],
        views: usize,
    ) {
        self.list(inputs, starts, views);
        let units = biases.len();
        let mut done = 0;
        for values in hidden[..(starts.len() - 1) * views * units].chunks_exact(units) {
            for (bias, value) in biases.iter_mut().zip(values) {
                *bias += value;
            }
        }
        // With AVX-512, the sums of four views and 64 units stay in 16 registers.
        while units - done >= 4 * TILE {
            match views {
                VIEWS => self.scatter_tile::<{ 4 * TILE }, VIEWS>(rows, units, hidden, done),
                _ => self.scatter_tile::<{ 4 * TILE }, { VIEWS / 2 }>(rows, units, hidden, done),
            }
            done += 4 * TILE;
        }
        while units - done >= TILE {
            match views {
                VIEWS => self.scatter_tile::<TILE, VIEWS>(rows, units, hidden, done),
                _ => self.scatter_tile::<TILE, { VIEWS / 2 }>(rows, units, hidden, done),
            }
            done += TILE;
        }
    }

    #[inline(always)]
    fn scatter_tile<const N: usize, const V: usize>(
        &self,
        rows: &mut [f32],
        units: usize,
        hidden: &[f32],
        from: usize,
    ) {
        let mut start = 0;
        for &input in &self.active {
            let end = self.ends[usize::from(input)] as usize;
            let mut sums = [[0.0f32; N]; V];
            for &place in &self.lists[start..end] {
                let (sample, turn) = (usize::from(place) / VIEWS, usize::from(place) % VIEWS);
                let hidden = &hidden[sample * V * units..][..V * units];
                for view in 0..V {
                    let values = &hidden[(view ^ turn) * units + from..][..N];
                    for lane in 0..N {
                        sums[view][lane] += values[lane];
                    }
                }
            }
            for view in 0..V {
                let feature = usize::from(ROWS[usize::from(input)][view]);
                let row = &mut rows[feature * units + from..][..N];
                for lane in 0..N {
                    row[lane] += sums[view][lane];
                }
            }
            start = end;
        }
    }
}
