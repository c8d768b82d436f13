// A log in which every field carries markup, script, links that are none, bidi controls and terminal codes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertQuiet, drop, open, unfoldAll } from "./harness.mjs";
import { hostile } from "./logs.mjs";

test("a hostile log shows as text and does nothing", async (t) => {
  const page = await open(t);
  const before = page.url();
  await drop(page, "body", [hostile().write(`evil"><img src=x onerror=window.pwned=1>.jsonl`.replaceAll("/", "_"))]);
  const feed = page.getByRole("feed", { name: "Transcript" });
  await feed.getByText("answer").first().waitFor();
  // Every fold, so that every body is drawn.
  await unfoldAll(feed);
  await page.waitForTimeout(300);
  await page.getByRole("button", { name: /lines read/ }).click();
  await page.getByRole("region", { name: "Receipt" }).waitFor();
  await page.waitForTimeout(200);
  const found = await page.evaluate(() => {
    const all = [...document.body.querySelectorAll("*")];
    const schemes = all.filter((e) => e.hasAttribute("href")).map((e) => new URL(e.getAttribute("href"), document.baseURI).protocol);
    return {
      pwned: globalThis.pwned ?? null,
      images: all.filter((e) => e.matches("img, video, audio, iframe, object, embed")).length,
      scripts: document.body.querySelectorAll("script").length,
      handlers: all.filter((e) => [...e.attributes].some((a) => a.name.startsWith("on"))).length,
      bold: [...document.querySelectorAll("b")].filter((e) => e.textContent === "bold").length,
      schemes: [...new Set(schemes)].filter((scheme) => !["http:", "https:", "mailto:"].includes(scheme)),
      text: document.body.innerText,
    };
  });
  assert.equal(found.pwned, null);
  assert.deepEqual([found.images, found.scripts, found.handlers, found.bold], [0, 0, 0, 0]);
  assert.deepEqual(found.schemes, []);
  assert.ok(found.text.includes(`<img src=x onerror="window.pwned=1">`), "markup shows as text");
  assert.ok(!found.text.includes("\u001b"), "no escape character");
  assert.ok(found.text.includes("U+202E"), "bidi controls are named in code and output");
  assert.equal(new URL(page.url()).pathname, new URL(before).pathname, "no navigation");
  assertQuiet(page);
});
