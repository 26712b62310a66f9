//! How much memory there is: what the system has left, or what its container allows, whichever is less.

use std::fs::read_to_string;

/// Bytes that may still be taken; none are known where the system does not tell.
pub(crate) fn free_bytes() -> Option<u64> {
    let text = |path: &str| read_to_string(path).ok();
    let system = text("/proc/meminfo").and_then(|text| available(&text));
    let container = |folder: &str, limit: &str, used: &str| {
        let number = |name: &str| text(&format!("{folder}/{name}"))?.trim().parse::<u64>().ok();
        // Pages of files are given up when memory runs short.
        let files = text(&format!("{folder}/memory.stat")).and_then(|text| inactive(&text)).unwrap_or(0);
        Some(number(limit)?.saturating_sub(number(used)?.saturating_sub(files)))
    };
    let new = container("/sys/fs/cgroup", "memory.max", "memory.current");
    let old = container("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes");
    [system, new, old].into_iter().flatten().min()
}

fn inactive(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("inactive_file "))?.trim().parse().ok()
}

fn available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_tells_what_is_available() {
        assert_eq!(available("MemTotal:  9 kB\nMemAvailable:   12 kB\n"), Some(12_288));
        assert_eq!(available("MemTotal:  9 kB\n"), None);
        assert_eq!(inactive("file 7\ninactive_file 5\n"), Some(5));
    }
}
