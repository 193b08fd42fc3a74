/** Between the server of Node.js and the types of the web that the SDK has. */
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { requestOf, send } from "#internal";

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** A server with this handler, and a request to it that has been sent. */
async function exchange(handler: Handler) {
  const server = createServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const headers = { "x-two": ["a", "b"], "mcp-session-id": "s" };
  const sent = request({ port, host: "127.0.0.1", path: "/mcp?x=1", method: "DELETE", headers });
  sent.on("error", () => {}); // it hangs up in one test
  sent.end();
  return {
    sent,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe("a request in the types of the web", { timeout: 60_000 }, () => {
  it("has the method, the path and every header", async () => {
    let seen: Request | undefined;
    using one = await exchange((incoming, outgoing) => {
      seen = requestOf(incoming, outgoing);
      outgoing.end();
    });
    await once(one.sent, "response");
    assert.equal(seen?.method, "DELETE");
    assert.equal(new URL(seen?.url ?? "").pathname, "/mcp");
    assert.equal(seen?.headers.get("x-two"), "a, b");
    assert.equal(seen?.headers.get("mcp-session-id"), "s");
  });

  it("tells when the client hangs up, and its answer is not made any more", async () => {
    const told = new EventEmitter();
    const both = Promise.all([once(told, "aborted"), once(told, "cancelled")]);
    using one = await exchange((incoming, outgoing) => {
      requestOf(incoming, outgoing).signal.addEventListener("abort", () => told.emit("aborted"));
      const body = new ReadableStream({ cancel: () => void told.emit("cancelled") });
      send(new Response(body), outgoing).catch(() => {}); // nobody takes it
    });
    await once(one.sent, "response"); // the head comes before any event
    one.sent.destroy();
    await both;
  });

  it("is answered with status, headers and events as they come", async () => {
    const stream = new TransformStream<Uint8Array, Uint8Array>();
    const writer = stream.writable.getWriter();
    using one = await exchange((_, outgoing) => {
      const headers = { "content-type": "text/event-stream", "mcp-session-id": "t" };
      void send(new Response(stream.readable, { status: 203, headers }), outgoing);
    });
    const [response] = (await once(one.sent, "response")) as [IncomingMessage];
    assert.equal(response.statusCode, 203);
    assert.equal(response.headers["mcp-session-id"], "t");
    for (const event of ["first", "second"]) {
      void writer.write(Buffer.from(event));
      const [chunk] = (await once(response, "data")) as [Buffer];
      assert.equal(chunk.toString(), event);
    }
    void writer.close();
    await once(response, "end");
  });
});
