// Small logs for the journeys, written when they are needed. The shapes are those of Claude Code and Pi.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";

/** Writes files below a new folder: `{ "a/b.jsonl": "…" }` → the folder's path. */
export function folder(files) {
  const root = mkdtempSync(join(tmpdir(), "palimpsest-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

/** Writes one file and says where. */
export function file(name, content) {
  return join(folder({ [name]: content }), name);
}

/** Lines of a log: objects as JSON, strings and buffers as they stand. */
export function jsonl(lines) {
  return Buffer.concat(
    lines.flatMap((line) => [Buffer.isBuffer(line) ? line : Buffer.from(typeof line === "string" ? line : JSON.stringify(line)), Buffer.from("\n")]),
  );
}

/** `bytes` as one zstd frame of raw blocks: the format without its compression (RFC 8878). */
export function zstd(bytes) {
  const most = 1 << 16;
  const parts = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), number(bytes.length, 4)];
  for (let at = 0; at < bytes.length; at += most) {
    const block = bytes.subarray(at, at + most);
    const isLast = at + most >= bytes.length;
    parts.push(number((block.length << 3) | Number(isLast), 3), block);
  }
  return Buffer.concat(parts);
}

/** A zip archive of `[[name, bytes]]`. `flags` and `size` say something else of every file than is true, in the list of files. */
export function zip(files, { flags = 0, size } = {}) {
  const parts = [];
  const list = [];
  let at = 0;
  for (const [name, content] of files) {
    const path = Buffer.from(name);
    const packed = deflateRawSync(content, { level: 9 });
    const about = (length) => Buffer.concat([number(flags, 2), number(8, 2), number(0, 4), number(crc32(content), 4), number(packed.length, 4), number(length, 4), number(path.length, 2), number(0, 2)]);
    const local = Buffer.concat([Buffer.from("PK\x03\x04\x14\0", "latin1"), about(content.length), path, packed]);
    list.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\0\x14\0", "latin1"), about(size ?? content.length), Buffer.alloc(10), number(at, 4), path]));
    parts.push(local);
    at += local.length;
  }
  const names = Buffer.concat(list);
  const end = Buffer.concat([Buffer.from("PK\x05\x06\0\0\0\0", "latin1"), number(files.length, 2), number(files.length, 2), number(names.length, 4), number(at, 4), number(0, 2)]);
  return Buffer.concat([...parts, names, end]);
}

function number(value, bytes) {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}

/** A Claude Code session in the making. */
export class Claude {
  constructor(session = "session-1") {
    this.session = session;
    this.lines = [];
    this.parent = null;
    this.time = Date.UTC(2026, 2, 2, 10, 0, 0);
  }

  prompt(text, more = {}) {
    return this.add("user", { role: "user", content: text }, more);
  }

  answer(content, more = {}) {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    const message = { id: `msg_${this.lines.length}`, type: "message", role: "assistant", model: "claude-sonnet-4-5", content: blocks, usage };
    return this.add("assistant", { ...message, ...more.message }, { ...more, message: undefined });
  }

  call(id, name, input) {
    return this.answer([{ type: "tool_use", id, name, input }]);
  }

  result(id, content, isError = false) {
    return this.add("user", { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error: isError }] });
  }

  raw(line) {
    this.lines.push(line);
    return this;
  }

  /** The id that the next line will get. */
  next() {
    return `${this.session}-${this.lines.length + 1}`;
  }

  add(type, message, more = {}) {
    const uuid = this.next();
    this.time += 1000;
    const line = {
      parentUuid: this.parent,
      isSidechain: false,
      type,
      sessionId: this.session,
      cwd: "/home/ada/shop",
      version: "2.1.100",
      gitBranch: "main",
      message,
      uuid,
      timestamp: new Date(this.time).toISOString(),
      ...more,
    };
    this.lines.push({ ...line, message });
    this.parent = uuid;
    return this;
  }

  bytes() {
    return jsonl(this.lines);
  }

  write(name = "session.jsonl") {
    return file(name, this.bytes());
  }
}

