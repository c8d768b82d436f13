//! Claude's tools: what is called, what comes back, and how large it is.

use crate::gen_log::lines::Lines;

/// A tool call and its result. The JSON parts stand in lines as they are.
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: &'static str,
    /// A JSON object.
    input: String,
    /// What the model is shown: a JSON string or array.
    pub(super) content: String,
    /// What the program keeps beside it, mostly the same again: a JSON object or string.
    pub(super) result: String,
    pub(super) failed: bool,
}

impl Call {
    /// The block of the assistant's message.
    pub(super) fn block(&self) -> String {
        format!(r#"{{"type":"tool_use","id":"{}","name":"{}","input":{}}}"#, self.id, self.name, self.input)
    }
}

/// A call of the usual mix.
pub(super) fn call(log: &mut Lines<'_>) -> Call {
    match log.draw.below(100) {
        0..36 => {
            let bytes = log.draw.size(700, 1.4, 0, 30_000);
            bash(log, bytes)
        }
        36..60 => read(log),
        60..78 => edit(log),
        78..83 => write(log),
        83..93 => grep(log),
        93..96 => todo(log),
        96 => picture(log),
        _ => fetch(log),
    }
}

pub(super) fn bash(log: &mut Lines<'_>, bytes: usize) -> Call {
    let (output, about, name) = (log.terminal(bytes), log.sentence(), log.name());
    let search = format!("rg -n {name} src");
    let command = log
        .draw
        .pick(&["cargo test -p core 2>&1 | tail -40", "git diff --stat && git status", &search])
        .to_owned();
    let failed = log.draw.chance(80);
    let (content, result) = if failed {
        (format!(r#""Exit code 1\n{output}""#), format!(r#""Error: Exit code 1\n{output}""#))
    } else {
        let result = format!(
            r#"{{"stdout":"{output}","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}}"#
        );
        (format!(r#""{output}""#), result)
    };
    let input = format!(r#"{{"command":"{command}","description":"{about}"}}"#);
    Call { id: id(log), name: "Bash", input, content, result, failed }
}

/// The task that a subagent was given, and its answer.
pub(super) fn task(log: &mut Lines<'_>, prompt: &str, agent: &str, answer: &str) -> Call {
    let (about, millis) = (log.sentence(), log.draw.between(5000, 400_000));
    let content = format!(r#"[{{"type":"text","text":"{answer}"}}]"#);
    let result = format!(
        r#"{{"status":"completed","prompt":"{prompt}","agentId":"{agent}","content":{content},"totalDurationMs":{millis},"totalTokens":41000,"totalToolUseCount":7,"usage":{{"input_tokens":4,"cache_creation_input_tokens":900,"cache_read_input_tokens":41000,"output_tokens":700}}}}"#
    );
    let input =
        format!(r#"{{"description":"{about}","prompt":"{prompt}","subagent_type":"general-purpose"}}"#);
    Call { id: id(log), name: "Task", input, content, result, failed: false }
}

fn read(log: &mut Lines<'_>) -> Call {
    let (file, bytes) = (log.file(), log.draw.size(5000, 1.0, 100, 60_000));
    let lines = log.code_lines(bytes);
    let numbered: Vec<String> =
        (1..).zip(&lines).map(|(number, line)| format!("{number:6}→{line}")).collect();
    let (content, count) = (format!(r#""{}""#, numbered.join(r"\n")), lines.len());
    let result = format!(
        r#"{{"type":"text","file":{{"filePath":"{file}","content":"{}","numLines":{count},"startLine":1,"totalLines":{count}}}}}"#,
        lines.join(r"\n")
    );
    let input = format!(r#"{{"file_path":"{file}","limit":400,"offset":1}}"#);
    Call { id: id(log), name: "Read", input, content, result, failed: false }
}

fn edit(log: &mut Lines<'_>) -> Call {
    let file = log.file();
    let (changed, whole) = (log.draw.size(500, 0.8, 60, 5000), log.draw.size(9000, 0.9, 300, 120_000));
    let (old, new, original) = (log.code(changed), log.code(changed), log.code(whole));
    let quoted = |sign: &str, text: &str| {
        text.split(r"\n").map(|line| format!(r#""{sign}{line}""#)).collect::<Vec<_>>().join(",")
    };
    let (first, length) = (log.draw.between(1, 900), old.matches(r"\n").count() + 1);
    let result = format!(
        r#"{{"filePath":"{file}","oldString":"{old}","newString":"{new}","originalFile":"{original}","structuredPatch":[{{"oldStart":{first},"oldLines":{length},"newStart":{first},"newLines":{length},"lines":[{},{}]}}],"userModified":false,"replaceAll":false}}"#,
        quoted("-", &old),
        quoted("+", &new)
    );
    let content = format!(r#""The file {file} has been updated successfully.""#);
    let input =
        format!(r#"{{"replace_all":false,"file_path":"{file}","old_string":"{old}","new_string":"{new}"}}"#);
    Call { id: id(log), name: "Edit", input, content, result, failed: false }
}

fn write(log: &mut Lines<'_>) -> Call {
    let (file, bytes) = (log.file(), log.draw.size(4000, 0.9, 100, 40_000));
    let code = log.code(bytes);
    let result = format!(
        r#"{{"type":"create","filePath":"{file}","content":"{code}","structuredPatch":[],"originalFile":null}}"#
    );
    let content = format!(r#""File created successfully at: {file}""#);
    let input = format!(r#"{{"file_path":"{file}","content":"{code}"}}"#);
    Call { id: id(log), name: "Write", input, content, result, failed: false }
}

fn grep(log: &mut Lines<'_>) -> Call {
    let (file, bytes, pattern) = (log.file(), log.draw.size(900, 1.0, 40, 12_000), log.name());
    let hits: Vec<String> =
        (7..).zip(log.code_lines(bytes)).map(|(number, line)| format!("{file}:{number}:{line}")).collect();
    let (found, count) = (hits.join(r"\n"), hits.len());
    let result =
        format!(r#"{{"mode":"content","numFiles":0,"filenames":[],"content":"{found}","numLines":{count}}}"#);
    let input =
        format!(r#"{{"pattern":"{pattern}","path":"/home/dev/project","output_mode":"content","-n":true}}"#);
    Call { id: id(log), name: "Grep", input, content: format!(r#""{found}""#), result, failed: false }
}

fn todo(log: &mut Lines<'_>) -> Call {
    let mut todos = Vec::new();
    for _ in 0..log.draw.between(2, 9) {
        let (words, status) = (log.sentence(), log.draw.pick(&["completed", "in_progress", "pending"]));
        todos.push(format!(r#"{{"content":"{words}","status":"{status}","activeForm":"{words}"}}"#));
    }
    let list = todos.join(",");
    let content = r#""Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress.""#;
    let result = format!(r#"{{"oldTodos":[],"newTodos":[{list}]}}"#);
    let input = format!(r#"{{"todos":[{list}]}}"#);
    Call { id: id(log), name: "TodoWrite", input, content: content.to_owned(), result, failed: false }
}

fn picture(log: &mut Lines<'_>) -> Call {
    let picture = log.picture();
    let content = format!(
        r#"[{{"type":"image","source":{{"type":"base64","data":"{picture}","media_type":"image/png"}}}}]"#
    );
    let size = picture.len() * 3 / 4;
    let result = format!(
        r#"{{"type":"image","file":{{"base64":"{picture}","type":"image/png","originalSize":{size}}}}}"#
    );
    let input = r#"{"file_path":"/home/dev/project/shot.png"}"#.to_owned();
    Call { id: id(log), name: "Read", input, content, result, failed: false }
}

fn fetch(log: &mut Lines<'_>) -> Call {
    let (word, about, bytes) = (log.word(), log.sentence(), log.draw.size(2500, 0.8, 200, 16_000));
    let page = log.prose(bytes);
    let size = page.len() * 7;
    let result = format!(
        r#"{{"bytes":{size},"code":200,"codeText":"OK","result":"{page}","durationMs":840,"url":"https://example.com/docs"}}"#
    );
    let input = format!(r#"{{"url":"https://example.com/docs/{word}","prompt":"{about}"}}"#);
    Call { id: id(log), name: "WebFetch", input, content: format!(r#""{page}""#), result, failed: false }
}

fn id(log: &mut Lines<'_>) -> String {
    format!("toolu_01{}", log.draw.hex(24))
}
