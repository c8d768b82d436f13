// Reading a session: the toggle, links, folds, the raw log, the receipt, the keys.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { BINARY, assertQuiet, drop, open, ready } from "./harness.mjs";
import { Claude, file, piWithBranch, piWithCompaction, zstd } from "./logs.mjs";

const feed = (page) => page.getByRole("feed", { name: "Transcript" });
const article = (page, text) => feed(page).getByRole("article").filter({ hasText: text });

async function opened(t, path, options) {
  const page = await open(t, options);
  await drop(page, "body", [path]);
  await feed(page).getByRole("article").first().waitFor();
  return page;
}

test("inactive messages are counted, hidden, and one toggle away", async (t) => {
  const page = await opened(t, file("pi.jsonl", piWithBranch()));
  await article(page, "A forest in the west.").waitFor();
  assert.equal(await article(page, "add a lake").count(), 0);
  const toggle = page.getByRole("button", { name: "Show inactive (2)" });
  assert.equal(await toggle.getAttribute("aria-pressed"), "false");
  await toggle.click();
  await article(page, "add a lake").waitFor();
  assert.equal(await toggle.getAttribute("aria-pressed"), "true");
  await page.keyboard.press("i");
  await article(page, "add a lake").waitFor({ state: "detached" });
  assertQuiet(page);
});

test("a compaction says what it took the place of, and shows it", async (t) => {
  const page = await opened(t, file("pi.jsonl", piWithCompaction()));
  const divider = article(page, "Summarised here · 2 messages, 34,000 tokens before");
  await divider.waitFor();
  assert.equal(await article(page, "A map with hills.").count(), 0);
  await divider.getByRole("button", { name: "Show 2 messages" }).click();
  await article(page, "A map with hills.").waitFor();
  await divider.getByRole("button", { name: "Hide what it took the place of" }).click();
  await article(page, "A map with hills.").waitFor({ state: "detached" });
  await page.getByRole("navigation", { name: "Outline" }).getByText("Where we were", { exact: true }).waitFor();
  assertQuiet(page);
});

test("a session without a message says so", async (t) => {
  const page = await open(t);
  await drop(page, "body", [new Claude().add("system", undefined, { subtype: "turn_duration", durationMs: 5 }).write()]);
  await page.getByRole("heading", { name: "No messages in this session" }).waitFor();
  assertQuiet(page);
});

test("a source that cannot say what was superseded is honest about it", async (t) => {
  const log = new Claude().prompt("make a plan");
  const fork = log.parent;
  log.answer("Plan: step 1.");
  const planned = log.parent;
  log.prompt("do it the wrong way").answer("Did it wrong.");
  log.parent = planned;
  log.prompt("do it the right way").answer("Did it right.");
  assert.ok(fork);
  const page = await opened(t, log.write());
  await article(page, "Did it wrong.").waitFor();
  await article(page, "Did it right.").waitFor();
  await page.getByText("This source does not record superseded history").first().waitFor();
  await feed(page).getByText(/does not (record|say) which/).first().waitFor();
});

test("a link opens at its message, also after a reload", async (t) => {
  const log = new Claude("linked");
  for (let number = 1; number <= 300; number += 1) log.prompt(`prompt ${number}`).answer(`reply ${number}`);
  const path = log.write();
  const page = await open(t, { path: "?m=linked-400" });
  await drop(page, "body", [path]);
  await article(page, "reply 200").waitFor();
  await assertInView(page, "reply 200");
  await page.reload();
  await page.getByText(/again/).first().waitFor();
  await drop(page, "body", [path]);
  await article(page, "reply 200").waitFor();
  await assertInView(page, "reply 200");
});

test("a link to a subagent's message opens at the call that started it", async (t) => {
  const { paths } = fixtures().find(({ name }) => name === join("claude", "subagent-files"));
  const page = await open(t, { path: "?m=h1" });
  await drop(page, "body", paths);
  await ready(page);
  await page.waitForFunction(() => document.activeElement?.closest("article")?.querySelector(".fold[data-look=agent], .agent-closed, .fold") !== null);
  assert.equal(await page.getByText(/has no message/).count(), 0);
});

test("a link to an inactive message turns the toggle on; one to nowhere says so", async (t) => {
  const path = file("pi.jsonl", piWithBranch());
  const page = await open(t, { path: "?m=aaaa0004" });
  await drop(page, "body", [path]);
  await article(page, "A lake in the east.").waitFor();
  assert.equal(await page.getByRole("button", { name: /Show inactive/ }).getAttribute("aria-pressed"), "true");
  const other = await open(t, { path: "?m=nowhere" });
  await drop(other, "body", [path]);
  await other.getByText(/has no message/).first().waitFor();
});

test("thinking and calls are folded, and open with their bodies", async (t) => {
  const log = new Claude().prompt("run it");
  log.answer([{ type: "thinking", thinking: "Careful now.\n\nThe second thought." }]);
  log.call("toolu_1", "Bash", { command: "make all", description: "Build" });
  log.result("toolu_1", "\u001b[31merror\u001b[0m: no rule\n".repeat(3), true);
  log.call("toolu_2", "Bash", { command: "sleep 1" });
  const page = await opened(t, log.write());
  assert.equal(await feed(page).getByText("The second thought.").count(), 0);
  await feed(page).getByRole("button", { name: /Thinking/ }).click();
  await feed(page).getByText("The second thought.").waitFor();
  const failed = feed(page).getByRole("button", { name: /make all/ });
  assert.match(await failed.innerText(), /failed/i, "a failed call is seen while folded");
  await failed.click();
  await feed(page).getByText("no rule").first().waitFor();
  assert.ok(!(await feed(page).innerText()).includes("[31m"));
  assert.match(await feed(page).getByRole("button", { name: /sleep 1/ }).innerText(), /no result/i);
  assertQuiet(page);
});

