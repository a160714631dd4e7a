//! Stores on a disk that several hosts share: one host at a time.
//!
//! Processes that have a store open share memory through its `-shm` file, which works within one host only (SQLite,
//! "Write-Ahead Logging", §1). On a network's file system hosts therefore take turns. Whoever has a store open holds a
//! shared lock on the file `host` in its directory of locks, which names the host; another host writes its name there
//! once nobody holds the lock. When a host fails, its locks go, and the next one recovers the log.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::error::{Result, StoreError};
use crate::run::runs_directory::{OpenMode, RunsDirectory};

/// How long another host's short command is waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// Interval between two attempts to get the lock.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// In the directory of locks.
const HOST_FILE: &str = "host";

/// This host has the store open, and no other one.
#[derive(Debug)]
pub(super) struct HostLock {
    _file: File,
}

impl HostLock {
    /// Takes the lock of the store at `path`, which must exist; `None` on a disk of this host's own, or where nothing
    /// can be written.
    ///
    /// # Errors
    /// [`StoreError::OtherHost`] while another host has the store open; [`StoreError::NoLocks`] where the file system
    /// keeps no locks between hosts; [`StoreError::File`], [`StoreError::NotOurs`].
    pub(super) fn take(path: &Path) -> Result<Option<Self>> {
        let Some(disk) = SharedDisk::from_path(path) else { return Ok(None) };
        match Self::take_for(&Host::this(), path, &disk) {
            Err(StoreError::File { source, .. })
                if matches!(
                    source.kind(),
                    ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
                ) =>
            {
                Ok(None)
            }
            taken => taken.map(Some),
        }
    }

    fn take_for(host: &Host, path: &Path, disk: &SharedDisk) -> Result<Self> {
        let named = RunsDirectory(path).path().join(HOST_FILE);
        let fail = |source| StoreError::File { path: named.clone(), source };
        let opened = match disk.has_locks {
            true => RunsDirectory(path).open_file(HOST_FILE, OpenMode::Update)?,
            false => return Err(StoreError::NoLocks { path: path.into(), disk: disk.name }),
        };
        let mut file = opened.ok_or_else(|| fail(ErrorKind::NotFound.into()))?;
        let is_free = |taken| match taken {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(_)) => {
                Err(StoreError::NoLocks { path: path.into(), disk: disk.name })
            }
        };
        let begun = Instant::now();
        let mut other = String::new();
        loop {
            if is_free(file.try_lock_shared())? {
                let holder = read(&mut file).map_err(fail)?;
                if holder == host.text() {
                    return Ok(Self { _file: file });
                }
                // Else two hosts that both wait would keep each other from the whole lock.
                file.unlock().map_err(fail)?;
                if is_free(file.try_lock())? {
                    let named = write(&mut file, &host.text()).and_then(|()| file.unlock());
                    named.map_err(fail)?;
                    // The shared lock is taken anew, as another host may come between.
                    continue;
                }
                other = holder.split(' ').next().unwrap_or_default().into();
            }
            if begun.elapsed() > PATIENCE {
                let host = if other.is_empty() { "another host".into() } else { other };
                return Err(StoreError::OtherHost { path: path.into(), host, disk: disk.name });
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}

fn read(file: &mut File) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(1000).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn write(file: &mut File, text: &str) -> std::io::Result<()> {
    file.rewind()?;
    file.set_len(0)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// What shares memory: one running kernel.
struct Host {
    name: String,
    /// Differs between machines of the same name, and after a restart; empty where the system has none.
    boot: String,
}

impl Host {
    fn this() -> Self {
        let name = rustix::system::uname().nodename().to_string_lossy().replace(' ', "-");
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        Self { name, boot: boot.trim().into() }
    }

    fn text(&self) -> String {
        format!("{} {}", self.name, self.boot)
    }
}

/// A file system that other hosts may have mounted too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SharedDisk {
    name: &'static str,
    /// Whether locks of one host are seen by the others.
    has_locks: bool,
}

/// By the numbers of `statfs(2)`.
const SHARED: [(u32, &str); 13] = [
    (0x6969, "NFS"),
    (0x0BD0_0BD0, "Lustre"),
    (0x4750_4653, "GPFS"),
    (0x1983_0326, "BeeGFS"),
    (0x00C3_6400, "CephFS"),
    (0xFF53_4D42, "SMB"),
    (0xFE53_4D42, "SMB"),
    (0x5346_414F, "AFS"),
    (0x0116_1970, "GFS2"),
    (0x7461_636F, "OCFS2"),
    (0xAAD7_AAEA, "Panasas"),
    (0x2003_0528, "OrangeFS"),
    (0x0102_1997, "9P"),
];
/// All that is mounted by FUSE has one number; what it is, its type tells.
const FUSE: u32 = 0x6573_5546;
/// Those of other hosts, and whether hosts see each other's locks. Others, such as encrypted folders, are the host's own.
const BY_FUSE: [(&str, bool); 7] = [
    ("sshfs", false),
    ("rclone", false),
    ("s3fs", false),
    ("gcsfuse", false),
    ("glusterfs", true),
    ("ceph-fuse", true),
    ("juicefs", true),
];
/// Options of mounts that keep locks within the host.
const LOCAL_LOCKS: [&str; 5] =
    ["nolock", "local_lock=all", "local_lock=flock", "localflock", "nobrl"];

impl SharedDisk {
    /// The file system of a path that exists, where other hosts may have it too.
    #[cfg(target_os = "linux")]
    fn from_path(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let found = u32::try_from(rustix::fs::statfs(path).ok()?.f_type & 0xFFFF_FFFF).ok()?;
        let name = SHARED.iter().find(|(number, _)| *number == found).map(|(_, name)| *name);
        if name.is_none() && found != FUSE {
            return None;
        }
        let device = std::fs::metadata(path).ok()?.dev();
        let device = format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device));
        let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        Self::from_mounts(name, &mounts, &device)
    }

