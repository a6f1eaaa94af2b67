//! The first layer: sums of the rows of the active inputs, and their gradient.
//!
//! About 24 of the 1260 inputs for pieces are active in a view, and as many threats. The values of
//! a sample are gathered row by row. The gradient is added in blocks of samples: for each input
//! that is active in the block, the gradients of all samples that have it are summed in registers,
//! so a row of the gradient is read and written once per block and not once per sample.

use cannonade_engine::nnue::{InputRows, features_with_threats};

use super::inputs::VIEWS;

/// Units per inner loop: one vector of AVX-512 or two of AVX2. The number of units is a multiple.
pub(super) const TILE: usize = 16;

/// Computes `hidden = biases + rows of the inputs`, `[sample][view][unit]`, for some samples of a
/// block: `inputs` are those of the block, `starts` the offsets at which those of each sample begin
/// and those of the last end. Tile by tile, so that the sums stay in registers and rows that
/// several of the samples have stay in the first cache.
#[inline(always)]
pub(super) fn gather(
    rows: &[f32],
    biases: &[f32],
    (inputs, starts): (&[InputRows], &[usize]),
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
    (inputs, starts): (&[InputRows], &[usize]),
    hidden: &mut [f32],
    from: usize,
) {
    let units = biases.len();
    let size = hidden.len() / (starts.len() - 1);
    for (bounds, hidden) in starts.windows(2).zip(hidden.chunks_exact_mut(size)) {
        for (view, hidden) in hidden.chunks_exact_mut(units).enumerate() {
            let mut sums = [0.0; N];
            sums.copy_from_slice(&biases[from..from + N]);
            for input in &inputs[bounds[0]..bounds[1]] {
                let row = &rows[usize::from(input[view % VIEWS]) * units + from..][..N];
                for lane in 0..N {
                    sums[lane] += row[lane];
                }
            }
            hidden[from..from + N].copy_from_slice(&sums);
        }
    }
}

/// The inputs that are active in a block, and their samples. An input has one canonical index: the
/// minimum of its indices in all views.
pub(super) struct ActiveInputs {
    /// Counts of each input's uses; then the offsets at which the lists end.
    ends: Vec<u32>,
    /// The inputs that are active in some view, as the rows in all views of the canonical one, in
    /// the order of their first sample.
    active: Vec<InputRows>,
    /// For each input of the samples, `4 * canonical_index + view`, where `view` is the one with
    /// the canonical index.
    places: Vec<u16>,
    /// The lists of the inputs, in the order of `active`: `4 * sample + view`, where `view` is the
    /// one in which the sample's input has its canonical index.
    lists: Vec<u16>,
}

impl ActiveInputs {
    pub(super) fn new() -> ActiveInputs {
        ActiveInputs {
            ends: vec![0; features_with_threats()],
            active: Vec::new(),
            places: Vec::new(),
            lists: Vec::new(),
        }
    }

    /// Lists the inputs of a block: `inputs` are those of all samples in order, `starts` the
    /// offsets at which those of each sample begin, followed by their number.
    fn list(&mut self, inputs: &[InputRows], starts: &[usize], views: usize) {
        for rows in &self.active {
            self.ends[usize::from(rows[0])] = 0;
        }
        self.active.clear();
        self.places.clear();
        for &rows in inputs {
            let place = |view: usize| rows[view] * VIEWS as u16 + view as u16;
            let place = if views == VIEWS {
                place(0).min(place(1)).min(place(2).min(place(3)))
            } else {
                place(0)
            };
            self.places.push(place);
            let (input, view) = split(place);
            let count = &mut self.ends[input];
            if *count == 0 {
                self.active.push(std::array::from_fn(|other| rows[other ^ view]));
            }
            *count += 1;
        }
        let mut start = 0;
        for rows in &self.active {
            let count = &mut self.ends[usize::from(rows[0])];
            (start, *count) = (start + *count, start);
        }
        self.lists.resize(inputs.len(), 0);
        for (sample, bounds) in starts.windows(2).enumerate() {
            for &place in &self.places[bounds[0]..bounds[1]] {
                let (input, view) = split(place);
                let end = &mut self.ends[input];
                self.lists[*end as usize] = (sample * VIEWS + view) as u16;
                *end += 1;
            }
        }
    }

    /// Clears the rows of the inputs that no earlier block had, according to `used`.
    fn clear_new(&self, rows: &mut [f32], used: &mut [bool], units: usize, views: usize) {
        for row in self.active.iter().flat_map(|rows| &rows[..views]) {
            let row = usize::from(*row);
            if !used[row] {
                used[row] = true;
                rows[row * units..][..units].fill(0.0);
            }
        }
    }

    /// Adds the gradient of a block to the rows, of which only those in `used` hold numbers, and
    /// the biases. `hidden` are the gradients of the hidden values, `[sample][view][unit]`; those
    /// of the samples come first.
    #[inline(always)]
    pub(super) fn scatter(
        &mut self,
        (rows, used): (&mut [f32], &mut [bool]),
        biases: &mut [f32],
        (inputs, starts): (&[InputRows], &[usize]),
        hidden: &[f32],
        views: usize,
    ) {
        self.list(inputs, starts, views);
        let units = biases.len();
        self.clear_new(rows, used, units, views);
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
        for active in &self.active {
            let end = self.ends[usize::from(active[0])] as usize;
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
                let row = &mut rows[usize::from(active[view]) * units + from..][..N];
                for lane in 0..N {
                    row[lane] += sums[view][lane];
                }
            }
            start = end;
        }
    }
}

/// Splits a place into input and view.
#[inline(always)]
fn split(place: u16) -> (usize, usize) {
    (usize::from(place) / VIEWS, usize::from(place) % VIEWS)
}
