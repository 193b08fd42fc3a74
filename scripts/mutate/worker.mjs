// Runs test files again and again, each time with new modules. Started by worker-process.mjs, which tells `fresh` in the command line and
// sends `{ change, files }`; what happens is told on descriptor 3.
import { writeSync } from "node:fs";
import { register } from "node:module";
import { pathToFileURL } from "node:url";

const fresh = JSON.parse(process.argv[2]);
const runner = new URL("small-runner.mjs", import.meta.url).href;
register("./fresh-modules.mjs", import.meta.url, { data: { fresh, runner } });
const { runDeclared } = await import(runner);

let file;
let isFailed = false;
const tell = (message) => writeSync(3, `${JSON.stringify(message)}\n`);
const fail = (error) => {
  isFailed = true;
  tell({ failed: file, name: String(error?.message ?? error).slice(0, 200) });
};
// What a test does not wait for fails nevertheless. Nobody knows what else it leaves behind.
for (const event of ["uncaughtException", "unhandledRejection"])
  process.on(event, (error) => {
    if (!isFailed) fail(error);
    process.exit(1);
  });

process.on("message", async ({ change, files }) => {
  isFailed = false;
  for (file of files) {
    tell({ at: file });
    try {
      await import(`${pathToFileURL(file).href}?change=${change}`);
      await runDeclared(() => tell({ at: file }));
    } catch (error) {
      fail(error);
      return;
    }
  }
  tell({ passed: true });
});
process.on("disconnect", () => process.exit(0));
tell({ ready: true });