    /// By its name, which what is mounted by FUSE does not have, and by what `/proc/self/mountinfo` says of the device.
    fn from_mounts(name: Option<&'static str>, mounts: &str, device: &str) -> Option<Self> {
        let mount = mounts.lines().find(|line| line.split(' ').nth(2) == Some(device));
        if let Some(name) = name {
            let options = mount.and_then(|line| line.rsplit(' ').next()).unwrap_or_default();
            let is_local = options.split(',').any(|option| LOCAL_LOCKS.contains(&option));
            return Some(Self { name, has_locks: !is_local });
        }
        // "… - TYPE SOURCE OPTIONS", the type of sshfs being fuse.sshfs.
        let (_, end) = mount?.split_once(" - ")?;
        let kind = end.split(' ').next()?.strip_prefix("fuse.")?;
        let (name, has_locks) = *BY_FUSE.iter().find(|(name, _)| *name == kind)?;
        Some(Self { name, has_locks })
    }

    /// No numbers are known for other systems.
    #[cfg(not(target_os = "linux"))]
    fn from_path(_: &Path) -> Option<Self> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Access, Store};

    const NFS: SharedDisk = SharedDisk { name: "NFS", has_locks: true };

    fn host(name: &str, boot: &str) -> Host {
        Host { name: name.into(), boot: boot.into() }
    }

    #[test]
    fn hosts_take_turns_and_a_host_shares_with_itself() {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("t.db");
        drop(Store::open(&path, Access::Create).expect("made"));
        let (here, there) = (host("node1", "a"), host("node2", "b"));
        let first = HostLock::take_for(&here, &path, &NFS).expect("free");
        let second = HostLock::take_for(&here, &path, &NFS).expect("shared");
        drop(first);
        let refused = HostLock::take_for(&there, &path, &NFS).expect_err("in use");
        assert!(
            matches!(&refused, StoreError::OtherHost { host, .. } if host == "node1"),
            "{refused}"
        );
        drop(second);
        let third = HostLock::take_for(&there, &path, &NFS).expect("their turn");
        // A machine of the same name that was started at another time is another one.
        let twin = HostLock::take_for(&host("node2", "c"), &path, &NFS).expect_err("in use");
        assert!(matches!(twin, StoreError::OtherHost { .. }), "{twin}");
        drop(third);
        drop(HostLock::take_for(&here, &path, &NFS).expect("its turn again"));
    }

    #[test]
    fn of_many_that_begin_at_once_only_one_host_gets_the_store() {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("t.db");
        drop(Store::open(&path, Access::Create).expect("made"));
        let held: Vec<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|number| {
                    let (path, name) = (&path, format!("node{}", number % 4));
                    scope.spawn(move || {
                        let lock = HostLock::take_for(&host(&name, "boot"), path, &NFS).ok();
                        // Held until all others have given up.
                        std::thread::sleep(2 * PATIENCE);
                        lock.map(|_| name)
                    })
                })
                .collect();
            threads.into_iter().filter_map(|thread| thread.join().expect("joined")).collect()
        });
        assert_eq!(held.len(), 2, "both processes of one host: {held:?}");
        assert_eq!(held[0], held[1]);
    }

    #[test]
    fn without_locks_between_hosts_a_store_is_refused() {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("t.db");
        drop(Store::open(&path, Access::Create).expect("made"));
        let disk = SharedDisk { has_locks: false, ..NFS };
        let refused = HostLock::take_for(&host("node1", "a"), &path, &disk).expect_err("refused");
        assert!(matches!(refused, StoreError::NoLocks { .. }), "{refused}");
    }

    #[test]
    fn mounts_tell_where_locks_stay_within_the_host() {
        let mounts = "\
            36 35 98:0 / / rw,noatime shared:1 - ext4 /dev/root rw,errors=continue\n\
            40 36 0:44 / /home rw - nfs4 server:/home rw,vers=4.2,local_lock=none,addr=10.0.0.1\n\
            41 36 0:45 / /old rw - nfs server:/old rw,vers=3,nolock,proto=tcp,local_lock=all\n\
            42 36 0:46 / /scratch rw - lustre mds@tcp:/scratch rw,localflock\n\
            43 36 0:47 / /far rw - fuse.sshfs ada@far: rw,user_id=1000\n\
            44 36 0:48 / /safe rw - fuse.gocryptfs /home/ada/.safe rw,user_id=1000\n\
            45 36 0:49 / /all rw - fuse.glusterfs server:/all rw\n";
        let found = |name, device| {
            let disk = SharedDisk::from_mounts(name, mounts, device);
            disk.map(|disk| (disk.name, disk.has_locks))
        };
        assert_eq!(found(Some("NFS"), "0:44"), Some(("NFS", true)));
        assert_eq!(found(Some("NFS"), "0:45"), Some(("NFS", false)));
        assert_eq!(found(Some("Lustre"), "0:46"), Some(("Lustre", false)));
        assert_eq!(found(None, "0:47"), Some(("sshfs", false)));
        assert_eq!(found(None, "0:48"), None);
        assert_eq!(found(None, "0:49"), Some(("glusterfs", true)));
        // Where mounts cannot be read the number alone tells.
        assert_eq!(found(Some("NFS"), "9:9"), Some(("NFS", true)));
    }

    #[test]
    fn a_disk_of_this_host_needs_no_turns() {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("t.db");
        drop(Store::open(&path, Access::Create).expect("made"));
        if SharedDisk::from_path(&path).is_none() {
            assert!(HostLock::take(&path).expect("taken").is_none());
            assert!(!directory.path().join("t.db.runs").exists());
        }
    }
}
