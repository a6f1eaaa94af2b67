//! The loss curve of a training run as a picture (SVG).

use std::fmt::Write as _;

use super::settings::EpochResult;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
/// The width of the margin for the numbers, left and below.
const MARGIN: f64 = 60.0;

/// Selects one of the errors of an epoch.
type Pick = fn(&EpochResult) -> f64;

/// Draws both errors over the epochs.
pub fn loss_curve(title: &str, epochs: &[EpochResult]) -> String {
    let errors = || epochs.iter().flat_map(|epoch| [epoch.training, epoch.validation]);
    let low = errors().fold(f64::INFINITY, f64::min);
    let high = errors().fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = if low < high { (low, high) } else { (low - 1e-4, low + 1e-4) };
    let last = epochs.len().saturating_sub(1).max(1) as f64;
    let x = |epoch: usize| MARGIN + (WIDTH - MARGIN - 20.0) * epoch as f64 / last;
    let y = |error: f64| 40.0 + (HEIGHT - MARGIN - 40.0) * (high - error) / (high - low);

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"20\" font-size=\"14\">{}</text>\n",
        html_escape::encode_text(title)
    );
    for tick in 0..=4 {
        let error = low + (high - low) * f64::from(tick) / 4.0;
        let _ = writeln!(
            svg,
            "<path d=\"M{MARGIN} {y:.1}H{}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{error:.5}</text>",
            WIDTH - 20.0,
            MARGIN - 6.0,
            y(error) + 4.0,
            y = y(error),
        );
    }
    let step = (epochs.len() / 10).max(1);
    for epoch in (0..epochs.len()).step_by(step) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            x(epoch),
            HEIGHT - MARGIN + 18.0,
            epoch + 1
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">epoch</text>",
        WIDTH / 2.0,
        HEIGHT - 20.0
    );
    let curves: [(_, _, Pick); 2] = [
        ("training", "#06c", |epoch| epoch.training),
        ("validation", "#c30", |epoch| epoch.validation),
    ];
    for (number, (name, color, pick)) in curves.into_iter().enumerate() {
        let points = || epochs.iter().enumerate().map(|(at, epoch)| (x(at), y(pick(epoch))));
        let line: Vec<_> = points().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\
             <text x=\"{}\" y=\"{}\" fill=\"{color}\">{name}</text>",
            line.join(" "),
            WIDTH - 100.0,
            56 + 16 * number
        );
        // The line of one epoch has no length.
        for (x, y) in points() {
            let _ =
                writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{color}\"/>");
        }
    }
    svg + "</svg>\n"
}
