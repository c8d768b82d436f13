//! Puts the built page into the binary: copies `dist/` to `OUT_DIR`, compresses what shrinks, and writes the table
//! that `src/serve/page.rs` includes. Without a `dist/` the table is empty and the binary still builds.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

/// Media that is compressed already: trying again only costs time.
const COMPRESSED: &[&str] = &["png", "jpg", "webp", "woff2", "gz", "br", "zst", "zip"];

fn main() -> io::Result<()> {
    let dist = Path::new("../../dist");
    println!("cargo:rerun-if-changed={}", dist.display());
    println!("cargo:rerun-if-changed=build.rs");

    let out = PathBuf::from(required_variable("OUT_DIR")?);
    let copies = out.join("page");
    if copies.exists() {
        fs::remove_dir_all(&copies)?;
    }
    let quality = if required_variable("PROFILE")? == "release" { 11 } else { 9 };

    let mut names = Vec::new();
    if dist.is_dir() {
        list(dist, "", &mut names)?;
    }
    names.sort();

    let mut table = String::from("&[\n");
    for name in &names {
        let bytes = fs::read(dist.join(name))?;
        let identity = form(&copies, name, &bytes)?;
        let brotli = match compress(name, &bytes, quality)? {
            Some(smaller) => format!("Some({})", form(&copies, &format!("{name}.br"), &smaller)?),
            None => "None".to_owned(),
        };
        table += &format!("    Asset {{ path: {name:?}, identity: {identity}, brotli: {brotli} }},\n");
    }
    table += "]\n";
    fs::write(out.join("page.rs"), table)
}

/// Every file below `folder`, as a path from `dist/` with forward slashes, as a URL has them.
fn list(folder: &Path, prefix: &str, names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // Where Trunk was interrupted, it leaves a hidden folder of unfinished work.
        if name.starts_with('.') {
            continue;
        }
        let name = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{name}/"), names)?;
        } else {
            names.push(name);
        }
    }
    Ok(())
}

/// The Brotli form, where it is smaller than the file itself.
fn compress(name: &str, bytes: &[u8], quality: i32) -> io::Result<Option<Vec<u8>>> {
    let extension = name.rsplit('.').next().unwrap_or_default();
    if COMPRESSED.contains(&extension) {
        return Ok(None);
    }
    let parameters = brotli::enc::BrotliEncoderParams { quality, ..Default::default() };
    let mut smaller = Vec::new();
    brotli::BrotliCompress(&mut &bytes[..], &mut smaller, &parameters)?;
    Ok((smaller.len() < bytes.len()).then_some(smaller))
}

/// Writes `bytes` below `OUT_DIR` and gives the Rust expression that includes them, with their entity tag.
fn form(copies: &Path, name: &str, bytes: &[u8]) -> io::Result<String> {
    let path = copies.join(name);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)?;

    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let etag = format!("\"{:016x}\"", hasher.finish());
    let included = format!("/page/{name}");
    Ok(format!("Form {{ bytes: include_bytes!(concat!(env!(\"OUT_DIR\"), {included:?})), etag: {etag:?} }}"))
}

fn required_variable(name: &str) -> io::Result<String> {
    std::env::var(name).map_err(|_| io::Error::other(format!("cargo did not set {name}")))
}
