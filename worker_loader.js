// Starts a worker. The page compiles the program once and hands it to each of its workers as their first message: they
// share its machine code, so a log that is opened later has the code that the browser optimised while it read the first.
import start from "./worker.js";

// The unpacker is a program of its own, loaded when the first archive is opened and started once for each of them: its memory never
// shrinks, so what one archive took is gone with it. The files keep their names from build to build, hence the query.
globalThis.unpacker = async (build) => {
  const program = await import(`./unpacker.js?v=${build}`);
  await program.default({ module_or_path: new URL(`./unpacker_bg.wasm?v=${build}`, import.meta.url) });
  return program.unpack;
};

addEventListener(
  "message",
  async ({ data: program }) => {
    try {
      await start({ module_or_path: program });
    } catch (error) {
      // Only an error that nothing caught reaches the page.
      reportError(error);
    }
  },
  { once: true },
);
