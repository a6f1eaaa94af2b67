//! The memory that the system can give, so that a table that is too large is refused at once. A
//! system that overcommits would promise it, and end the process in the middle of a game.

use std::fs;

/// Returns the free memory in MiB, as Linux reports it for the machine and for the control group of
/// the process; `None` if that is not known.
pub fn free_mebibytes() -> Option<usize> {
    let machine = fs::read_to_string("/proc/meminfo").ok().as_deref().and_then(machine_limit);
    let number = |file: &str| fs::read_to_string(file).ok()?.trim().parse::<usize>().ok();
    // The group counts cached files as used memory; inactive ones can be evicted.
    let statistics = fs::read_to_string("/sys/fs/cgroup/memory.stat").ok();
    let files = statistics.as_deref().and_then(inactive_files).unwrap_or(0);
    let group = number("/sys/fs/cgroup/memory.max")
        .zip(number("/sys/fs/cgroup/memory.current"))
        .map(|(limit, used)| limit.saturating_sub(used.saturating_sub(files)) >> 20);
    [machine, group].into_iter().flatten().min()
}

/// Reads the line `MemAvailable:  123456 kB`.
fn machine_limit(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes >> 10)
}

/// Reads the line `inactive_file 123456`, in bytes.
fn inactive_files(statistics: &str) -> Option<usize> {
    let line = statistics.lines().find_map(|line| line.strip_prefix("inactive_file "))?;
    line.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_not_in_use_are_read_from_the_group() {
        assert_eq!(inactive_files("anon 5\ninactive_file 4096\nactive_file 7\n"), Some(4096));
        assert_eq!(inactive_files("anon 5\n"), None);
    }

    #[test]
    fn the_available_memory_is_read_from_the_report_of_linux() {
        let text = "MemTotal:  8388608 kB\nMemFree: 1 kB\nMemAvailable:    2097152 kB\n";
        assert_eq!(machine_limit(text), Some(2048));
        for text in ["", "MemAvailable:", "MemAvailable: many kB"] {
            assert_eq!(machine_limit(text), None, "{text}");
        }
    }
}
