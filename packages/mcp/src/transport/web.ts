/** The SDK speaks HTTP in the types of the web (`Request`, `Response`); the server of Node.js has older ones. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

/** The request without its body. Its signal is aborted when the client hangs up. */
export function requestOf(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  return new Request(new URL(incoming.url ?? "/", "http://localhost"), {
    method: incoming.method ?? "GET",
    headers,
    signal: gone.signal,
  });
}

/** Sends the answer, piece by piece if it is a stream of events. */
export async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) {
    await response.body?.cancel();
    return;
  }
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders(); // the first event may be long in coming
  await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing);
}
