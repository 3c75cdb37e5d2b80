//! nginx and Caddy, to try the configurations in hosting/. They are unpacked and not installed: nothing of them is to run
//! on this machine but in the test.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use std::fs;

use super::apt;
use crate::project::Project;
use crate::run;

/// Debian's packages.
const PACKAGES: [&str; 3] = ["nginx", "libnginx-mod-http-brotli-static", "caddy"];

const WHY: &str = "the configurations in hosting/ are tried in the servers that they are for";

/// Programs that the tests of tests/hosting start.
pub(crate) struct Hosts {
    nginx: Option<PathBuf>,
    /// nginx's module for files that are packed with brotli.
    brotli: Option<PathBuf>,
    caddy: Option<PathBuf>,
}

impl Hosts {
    /// Tells a command where the servers are.
    pub(crate) fn tell(&self, command: &mut Command) {
        let named = [("NGINX", &self.nginx), ("NGINX_BROTLI", &self.brotli), ("CADDY", &self.caddy)];
        for (name, path) in named {
            if let Some(path) = path {
                command.env(format!("PLACEWISE_{name}"), path);
            }
        }
    }

    /// What is not there.
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        [("nginx", &self.nginx), ("Caddy", &self.caddy)]
            .into_iter()
            .filter_map(|(name, path)| path.is_none().then_some(name))
            .collect()
    }
}

/// Finds them, or unpacks Debian's; what cannot be had is missing.
pub(super) fn find(project: &Project) -> Hosts {
    let folder = project.cache.join("hosts");
    let found = || {
        let of = |path: &str| Some(folder.join(path)).filter(|path| path.is_file());
        Hosts {
            nginx: of("usr/sbin/nginx").or_else(|| run::on_path("nginx")),
            brotli: of("usr/lib/nginx/modules/ngx_http_brotli_static_module.so"),
            caddy: of("usr/bin/caddy").or_else(|| run::on_path("caddy")),
        }
    };
    let here = found();
    if here.missing().is_empty() || !apt::available() {
        return here;
    }
    if let Err(error) = unpack(&folder) {
        eprintln!("{error:#}");
    }
    found()
}

fn unpack(folder: &Path) -> Result<()> {
    super::say(&format!("apt-get download {}", PACKAGES.join(" ")), WHY);
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let download = || run::run(run::command("apt-get").args(["download", "-qq"]).args(PACKAGES).current_dir(folder));
    if download().is_err() {
        run::run(run::command("apt-get").args(["update", "-qq"]))?;
        download()?;
    }
    for package in fs::read_dir(folder)?.flatten().map(|entry| entry.path()) {
        if package.extension().is_some_and(|ending| ending == "deb") {
            run::run(run::command("dpkg-deb").arg("-x").arg(&package).arg(folder))?;
            fs::remove_file(&package)?;
        }
    }
    if !folder.join("usr").is_dir() {
        bail!("the packages had nothing in them");
    }
    Ok(())
}
