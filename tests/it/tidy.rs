//! Rules of the house that a compiler does not hold.

mod architecture;
mod looks;
mod sources;

use std::fs;
use std::path::Path;

use crate::fixtures::{names_in, project};

/// A text file of the project.
struct Source {
    /// Its path in the project, with slashes.
    path: String,
    text: String,
}

impl Source {
    /// Its code: what stands before the tests at its end, without comments.
    fn code(&self) -> String {
        let lines = self.text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
        let code = lines.map(|line| match line.find("//") {
            // An address in a string is no comment.
            Some(at) if !line[..at].ends_with(':') => &line[..at],
            _ => line,
        });
        code.collect::<Vec<_>>().join("\n")
    }

    fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.starts_with("tests/") || self.path.ends_with("/tests.rs")
    }

    fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap()
    }
}

/// The project's files in `folder` whose name ends so; what is built or installed is none of them.
fn sources(folder: &str, ending: &str) -> Vec<Source> {
    let mut found = Vec::new();
    collect(folder, ending, &mut found);
    found
}

fn collect(folder: &str, ending: &str, found: &mut Vec<Source>) {
    const NOT_OURS: [&str; 5] = [".git", "target", "dist", "node_modules", "test-results"];
    let here = project().join(folder);
    if !here.is_dir() {
        return;
    }
    for name in names_in(&here) {
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        if project().join(&path).is_dir() {
            if !NOT_OURS.contains(&name.as_str()) {
                collect(&path, ending, found);
            }
        } else if name.ends_with(ending) {
            let bytes = fs::read(Path::new(&project()).join(&path)).unwrap();
            found.extend(String::from_utf8(bytes).ok().map(|text| Source { path, text }));
        }
    }
}
