import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import { Context } from "../context.js";
import type { ServerOptions } from "../options.js";
import { Refusal } from "../refusal.js";
import { createServer } from "../server.js";
import { objectionTo } from "./guard.js";

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
const LARGEST_BODY = 1024 * 1024;
/** More clients than this do not get in; the one that was silent longest has to go. */
const MOST_SESSIONS = 32;
const SHORTEST_TOKEN = 16;

interface Session {
  readonly transport: StreamableHTTPServerTransport;
  lastSeen: number;
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
  const sessions = new Map<string, Session>();
  const http = createHttpServer((request, response) => {
    const { port } = http.address() as AddressInfo;
    const objection = objectionTo(request, port, token);
    if (objection !== undefined) {
      refuse(response, objection.status, objection.message);
      return;
    }
    handle(request, response, sessions, context).catch((error: unknown) => {
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
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Map<string, Session>,
  context: Context,
): Promise<void> {
  if (new URL(request.url ?? "/", "http://localhost").pathname !== PATH) {
    refuse(response, 404, `clients connect to ${PATH}`);
    return;
  }
  const id = request.headers["mcp-session-id"];
  const session = typeof id === "string" ? sessions.get(id) : undefined;
  if (id !== undefined && session === undefined) {
    refuse(response, 404, "there is no such session; initialize again");
    return;
  }
  if (session !== undefined) session.lastSeen = Date.now();
  if (request.method !== "POST") {
    if (session === undefined) refuse(response, 400, "send a POST request with initialize first");
    else await session.transport.handleRequest(request, response);
    return;
  }
  const body = await bodyOf(request);
  if (body === undefined) {
    refuse(response, 413, `a message has at most ${LARGEST_BODY} bytes`);
    return;
  }
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    refuse(response, 400, "the body is not JSON");
    return;
  }
  if (session !== undefined) {
    await session.transport.handleRequest(request, response, message);
    return;
  }
  if (!isInitializeRequest(message)) {
    refuse(response, 400, "send initialize first");
    return;
  }
  const transport = await newSession(sessions, context);
  await transport.handleRequest(request, response, message);
}

async function newSession(
  sessions: Map<string, Session>,
  context: Context,
): Promise<StreamableHTTPServerTransport> {
  while (sessions.size >= MOST_SESSIONS) {
    const [oldest] = [...sessions].sort(([, a], [, b]) => a.lastSeen - b.lastSeen);
    if (oldest === undefined) break;
    sessions.delete(oldest[0]);
    await oldest[1].transport.close();
  }
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => {
      sessions.set(id, { transport, lastSeen: Date.now() });
    },
  });
  transport.onclose = () => {
    if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
  };
  const server = createServer(context);
  server.server.onerror = () => {}; // told to the client that caused it
  // The SDK declares optional members in another way than its own class.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  return transport;
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
