import { randomUUID } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { Context } from "../context.js";
import { createServer } from "../server.js";

/** More clients than this do not get in; the one that was silent longest has to go. */
const MOST_SESSIONS = 32;

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  lastSeen: number;
}

/** The clients that began with `initialize`, as the protocol has it up to its revision of 2025. Later ones have no session. */
export class Sessions {
  private readonly context: Context;
  private readonly sessions = new Map<string, Session>();

  constructor(context: Context) {
    this.context = context;
  }

  /** The session with this name, which is in use from now on. */
  find(id: string): WebStandardStreamableHTTPServerTransport | undefined {
    const session = this.sessions.get(id);
    if (session !== undefined) session.lastSeen = Date.now();
    return session?.transport;
  }

  /** Its first request has to be `initialize`. */
  async open(): Promise<WebStandardStreamableHTTPServerTransport> {
    while (this.sessions.size >= MOST_SESSIONS) {
      const [oldest] = [...this.sessions].sort(([, a], [, b]) => a.lastSeen - b.lastSeen);
      if (oldest === undefined) break;
      this.sessions.delete(oldest[0]);
      await oldest[1].transport.close();
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        this.sessions.set(id, { transport, lastSeen: Date.now() });
      },
    });
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.sessions.delete(transport.sessionId);
    };
    const server = createServer(this.context);
    server.server.onerror = () => {}; // told to the client that caused it
    await server.connect(transport);
    return transport;
  }

  async close(): Promise<void> {
    await Promise.all([...this.sessions.values()].map(({ transport }) => transport.close()));
  }
}
