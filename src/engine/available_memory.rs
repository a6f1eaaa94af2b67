//! How much memory the system can give, so that a table that is too large is refused at once. A
//! system that overcommits would promise it, and end the process in the middle of a game.

use std::fs;

/// The free memory in MiB, as Linux reports it for the machine and for the control group of the
/// process; `None` if that is not known.
pub(super) fn available_mebibytes() -> Option<usize> {
    let machine = fs::read_to_string("/proc/meminfo").ok().as_deref().and_then(machine_limit);
    let number = |file: &str| fs::read_to_string(file).ok()?.trim().parse::<usize>().ok();
    let group = number("/sys/fs/cgroup/memory.max")
        .zip(number("/sys/fs/cgroup/memory.current"))
        .map(|(limit, used)| limit.saturating_sub(used) >> 20);
    [machine, group].into_iter().flatten().min()
}

/// Reads the line `MemAvailable:  123456 kB`.
fn machine_limit(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_available_memory_is_read_from_the_report_of_linux() {
        let text = "MemTotal:  8388608 kB\nMemFree: 1 kB\nMemAvailable:    2097152 kB\n";
        assert_eq!(machine_limit(text), Some(2048));
        for text in ["", "MemAvailable:", "MemAvailable: many kB"] {
            assert_eq!(machine_limit(text), None, "{text}");
        }
    }
}
