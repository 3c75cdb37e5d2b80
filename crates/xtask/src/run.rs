//! Running other programs.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A command whose environment is the caller's, without what `cargo run` added for this tool itself.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in env::vars_os() {
        let Some(text) = name.to_str() else { continue };
        if text == "CARGO" || text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(name);
        }
    }
    command
}

/// Takes flags meant for the host's compiler out of a command that builds WebAssembly.
pub(crate) fn without_host_flags(command: &mut Command) {
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS", "CARGO_BUILD_TARGET"] {
        command.env_remove(name);
    }
}

/// Runs a command to its end with its output shown. An error names the command.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start `{}`", shown(command)))?;
    succeeded(command, status)
}

/// Runs a command quietly and gives what it wrote to stdout.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{}`", shown(command)))?;
    if !output.status.success() {
        bail!("`{}` failed: {}", shown(command), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a command quietly and tells whether it could be started and succeeded.
pub(crate) fn works(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Runs a command for at most `limit`; past it, the command and all that it started are ended, and the answer is `None`.
pub(crate) fn within(command: &mut Command, limit: Duration) -> Result<Option<ExitStatus>> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child =
        command.stdin(Stdio::null()).spawn().with_context(|| format!("cannot start `{}`", shown(command)))?;
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begin.elapsed() > limit {
            end_group(&mut child)?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(50));
    }
}

fn end_group(child: &mut Child) -> Result<()> {
    if cfg!(unix) {
        works(Command::new("kill").args(["-KILL", "--"]).arg(format!("-{}", child.id())));
    }
    child.kill().ok(); // it may be gone already
    child.wait()?;
    Ok(())
}

fn succeeded(command: &Command, status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("`{}` failed ({status})", shown(command));
    }
    Ok(())
}

/// The command as a person would type it.
pub(crate) fn shown(command: &Command) -> String {
    let mut text = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    for argument in command.get_args() {
        let argument = argument.to_string_lossy();
        text.push(' ');
        if argument.contains(' ') {
            text.push('\'');
            text.push_str(&argument);
            text.push('\'');
        } else {
            text.push_str(&argument);
        }
    }
    text
}

/// The full path of a program on PATH.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let names =
        if cfg!(windows) { vec![format!("{program}.exe"), format!("{program}.cmd")] } else { vec![program.to_owned()] };
    env::split_paths(&env::var_os("PATH")?)
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>())
        .find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_past_its_limit_is_ended_with_its_children() -> Result<()> {
        let begin = Instant::now();
        let outcome = within(Command::new("sh").args(["-c", "sleep 30 & sleep 30"]), Duration::from_millis(200))?;
        assert!(outcome.is_none());
        assert!(begin.elapsed() < Duration::from_secs(5));
        Ok(())
    }

    #[test]
    fn a_command_is_shown_as_it_is_typed() {
        assert_eq!(shown(Command::new("/usr/bin/npm").args(["ci", "--prefix", "a b"])), "npm ci --prefix 'a b'");
    }
}
