//! How much memory there is: what the system has left, or what its container allows, whichever is less.

use std::fs::read_to_string;

/// Bytes that may still be taken; none are known where the system does not tell.
pub(crate) fn free_bytes() -> Option<u64> {
    let system = read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
    let number = |path: &str| read_to_string(path).ok().and_then(|text| text.trim().parse::<u64>().ok());
    let left = |limit: &str, used: &str| Some(number(limit)?.saturating_sub(number(used)?));
    let container = left("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current")
        .or_else(|| left("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"));
    [system, container].into_iter().flatten().min()
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
    }
}
