/** Rank 0 of two, which takes every file descriptor that is left as soon as it listens. Prints a line then, and its error as JSON. */
import { openSync, readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createCommunicator } from "@cobre/comm";

const port = Number(process.argv[2]);
const config = { rank: 0, size: 2, port, bindAddress: "127.0.0.1", token: "secret" };
const joining = createCommunicator({ kind: "tcp", config }).catch((error: unknown) => error);

/** How /proc tells that somebody listens at the port. */
const line = `:${port.toString(16).toUpperCase().padStart(4, "0")} 00000000:0000 0A`;
while (!readFileSync("/proc/net/tcp", "latin1").includes(line)) await nextTurn();
try {
  for (;;) openSync("/dev/null", "r");
} catch {
  process.stdout.write("starved\n");
}
process.stdout.write(`${JSON.stringify(await joining)}\n`);
