import {
  StdioServerTransport,
  serveStdio as serveTransport,
} from "@modelcontextprotocol/server/stdio";
import { Context } from "../context.js";
import type { ServerOptions } from "../options.js";
import { createServer } from "../server.js";

/** A message that is longer ends the connection. */
const LONGEST_MESSAGE = 4 * 1024 * 1024;

/**
 * Serves one client over standard input and output. When the input ends, or a signal asks the server to end, the runs that it started are
 * ended: each keeps its last complete iteration, and can be resumed.
 *
 * @returns when the client has gone and the runs are ended
 * @example
 * ```ts
 * await serveStdio({ roots: ["studies"], allowRun: true });
 * ```
 */
export async function serveStdio(options: ServerOptions): Promise<void> {
  const context = new Context(options, true);
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: LONGEST_MESSAGE,
  });
  const served = serveTransport(() => createServer(context), {
    transport,
    onerror: () => {}, // a message that is none; the next one may be
  });
  await new Promise<void>((resolve) => {
    const end = () => resolve();
    process.stdin.once("end", end).once("close", end).once("error", end);
    process.stdout.once("error", end); // nobody reads any more
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
    const closed = transport.onclose;
    transport.onclose = () => {
      closed?.();
      end();
    };
  });
  await context.keeper.endAll();
  await served.close();
}
