import type { Feed } from "../sources/feed.js";
import { RunFeed } from "../sources/run-feed.js";
import { RunState } from "../state/run-state.js";
import { asciiText } from "../text/ascii.js";
import { lastSentence, sentenceOf } from "./sentences.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Tells a run in sentences, a line each, without moving the cursor. Returns the exit code. */
export function showPlain(feed: Feed, isAscii: boolean): Promise<number> {
  const run = new RunState();
  const say = (text: string | undefined): void => {
    if (text !== undefined) process.stdout.write(`${isAscii ? asciiText(text) : text}\n`);
  };
  let isLost = false;
  process.stdout.on("error", () => {
    isLost = true; // the reader has ended; the run goes on
  });
  return new Promise((resolve) => {
    const forward = (signal: NodeJS.Signals): void => {
      if (feed instanceof RunFeed) say(feed.stop());
      else process.exit(signal === "SIGINT" ? 130 : 143);
    };
    for (const signal of SIGNALS) process.on(signal, forward);
    feed.start({
      events: (events) => {
        for (const event of events) {
          run.take(event);
          if (!isLost) say(sentenceOf(run, event));
        }
      },
      ended: (code) => {
        for (const signal of SIGNALS) process.off(signal, forward);
        run.end(code);
        if (!(feed instanceof RunFeed) || run.iterations.length > 0 || code === 0)
          say(lastSentence(run));
        // Errors were told already, but not those from before the first event.
        if (feed instanceof RunFeed) feed.showErrors();
        resolve(code ?? (run.phase === "failed" ? 1 : 0));
      },
    });
  });
}