/** `count` prompts with an answer each: 2 × `count` messages of uneven height. */
export function manyMessages(count) {
  const log = new Claude("many");
  for (let number = 1; number <= count; number += 1) {
    log.prompt(`prompt ${number}`);
    log.answer(`reply ${number}\n\n${"- an item of the list\n".repeat(number % 7)}`);
  }
  return log;
}

/** A Pi session whose second prompt was left for a third: one inactive prompt with its answer. */
export function piWithBranch() {
  return pi([
    message("aaaa0001", null, "user", "draw a map"),
    message("aaaa0002", "aaaa0001", "assistant", "A map with hills."),
    message("aaaa0003", "aaaa0002", "user", "add a lake"),
    message("aaaa0004", "aaaa0003", "assistant", "A lake in the east."),
    message("aaaa0005", "aaaa0002", "user", "add a forest"),
    message("aaaa0006", "aaaa0005", "assistant", "A forest in the west."),
  ]);
}

/** A Pi session with a compaction that took the place of its first prompt and answer. */
export function piWithCompaction() {
  const compaction = { summary: "# Where we were\n\nA map was drawn.", firstKeptEntryId: "bbbb0003", tokensBefore: 34_000 };
  return pi([
    message("bbbb0001", null, "user", "draw a map"),
    message("bbbb0002", "bbbb0001", "assistant", "A map with hills."),
    message("bbbb0003", "bbbb0002", "user", "add a lake"),
    { type: "compaction", id: "bbbb0004", parentId: "bbbb0003", timestamp: PI_TIME, ...compaction },
    message("bbbb0005", "bbbb0004", "assistant", "A lake in the east."),
  ]);
}

const PI_TIME = "2026-03-02T10:00:00.000Z";

function pi(entries) {
  return jsonl([{ type: "session", version: 3, id: "pi-session", timestamp: PI_TIME, cwd: "/home/ada/shop" }, ...entries]);
}

function message(id, parentId, role, text) {
  const answer = role === "assistant" ? { provider: "p", model: "m", stopReason: "stop" } : {};
  return { type: "message", id, parentId, timestamp: PI_TIME, message: { role, content: [{ type: "text", text }], ...answer } };
}

const MARKUP = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script><b onclick="window.pwned=1">bold</b>`;
const LINKS = `[a](javascript:window.pwned=1) [b](data:text/html,<script>window.pwned=1</script>) [c](vbscript:x) <javascript:window.pwned=1> ![i](https://tracker.invalid/pixel.png)`;
const TERMINAL = `\u001b[31mred\u001b[0m \u001b]0;title\u0007\u001b]8;;javascript:window.pwned=1\u001b\\link\u001b]8;;\u001b\\ \u202Egnp.exe\u202C`;

/** Every field that can reach the page carries markup, script, links that are none, bidi controls and terminal codes. */
export function hostile() {
  const evil = `${MARKUP} ${LINKS} ${TERMINAL}`;
  const log = new Claude(`evil"><img src=x onerror=window.pwned=1>`);
  const fields = { cwd: evil, gitBranch: evil, version: evil, slug: evil };
  log.prompt(`prompt ${evil}`, fields);
  log.answer([{ type: "thinking", thinking: `thought ${evil}` }], { ...fields, message: { model: evil } });
  log.answer(`answer ${evil}\n\n\`\`\`html"><img src=x>\n${evil}\n\`\`\`\n\n| ${MARKUP} |\n|---|\n| ${TERMINAL} |`, fields);
  log.call(`id"><img src=x onerror=window.pwned=1>`, evil, { command: evil, [evil]: evil, nested: [{ deep: evil }] });
  log.result(`id"><img src=x onerror=window.pwned=1>`, evil, true);
  log.raw({ type: "custom-title", customTitle: `title ${evil}`, sessionId: log.session });
  log.raw({ type: evil, sessionId: log.session, uuid: evil });
  log.add("system", undefined, { subtype: "local_command", content: `<local-command-stdout>${evil}</local-command-stdout>` });
  return log;
}
