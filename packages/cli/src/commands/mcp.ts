import { fileURLToPath } from "node:url";
import { Command, InvalidArgumentError } from "commander";
import { EXIT } from "../exit-codes.js";
import { parseCount } from "./case-options.js";

interface McpFlags {
  readonly root: readonly string[];
  readonly allowWrite?: boolean;
  readonly allowRun?: boolean;
  readonly http?: boolean;
  readonly port: number;
  readonly maxRuns: number;
  readonly maxRanks: number;
  readonly maxMinutes: number;
  readonly maxMemory: number;
}

const EXAMPLES = `
Examples:
  cobre mcp --root studies                     a client starts this and asks about cases and results
  cobre mcp --root studies --allow-write --allow-run
                                               it may also make variants and run them
  cobre mcp --root studies --http --port 8765  for clients that connect by http://127.0.0.1:8765/mcp

Clients are told to start it by a few lines of JSON: docs/mcp.md. Over standard input and output,
runs end with the client and can be resumed; over HTTP they go on. With --http, clients must send
the token of COBRE_MCP_TOKEN, or the one that is printed.`;

const COBRE = fileURLToPath(new URL("../../bin/cobre.js", import.meta.url));

/** `cobre mcp`: serves studies to assistants. The server and its SDK are loaded when it runs. */
export function mcpCommand(): Command {
  return new Command("mcp")
    .summary("serve cases and runs to assistants (Model Context Protocol)")
    .description(
      "Serves the cases and runs in folders to assistants, by the Model Context Protocol (MCP).",
    )
    .requiredOption(
      "--root <directory>",
      "a folder that may be read; as often as you like",
      collect,
    )
    .option("--allow-write", "new cases may be written in the roots")
    .option("--allow-run", "runs may be started and cancelled; their results go into the roots")
    .option("--http", "listen on this machine instead of standard input")
    .option("--port <number>", "with --http: the port; 0 takes a free one", parsePort, 0)
    .option("--max-runs <count>", "runs at the same time", parseCount, 2)
    .option("--max-ranks <count>", "ranks of a run", parseCount, 4)
    .option("--max-minutes <count>", "minutes until a run is ended", parseCount, 240)
    .option("--max-memory <MiB>", "JavaScript heap of each process of a run", parseCount, 4096)
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(serve);
}

async function serve(flags: McpFlags, self: Command): Promise<void> {
  const { Refusal, serveHttp, serveStdio } = await import("@cobre/mcp");
  const options = {
    roots: flags.root,
    allowWrite: flags.allowWrite,
    allowRun: flags.allowRun,
    limits: {
      runs: flags.maxRuns,
      ranks: flags.maxRanks,
      minutes: flags.maxMinutes,
      memory: flags.maxMemory,
    },
    command: [process.execPath, COBRE],
  };
  try {
    if (!flags.http) {
      await serveStdio(options);
      // What waits for input that will not come must not keep the process.
      process.exit(EXIT.done);
    }
    const given = process.env.COBRE_MCP_TOKEN;
    const server = await serveHttp({ ...options, port: flags.port, token: given });
    console.error(`cobre mcp: clients connect to ${server.url}`);
    if (given === undefined) console.error(`cobre mcp: their token is ${server.token}`);
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => void server.close().then(() => process.exit(EXIT.done)));
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    self.error(`error: ${error.message}. ${error.next}`);
  }
}

function collect(root: string, before: readonly string[] = []): readonly string[] {
  return [...before, root];
}

function parsePort(text: string): number {
  if (/^\d+$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new InvalidArgumentError("It must be a number from 0 to 65535.");
}
