// Starts a worker. The page compiles the program once and hands it to each of its workers as their first message: they
// share its machine code, so a log that is opened later has the code that the browser optimised while it read the first.
import start from "./worker.js";

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
