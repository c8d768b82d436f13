// Every screen in both themes: axe-core finds nothing, and nothing is wider than a phone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertQuiet, axe, drop, endWorker, open as openPage, unfoldAll } from "./harness.mjs";
import { Claude, file, piWithBranch } from "./logs.mjs";

const feed = (page) => page.getByRole("feed", { name: "Transcript" });

/** The page, once its program has drawn the first screen. */
async function open(t, options) {
  const page = await openPage(t, options);
  await page.getByRole("button", { name: "Open files" }).waitFor();
  return page;
}

function rich() {
  const log = new Claude().prompt("# A heading\n\nfix the gate, **please**");
  log.answer([{ type: "thinking", thinking: "Look first." }]);
  log.answer("Done:\n\n| a | b |\n|---|---|\n| `x` | 1 |\n\n- [x] one\n- [ ] two\n\n```rust\nfn main() {}\n```\n\n> a [link](https://example.org)");
  log.call("toolu_1", "Bash", { command: "make" }).result("toolu_1", "\u001b[32mok\u001b[0m\n\u001b[31mbad\u001b[0m", true);
  log.prompt("<command-name>/clear</command-name>").raw("not json");
  log.prompt(`averyveryverylongword${"x".repeat(400)}`);
  log.prompt("שלום עולם, מה שלומך?");
  return log.write();
}

const SCREENS = {
  home: async () => {},
  failed: async (page) => {
    await drop(page, "body", [file("a.jsonl", "Dear diary\n")]);
    await page.getByRole("alert").waitFor();
  },
  sessions: async (page) => {
    const log = (id) => new Claude(id).prompt("hello").answer("hi").bytes();
    await drop(page, "body", [file("one.jsonl", log("one")), file("two.jsonl", log("two"))]);
    await page.getByRole("button", { name: /two\.jsonl/ }).waitFor();
  },
  reader: async (page) => {
    await drop(page, "body", [rich()]);
    await feed(page).getByRole("article").first().waitFor();
    await unfoldAll(feed(page));
    await page.waitForTimeout(300);
  },
  empty: async (page) => {
    await drop(page, "body", [new Claude().add("system", undefined, { subtype: "turn_duration", durationMs: 5 }).write()]);
    await page.getByRole("heading", { name: "No messages in this session" }).waitFor();
  },
  // On a screen as narrow as a phone's this is a drawer over the messages.
  outline: async (page) => {
    await drop(page, "body", [rich()]);
    await feed(page).getByRole("article").first().waitFor();
    const toggle = page.getByRole("button", { name: "Outline" });
    if (await toggle.isVisible()) await toggle.click();
    await page.getByRole("navigation", { name: "Outline" }).getByText("A heading").first().waitFor();
  },
  inactive: async (page) => {
    await drop(page, "body", [file("pi.jsonl", piWithBranch())]);
    await page.getByRole("button", { name: /Show inactive/ }).click();
    await feed(page).getByText("A lake in the east.").waitFor();
  },
  receipt: async (page) => {
    await drop(page, "body", [rich()]);
    await page.getByRole("button", { name: /lines read/ }).click();
    await page.getByRole("region", { name: "Receipt" }).waitFor();
  },
  raw: async (page) => {
    await drop(page, "body", [rich()]);
    await feed(page).getByRole("article").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("r");
    await page.getByRole("dialog").waitFor();
  },
  help: async (page) => {
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
  },
  crashed: async (page) => {
    await drop(page, "body", [rich()]);
    await feed(page).getByRole("article").first().waitFor();
    await endWorker(page);
    await page.getByRole("alert").waitFor();
  },
};

for (const [name, go] of Object.entries(SCREENS)) {
  for (const theme of ["light", "dark"]) {
    test(`axe-core finds nothing: ${name}, ${theme}`, async (t) => {
      const page = await open(t, { theme });
      await go(page);
      assert.deepEqual(await axe(page), []);
      if (name !== "crashed") assertQuiet(page);
    });
  }

  test(`nothing is wider than 320 px: ${name}`, async (t) => {
    const page = await open(t, { width: 320, height: 640 });
    await go(page);
    const width = await page.evaluate(() => document.scrollingElement.scrollWidth);
    assert.ok(width <= 320, `the page is ${width} px wide`);
  });
}
