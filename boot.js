// Starts the page. It is a file of its own so that the content security policy needs no inline script, and it comes before
// the program so that Trusted Types has its policy when the first view is made.

// The framework builds the fixed parts of its views from strings that were compiled into the program. Nothing of a log is
// ever among them; should that change by mistake, only plain markup gets through here: no script, no handler, no style,
// no frame, and no address but of this server, of a place in the page, or https.
const URL_ATTRIBUTE = /(?:href|src)="(?:[#?]|\.{0,2}\/(?![\/\\])|https:)[^"<]*"/;
const PLAIN_ATTRIBUTE =
  /(?!on|style|href|src|srcset|srcdoc|action|formaction|poster|ping|xlink)[a-z][\w:.-]*(?:="[^"<]*")?/;
const FORBIDDEN_ELEMENT = /(?:script|style|iframe|frame|object|embed|base|link|meta|form|template|foreignobject)/;
const PLAIN_TAG = new RegExp(
  `<(?!${FORBIDDEN_ELEMENT.source}\\b)[a-z][a-z0-9-]*` +
    `(?:\\s+(?:${URL_ATTRIBUTE.source}|${PLAIN_ATTRIBUTE.source}))*\\s*/?>|</[a-z][a-z0-9-]*>|<!>`,
  "gi",
);

// The one script that the page starts by address: its worker.
const WORKER = new URL("worker_loader.js", document.baseURI);

globalThis.trustedTypes?.createPolicy("default", {
  createHTML(html) {
    return html.replace(PLAIN_TAG, "").includes("<") ? null : html;
  },
  createScriptURL(address) {
    const url = new URL(address, document.baseURI);
    return url.origin === WORKER.origin && url.pathname === WORKER.pathname ? address : null;
  },
});

// Before anything is painted, so that a dark page does not begin with a white flash.
try {
  document.documentElement.dataset.theme = localStorage.getItem("palimpsest.theme") ?? "system";
} catch {
  // A browser that keeps nothing for this page has nothing to say of its theme.
}

const notice = document.getElementById("boot");
// Most starts are over before anyone could read this.
const slow = setTimeout(() => (notice.textContent = "Loading the page…"), 500);

try {
  const program = document.getElementById("page-program").href;
  const { default: start } = await import(document.getElementById("page-script").href);
  await start({ module_or_path: program });
  notice.remove();
} catch (error) {
  notice.setAttribute("role", "alert");
  notice.textContent = `The page could not start in this browser: ${error}`;
  throw error;
} finally {
  clearTimeout(slow);
}
