//! Memory of this process, as reported by the kernel.

/// Resident memory now, in bytes; `None` where the system does not report it.
pub fn resident_bytes() -> Option<u64> {
    status_kilobytes("VmRSS:")
}

/// Maximum resident memory so far, in bytes; `None` where the system does not report it.
pub fn peak_resident_bytes() -> Option<u64> {
    status_kilobytes("VmHWM:")
}

/// Resets [`peak_resident_bytes`] to the current memory, where the system can.
pub fn reset_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

fn status_kilobytes(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(field))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