test("the raw lines of a message and of the receipt are there", async (t) => {
  const log = new Claude().prompt("look").answer("Looked.").raw("not json").raw({ type: "from-the-future", sessionId: "session-1", uuid: "x" });
  const page = await opened(t, log.write());
  await page.getByRole("button", { name: /4 lines read · 2 not understood/ }).click();
  const receipt = page.getByRole("region", { name: "Receipt" });
  await receipt.waitFor();
  await receipt.getByText("from-the-future").first().waitFor();
  await receipt.getByRole("button", { name: /Damaged lines/ }).click();
  await receipt.getByText("the line is not a JSON object").first().waitFor();
  await page.keyboard.press("Escape");
  await receipt.waitFor({ state: "detached" });
  await page.keyboard.press("j");
  await page.keyboard.press("r");
  await page.getByRole("dialog").getByText(/"uuid"/).first().waitFor();
  await page.keyboard.press("Escape");
});

test("keys move between messages and open the help", async (t) => {
  const page = await opened(t, new Claude().prompt("one").answer("two").prompt("three").answer("four").write());
  const focused = () => page.evaluate(() => document.activeElement?.closest("article")?.getAttribute("aria-posinset"));
  await page.keyboard.press("j");
  assert.equal(await focused(), "1");
  await page.keyboard.press("j");
  assert.equal(await focused(), "2");
  await page.keyboard.press("k");
  assert.equal(await focused(), "1");
  await page.keyboard.press("J");
  assert.equal(await focused(), "3");
  await page.keyboard.press("?");
  const help = page.getByRole("dialog");
  await help.waitFor();
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
});

test("the sample opens with one click and by its address, also after a reload", async (t) => {
  const page = await open(t);
  await page.getByRole("button", { name: "Try the sample" }).click();
  await feed(page).getByRole("article").first().waitFor();
  assert.match(page.url(), /[?&]sample/);
  await page.reload();
  await feed(page).getByRole("article").first().waitFor();
  assertQuiet(page);
});

test("the page and the command give the same session detail", async (t) => {
  const log = new Claude().prompt("run it").answer([{ type: "thinking", thinking: "Hm." }]).answer("Now.");
  log.call("toolu_1", "Bash", { command: "ls", n: 1.5 }).result("toolu_1", "a\nb").raw("torn {").prompt("long ".repeat(9000));
  for (const path of [log.write(), file("pi.jsonl", piWithBranch())]) {
    const page = await opened(t, path);
    assert.deepEqual(await saved(page), detail(path));
  }
});

test("so they do for every log that we have, alone, in several files, compressed", { timeout: 300_000 }, async (t) => {
  const page = await open(t);
  const cases = fixtures();
  assert.ok(cases.length > 100, "the fixtures are there");
  for (const { name, paths, records } of cases) {
    // The goldens are those of the tests in Rust, which run unoptimised; this is the command that ships.
    assert.equal(command(...paths, "--records"), readFileSync(records, "utf8"), name);
    await page.evaluate(() => performance.clearMarks());
    await drop(page, "body", paths);
    await ready(page);
    assert.deepEqual(await saved(page), detail(...paths), name);
  }
  const lines = cases.find(({ paths }) => paths.length === 1 && paths[0].endsWith(".jsonl")).paths[0];
  await page.evaluate(() => performance.clearMarks());
  await drop(page, "body", [file("packed.jsonl.zst", zstd(readFileSync(lines)))]);
  await ready(page);
  assert.deepEqual(await saved(page), detail(lines));
  assertQuiet(page);
});

/** What the page saves of the session that it shows. */
async function saved(page) {
  await page.getByRole("button", { name: /lines? read/ }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as JSON" }).click()]);
  await page.keyboard.press("Escape");
  return JSON.parse(readFileSync(await download.path(), "utf8"));
}

/** What the command says of the same files. */
function detail(...paths) {
  return JSON.parse(command(...paths, "--json"));
}

function command(...args) {
  return execFileSync(BINARY, ["read", ...args], { encoding: "utf8", maxBuffer: 1e9 });
}

/** The logs of each case in tests/fixtures. */
function fixtures() {
  const root = fileURLToPath(new URL("../fixtures", import.meta.url));
  const goldens = ["records.jsonl", "outline.txt", "receipt.txt"];
  const folders = (path) => readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => join(path, entry.name));
  return folders(root).flatMap(folders).map((folder) => {
    const names = readdirSync(folder).filter((name) => !goldens.includes(name)).sort();
    return { name: relative(root, folder), paths: names.map((name) => join(folder, name)), records: join(folder, "records.jsonl") };
  });
}

async function assertInView(page, text) {
  await page.waitForFunction(
    (wanted) => {
      const found = [...document.querySelectorAll("article")].find((row) => row.textContent.includes(wanted));
      if (!found) return false;
      const box = found.getBoundingClientRect();
      return box.bottom > 0 && box.top < innerHeight;
    },
    text,
    { timeout: 10_000 },
  );
}
