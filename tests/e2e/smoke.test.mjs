// The page starts: no error, no violation of the policy, and nothing asked of any other server.

import assert from "node:assert/strict";
import test from "node:test";
import { assertQuiet, axe, open } from "./harness.mjs";

for (const theme of ["light", "dark"]) {
  test(`the page starts, ${theme}`, async (t) => {
    const page = await open(t, { theme });
    await page.getByRole("heading", { level: 1 }).filter({ hasText: "Palimpsest" }).waitFor();
    await page.locator("#boot").waitFor({ state: "detached" });
    assert.equal(await page.title(), "Palimpsest");
    assert.deepEqual(await axe(page), []);
    assertQuiet(page);
  });
}

test("markup that could act is refused by the page itself", async (t) => {
  const page = await open(t);
  await page.locator("#boot").waitFor({ state: "detached" });
  const parse = (html) =>
    page.evaluate((html) => {
      const template = document.createElement("template");
      try {
        template.innerHTML = html;
        return template.innerHTML;
      } catch (error) {
        return error.name;
      }
    }, html);

  for (const plain of [
    '<p class="lede" data-kind="a" aria-label="x > y">1 &lt; 2<br></p>',
    '<a href="?sample" title="A">b</a><a href="https://example.com/">c</a>',
  ]) {
    assert.equal(await parse(plain), plain.replace("x > y", "x &gt; y"));
  }
  for (const hostile of [
    "<script>1</script>",
    "<img src=x onerror=alert(1)>",
    '<img src="./x" onerror="alert(1)">',
    '<p onclick="alert(1)">',
    '<p style="color:red">',
    '<a href="javascript:alert(1)">',
    '<a href="java&#115;cript:alert(1)">',
    '<a href="//example.com">',
    '<a href="/\\example.com">',
    '<svg/onload=alert(1)>',
    "<svg><style>*{}</style></svg>",
    "<iframe srcdoc='x'></iframe>",
    '<form action="/x"></form>',
    '<p/onclick="alert(1)">',
    '<p class="a"onclick="alert(1)">',
    '<p class="a\n" onclick="alert(1)">',
    "<!--><script>1</script>-->",
  ]) {
    assert.equal(await parse(hostile), "TypeError", hostile);
  }
});
