/** A machine that stores numbers the other way round is refused, since payloads travel as they are. */
import assert from "node:assert/strict";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, it } from "node:test";
import { killAll, startRank } from "../by-hand.js";
import { freePort, listenOnLoopback } from "../free-port.js";

const LOOPBACK = "127.0.0.1";

/** How 0x01020304 is stored on this machine, and on one of the other byte order. */
const OURS = Buffer.from(Uint32Array.of(0x01020304).buffer);
const FOREIGN = Buffer.from(OURS).reverse();

const servers: Server[] = [];
const sockets: Socket[] = [];

describe("tcp: byte order", () => {
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close();
    await killAll();
  });

  it("a worker of another byte order is refused with the reason, and the job goes on", async () => {
    const port = await freePort();
    const common = { size: 2, token: "secret" };
    const first = startRank({
      kind: "tcp",
      config: { ...common, rank: 0, port, bindAddress: LOOPBACK },
    }).answer;
    const worker = { ...common, rank: 1, coordinator: LOOPBACK };
    const disguised = { ...worker, port: await disguise(port) };
    const { error } = await startRank({ kind: "tcp", config: disguised }).answer;
    assert.equal(error?.kind, "InitializationFailed");
    assert.match(error?.message ?? "", /uses a different byte order from that of rank 0/);
    const second = startRank({ kind: "tcp", config: { ...worker, port } }).answer;
    assert.deepEqual(await Promise.all([first, second]), [{ joined: 2 }, { joined: 2 }]);
  });
});

/** A way to `port` on which the first words of whoever connects seem to come from such a machine. */
async function disguise(port: number): Promise<number> {
  const server = createServer((worker) => {
    const coordinator = connect(port, LOOPBACK);
    for (const socket of [worker, coordinator]) {
      sockets.push(socket);
      socket.on("error", () => {});
    }
    coordinator.pipe(worker);
    // Rank 0 may not listen yet: then the worker has to hear of it, and comes again.
    coordinator.on("error", () => worker.destroy());
    worker.once("data", (hello: Buffer) => {
      const at = hello.indexOf(OURS);
      assert.notEqual(at, -1, "the hello does not tell the byte order");
      FOREIGN.copy(hello, at);
      coordinator.write(hello);
      worker.pipe(coordinator);
    });
  });
  servers.push(server);
  return listenOnLoopback(server);
}
