//! `cargo xtask serve`: the built site on this machine.

mod files;

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use anyhow::{Result, anyhow, bail};
use lexopt::{Arg, Parser, ValueExt};
use tiny_http::{Header, Method, Request, Response, Server};

use self::files::Answer;
pub(crate) use self::files::mime;
use crate::build;
use crate::project::Project;

/// What the page may do: its own files and nothing else. The page says the same of itself in a meta element.
pub(crate) const CSP: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; style-src-attr 'unsafe-inline'; frame-src 'self'; \
     connect-src 'self'; img-src 'self' data: blob:; worker-src 'self' blob:; base-uri 'none'; form-action 'none'";

/// Requests answered at the same time.
const THREADS: usize = 8;

/// `cargo xtask serve`.
pub(crate) fn command(project: &Project, mut args: Parser) -> Result<()> {
    let mut port = 8080;
    let mut options = build::Options::default();
    while let Some(argument) = args.next()? {
        match argument {
            Arg::Long("port") | Arg::Short('p') => port = args.value()?.parse()?,
            Arg::Long("dev") => options.dev = true,
            other => return Err(other.unexpected().into()),
        }
    }
    // Taken first: nobody wants to learn after the build that the port is in use.
    let server = Running::start(project.dist(), port)?;
    build::run(project, options)?;
    println!("Placewise is at {} (Ctrl-C ends it)", server.url());
    server.wait()
}

/// A server that answers until it is dropped.
pub(crate) struct Running {
    server: Arc<Server>,
    port: u16,
    threads: Vec<thread::JoinHandle<()>>,
}

impl Running {
    /// Serves a folder on 127.0.0.1; port 0 takes a free one.
    pub(crate) fn start(folder: PathBuf, port: u16) -> Result<Self> {
        let server = match Server::http(("127.0.0.1", port)) {
            Ok(server) => Arc::new(server),
            Err(error)
                if error
                    .downcast_ref::<std::io::Error>()
                    .is_some_and(|error| error.kind() == std::io::ErrorKind::AddrInUse) =>
            {
                bail!(
                    "port {port} is in use by another program. Choose one: cargo xtask serve --port {}",
                    port.saturating_add(1)
                )
            }
            Err(error) => return Err(anyhow!("cannot listen on 127.0.0.1:{port}: {error}")),
        };
        let port = server.server_addr().to_ip().map_or(port, |address| address.port());
        let folder = Arc::new(folder);
        let threads = (0..THREADS).map(|_| {
            let (server, folder) = (Arc::clone(&server), Arc::clone(&folder));
            thread::spawn(move || {
                while let Ok(request) = server.recv() {
                    respond(request, &folder);
                }
            })
        });
        let threads = threads.collect();
        Ok(Self { server, port, threads })
    }

    /// The address of the page.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    fn wait(mut self) -> Result<()> {
        for handle in self.threads.drain(..) {
            handle.join().map_err(|_| anyhow!("the server stopped"))?;
        }
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        for _ in &self.threads {
            self.server.unblock();
        }
    }
}

fn respond(request: Request, folder: &std::path::Path) {
    let header = |name: &'static str| {
        request.headers().iter().find(|header| header.field.equiv(name)).map(|header| header.value.as_str())
    };
    let answer = if matches!(request.method(), Method::Get | Method::Head) {
        files::answer(folder, request.url(), header("Accept-Encoding").unwrap_or_default())
    } else {
        Answer::refusal(405, "Only GET and HEAD\n")
    };
    let mut response =
        Response::from_data(answer.body).with_status_code(answer.status).with_chunked_threshold(usize::MAX);
    // The edition of one file has a policy of its own: it may run what is inside it.
    let single = request.url().split(['?', '#']).next().is_some_and(|path| path.ends_with(build::SINGLE));
    let policy = (!single).then(|| ("Content-Security-Policy", CSP.to_owned()));
    let always = policy.into_iter().chain([("X-Content-Type-Options", "nosniff".to_owned())]);
    for (name, value) in answer.headers.into_iter().chain(always) {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    request.respond(response).ok(); // the browser has gone: nobody to tell
}
