//! Debian's packages.

use anyhow::{Result, bail};

use crate::run;

/// Installs what is missing of `packages`, or ends with the command that does.
pub(super) fn install(packages: &[&str], why: &str) -> Result<()> {
    let missing: Vec<&str> = packages.iter().copied().filter(|package| !installed(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let typed = format!("apt-get install -y --no-install-recommends {}", missing.join(" "));
    if !root() {
        bail!("missing: {why}. This user may not install packages. Run\n\n    sudo {typed}\n\nand start again");
    }
    super::say(&typed, why);
    let install = || {
        run::run(
            run::command("apt-get")
                .args(["install", "-y", "--no-install-recommends", "-qq"])
                .args(&missing)
                .env("DEBIAN_FRONTEND", "noninteractive"),
        )
    };
    // The lists of a fresh machine are empty or old: fetch them only when they turn out so.
    if install().is_err() {
        run::run(run::command("apt-get").args(["update", "-qq"]))?;
        if let Err(error) = install() {
            bail!("{error:#}. Needed: {why}. Run\n\n    apt-get update && {typed}\n\nand start again");
        }
    }
    Ok(())
}

/// Whether this machine has Debian's packages at all.
pub(super) fn available() -> bool {
    run::on_path("apt-get").is_some() && run::on_path("dpkg-query").is_some()
}

fn installed(package: &str) -> bool {
    let status = run::output(run::command("dpkg-query").args(["--show", "--showformat=${db:Status-Abbrev}", package]));
    status.is_ok_and(|status| status.starts_with("ii"))
}

fn root() -> bool {
    run::output(run::command("id").arg("-u")).is_ok_and(|id| id == "0")
}
