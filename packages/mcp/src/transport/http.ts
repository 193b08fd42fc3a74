import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpHttpHandler,
} from "@modelcontextprotocol/server";
import { Context } from "../context.js";
import type { ServerOptions } from "../options.js";
import { Refusal } from "../refusal.js";
import { createServer } from "../server.js";
import { objectionTo } from "./guard.js";
import { Sessions } from "./sessions.js";
import { requestOf, send } from "./web.js";

/** How a server is reached over HTTP. */
export interface HttpOptions extends ServerOptions {
  /** 0, the default: one that is free. */
  readonly port?: number | undefined;
  /** The token that clients must send; by default one is drawn. */
  readonly token?: string | undefined;
}

/** A server that listens. */
export interface HttpServer {
  /** Where clients connect: `http://127.0.0.1:PORT/mcp`. */
  readonly url: string;
  readonly token: string;
  /** Stops listening. Runs go on, and a later server finds them. */
  close(): Promise<void>;
}

const PATH = "/mcp";
const METHODS = new Set(["GET", "POST", "DELETE"]);
const LARGEST_BODY = 1024 * 1024;
const SHORTEST_TOKEN = 16;

/** Those who answer requests that have been let in. */
interface Desks {
  /** For clients of the revisions of 2025, which begin with `initialize`. */
  readonly sessions: Sessions;
  /** For clients of later revisions, of which each request stands alone. */
  readonly single: McpHttpHandler;
}

/**
 * Serves clients over streamable HTTP, on the loopback interface of this machine alone. A client that goes away leaves its runs going, and
 * so does the server when it ends.
 *
 * @example
 * ```ts
 * const { url, token, close } = await serveHttp({ roots: ["studies"] });
 * ```
 */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const token = options.token ?? randomBytes(32).toString("base64url");
  if (token.length < SHORTEST_TOKEN || /\s/.test(token)) {
    throw new Refusal(
      `the token must have at least ${SHORTEST_TOKEN} characters, and no spaces`,
      "Leave COBRE_MCP_TOKEN out, and a token is drawn.",
    );
  }
  const context = new Context(options, false);
  await context.keeper.adopt();
  const desks: Desks = {
    sessions: new Sessions(context),
    single: createMcpHandler(() => createServer(context), {
      legacy: "reject",
      onerror: () => {}, // told to the client that caused it
    }),
  };
  const http = createHttpServer((request, response) => {
    const { port } = http.address() as AddressInfo;
    const objection = objectionTo(request, port, token);
    if (objection !== undefined) {
      refuse(response, objection.status, objection.message);
      return;
    }
    handle(request, response, desks).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      refuse(response, 500, message);
    });
  });
  http.requestTimeout = 30_000;
  http.listen(options.port ?? 0, "127.0.0.1");
  await once(http, "listening").catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === "EADDRINUSE" ? "is taken" : `cannot be used (${cause.code})`;
    throw new Refusal(`port ${options.port} ${why}`, "Give another --port, or 0 for a free one.");
  });
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    token,
    close: async () => {
      await Promise.all([desks.sessions.close(), desks.single.close()]);
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

async function handle(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { sessions, single }: Desks,
): Promise<void> {
  if (new URL(incoming.url ?? "/", "http://localhost").pathname !== PATH) {
    refuse(outgoing, 404, `clients connect to ${PATH}`);
    return;
  }
  if (!METHODS.has(incoming.method ?? "")) {
    refuse(outgoing, 405, `clients send ${[...METHODS].join(", ")}`);
    return;
  }
  const id = incoming.headers["mcp-session-id"];
  const session = typeof id === "string" ? sessions.find(id) : undefined;
  if (id !== undefined && session === undefined) {
    refuse(outgoing, 404, "there is no such session; initialize again");
    return;
  }
  const request = requestOf(incoming, outgoing);
  if (incoming.method !== "POST") {
    if (session === undefined) refuse(outgoing, 400, "send a POST request with initialize first");
    else await send(await session.handleRequest(request), outgoing);
    return;
  }
  const body = await bodyOf(incoming);
  if (body === undefined) {
    refuse(outgoing, 413, `a message has at most ${LARGEST_BODY} bytes`);
    return;
  }
  let parsedBody: unknown;
  try {
    parsedBody = JSON.parse(body);
  } catch {
    refuse(outgoing, 400, "the body is not JSON");
    return;
  }
  if (session !== undefined) {
    await send(await session.handleRequest(request, { parsedBody }), outgoing);
  } else if (!(await isLegacyRequest(request, parsedBody))) {
    await send(await single.fetch(request, { parsedBody }), outgoing);
  } else if (isInitializeRequest(parsedBody)) {
    const opened = await sessions.open();
    await send(await opened.handleRequest(request, { parsedBody }), outgoing);
  } else {
    refuse(outgoing, 400, "send initialize first");
  }
}

/** `undefined` if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const headers: Record<string, string> = {
    "content-type": "application/json",
    connection: "close",
  };
  if (status === 401) headers["www-authenticate"] = "Bearer";
  response.writeHead(status, headers);
  const error = { code: -32000, message };
  response.end(JSON.stringify({ jsonrpc: "2.0", error, id: null }));
}
