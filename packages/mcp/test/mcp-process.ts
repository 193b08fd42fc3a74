import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** The command, as npm links it. */
export const COBRE = fileURLToPath(new URL("../../cli/bin/cobre.js", import.meta.url));

/** Longer than a test takes on a machine that is busy. */
const PATIENCE = { timeout: 120_000 };

/** The fields of answers that tests look at. */
export interface Data {
  readonly summary: string;
  readonly case: string;
  readonly cases: readonly { readonly case: string }[];
  readonly valid: boolean;
  readonly hydros: readonly { readonly id: number; readonly name: string }[];
  readonly changed: readonly object[];
  readonly run: string;
  readonly state: string;
  readonly iteration: number;
  readonly iterations: number;
  readonly checkpoint_iteration: number | null;
  readonly lower_bound: number;
  readonly runs: readonly { readonly run: string; readonly state: string }[];
  readonly points: readonly object[];
  readonly rows: readonly (readonly number[])[];
  readonly columns: readonly { readonly name: string; readonly unit: string }[];
  readonly total: number;
  readonly next_offset: number | null;
  readonly stages: readonly { readonly stage: number; readonly cuts: number }[];
  readonly reservoirs: readonly { readonly water_value_per_hm3: number }[];
  readonly future_cost: number;
  readonly water_values: readonly object[];
  readonly prices: readonly object[];
  readonly is_same: boolean;
  readonly quantities: readonly { readonly name: string }[];
  readonly svg: string;
  readonly has_png: boolean;
  readonly passages: readonly { readonly page: string }[];
  readonly schema: {
    readonly properties: Readonly<Record<string, { readonly required?: readonly string[] }>>;
  };
}

/** What a tool answered. */
export interface Answered {
  readonly isError: boolean;
  readonly text: string;
  /** The client has checked it against the schema of the tool. */
  readonly data: Data;
  readonly images: number;
}

/**
 * What a client speaks: a revision of 2025, with `initialize` and a session, or the one that has neither.
 * A client that pins a revision does not fall back to another one.
 */
export const REVISIONS = {
  sessions: "legacy",
  single: { pin: "2026-07-28" },
} as const satisfies Record<string, VersionNegotiationMode>;

export type Revision = keyof typeof REVISIONS;

/** The client of the SDK, connected to `cobre mcp`. */
export class TestClient implements AsyncDisposable {
  readonly client: Client;

  private constructor(revision: Revision) {
    const versionNegotiation = { mode: REVISIONS[revision] };
    this.client = new Client({ name: "test", version: "1" }, { versionNegotiation });
  }

  /** Starts a server of its own. */
  static stdio(...args: string[]): Promise<TestClient> {
    return TestClient.stdioAt("sessions", ...args);
  }

  static async stdioAt(revision: Revision, ...args: string[]): Promise<TestClient> {
    const one = new TestClient(revision);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [COBRE, "mcp", ...args],
      env: { ...(process.env as Record<string, string>) },
      stderr: "inherit",
    });
    await one.connect(transport);
    return one;
  }

  static async http(
    server: McpHttp,
    { token = server.token, revision = "sessions" as Revision } = {},
  ): Promise<TestClient> {
    const one = new TestClient(revision);
    const headers = { authorization: `Bearer ${token}` };
    const transport = new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers },
    });
    await one.connect(transport);
    return one;
  }

  private async connect(transport: Transport): Promise<void> {
    await this.client.connect(transport, PATIENCE);
    await this.client.listTools({}, PATIENCE); // the client checks answers against the schemas it got
  }

  async call(
    name: string,
    args: Record<string, unknown> = {},
    onprogress?: (message: string) => void,
  ): Promise<Answered> {
    const options = {
      ...PATIENCE,
      ...(onprogress && {
        onprogress: ({ message }: { readonly message?: string | undefined }) =>
          onprogress(message ?? ""),
      }),
    };
    const result = await this.client.callTool({ name, arguments: args }, options);
    const content = result.content as { readonly type: string; readonly text?: string }[];
    return {
      isError: result.isError === true,
      text: content.map(({ text = "" }) => text).join("\n"),
      data: result.structuredContent as unknown as Data,
      images: content.filter(({ type }) => type === "image").length,
    };
  }

  /** The same, of a tool that must not fail. */
  async get(name: string, args: Record<string, unknown> = {}): Promise<Data> {
    const { isError, text, data } = await this.call(name, args);
    if (isError) throw new Error(`${name}: ${text}`);
    return data;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}

/** `cobre mcp --http` that runs. */
export class McpHttp implements AsyncDisposable {
  readonly url: string;
  readonly token: string;
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, url: string, token: string) {
    this.child = child;
    this.url = url;
    this.token = token;
  }

  static async start(...args: string[]): Promise<McpHttp> {
    const child = spawn(process.execPath, [COBRE, "mcp", "--http", ...args], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let told = "";
    for await (const chunk of child.stderr as AsyncIterable<Buffer>) {
      told += chunk;
      const url = /connect to (\S+)/.exec(told)?.[1];
      const token = /token is (\S+)/.exec(told)?.[1];
      if (url !== undefined && token !== undefined) return new McpHttp(child, url, token);
    }
    throw new Error(`the server ended: ${told}`);
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.isAlive) return;
    this.child.kill("SIGTERM");
    await once(this.child, "exit");
  }
}
