/** How ranks find each other over sockets, and everything that can be in the way. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, it } from "node:test";
import { createCommunicator } from "@cobre/comm";
import { TcpCommunicator } from "@cobre/comm/tcp";
import { killAll, startRank } from "../by-hand.js";
import { freePort } from "../free-port.js";
import { connectStranger, endStrangers, helloOfVersion, isRefused } from "./stranger.js";

const servers: Server[] = [];

const start = (config: object) => startRank({ kind: "tcp", config });
const answerOf = (config: object) => start(config).answer;

const LOOPBACK = "127.0.0.1";

/** Long enough for the ranks that come, also on a busy machine. */
const START_SECS = 6;

describe("tcp: coming together", () => {
  afterEach(async () => {
    endStrangers();
    for (const server of servers.splice(0)) server.close();
    await killAll();
  });

  for (const [family, host] of [
    ["IPv4", "127.0.0.1"],
    ["IPv6", "::1"],
  ] as const) {
    it(`ranks join in any order, over ${family}`, async () => {
      const port = await freePort();
      const common = { size: 3, port, token: "secret" };
      const late = answerOf({ ...common, rank: 2, coordinator: host });
      const middle = answerOf({ ...common, rank: 1, coordinator: host });
      const first = answerOf({ ...common, rank: 0, bindAddress: host });
      assert.deepEqual(await Promise.all([first, middle, late]), new Array(3).fill({ joined: 3 }));
    });
  }

  it("a port in use is told with its address", async () => {
    const server = createServer().listen(0, LOOPBACK);
    servers.push(server);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { error } = await answerOf({ rank: 0, size: 2, port, bindAddress: LOOPBACK });
    assert.equal(error?.kind, "InitializationFailed");
    assert.match(error?.message ?? "", new RegExp(`127\\.0\\.0\\.1:${port} is in use`));
  });

  it("an address that is not of this machine is refused", async () => {
    const { error } = await answerOf({ rank: 0, size: 2, port: 29500, bindAddress: "192.0.2.1" });
    assert.equal(error?.kind, "InitializationFailed");
    assert.match(error?.message ?? "", /cannot listen at 192\.0\.2\.1:29500/);
  });

  it("without a coordinator, a worker names the address, how long it tried, and why", async () => {
    const port = await freePort();
    const { error } = await answerOf({
      rank: 1,
      size: 2,
      port,
      coordinator: LOOPBACK,
      timeoutSecs: 0.5,
    });
    assert.equal(error?.kind, "InitializationFailed");
    assert.deepEqual(error?.missingRanks, [0]);
    const story = new RegExp(
      `not reached at 127\\.0\\.0\\.1:${port} within 0\\.5 s .*ECONNREFUSED`,
    );
    assert.match(error?.message ?? "", story);
  });

  it("a name that does not exist is told", async () => {
    const coordinator = "no-such-host.invalid";
    const { error } = await answerOf({ rank: 1, size: 2, coordinator, timeoutSecs: 0.5 });
    assert.match(error?.message ?? "", /no-such-host\.invalid: the name cannot be resolved/);
  });

  it("a rank that never comes is named by all others", async () => {
    const port = await freePort();
    const common = { size: 4, port, token: "secret", timeoutSecs: START_SECS };
    const answers = await Promise.all([
      answerOf({ ...common, rank: 0, bindAddress: LOOPBACK }),
      answerOf({ ...common, rank: 1, coordinator: LOOPBACK }),
      answerOf({ ...common, rank: 3, coordinator: LOOPBACK }),
    ]);
    for (const { error } of answers) {
      assert.equal(error?.kind, "InitializationFailed");
      assert.deepEqual(error?.missingRanks, [2]);
      assert.match(
        error?.message ?? "",
        /rank 2 did not come within 6 s; 3 of 4 ranks have joined/,
      );
    }
  });

  it("a rank that dies while others still wait is named at once", async () => {
    const port = await freePort();
    const common = { size: 4, port, token: "secret" };
    const first = answerOf({ ...common, rank: 0, bindAddress: LOOPBACK });
    // Dies as soon as it has been accepted: it talks the protocol without being a rank.
    const stranger = await connectStranger(port);
    await stranger.join(2, 4, "secret");
    stranger.socket.destroy();
    const { error } = await first;
    assert.equal(error?.kind, "InitializationFailed");
    assert.deepEqual(error?.missingRanks, [2]);
    assert.match(error?.message ?? "", /joined and died/);
  });

  const mistakes = {
    "a wrong token": [{ token: "guess" }, /its token is not that of rank 0/],
    "no token where one is asked for": [
      { token: undefined },
      /asks for a token and this rank has none/,
    ],
    "a wrong size": [{ size: 3 }, /was told that there are 3 ranks, rank 0 that there are 2/],
    "a rank that is taken": [{ rank: 1 }, /rank 1 has already joined/],
  } as const;

  for (const [mistake, [change, story]] of Object.entries(mistakes)) {
    it(`${mistake} is refused with the reason, and the job goes on`, async () => {
      const port = await freePort();
      const common = { size: 2, port, token: "secret" };
      const size = mistake === "a rank that is taken" ? 3 : 2;
      const first = answerOf({ ...common, size, rank: 0, bindAddress: LOOPBACK });
      const good = { ...common, size, rank: 1, coordinator: LOOPBACK };
      if (size === 3) await (await connectStranger(port)).join(1, 3, "secret");
      const { error } = await answerOf({ ...good, ...change });
      assert.equal(error?.kind, "InitializationFailed");
      assert.match(error?.message ?? "", story);
      if (size === 3) return;
      assert.deepEqual(await Promise.all([first, answerOf(good)]), [{ joined: 2 }, { joined: 2 }]);
    });
  }

  it("a worker with a token does not talk to somebody who asks for none", async () => {
    const port = await freePort();
    const first = start({ rank: 0, size: 2, port, bindAddress: LOOPBACK });
    const worker = { rank: 1, size: 2, port, coordinator: LOOPBACK };
    const { error } = await answerOf({ ...worker, token: "secret" });
    assert.match(error?.message ?? "", /has a token, but whoever listens at .* asks for none/);
    assert.deepEqual(await Promise.all([first.answer, answerOf(worker)]), [
      { joined: 2 },
      { joined: 2 },
    ]);
  });

  it("somebody who only pretends to be rank 0 is found out", async () => {
    const { port, saw } = await impostor();
    const { error } = await answerOf({
      rank: 1,
      size: 2,
      port,
      coordinator: LOOPBACK,
      token: "secret",
    });
    assert.match(error?.message ?? "", /does not know the token: it is not rank 0/);
    assert.ok(!saw().includes("secret"));
  });

  it("a worker of another protocol version is refused with both versions", async () => {
    const port = await freePort();
    const first = answerOf({ rank: 0, size: 2, port, bindAddress: LOOPBACK, token: "secret" });
    const stranger = await connectStranger(port);
    stranger.socket.write(helloOfVersion(99));
    assert.match(
      await stranger.refusal(),
      /speaks version 99 of the protocol, rank 0 speaks version 4/,
    );
    const second = answerOf({ rank: 1, size: 2, port, coordinator: LOOPBACK, token: "secret" });
    assert.deepEqual(await Promise.all([first, second]), [{ joined: 2 }, { joined: 2 }]);
  });

  it("strangers cost the job nothing: garbage, a hundred of them, half a handshake, 4 GiB", async () => {
    const port = await freePort();
    const common = { size: 3, port, token: "secret" };
    const first = answerOf({ ...common, rank: 0, bindAddress: LOOPBACK });
    const garbage = await connectStranger(port);
    garbage.socket.write(Buffer.from("GET / HTTP/1.1\r\nHost: example\r\n\r\n"));
    const huge = await connectStranger(port);
    huge.socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0c]));
    const half = await connectStranger(port);
    half.socket.write(helloOfVersion(2).subarray(0, 20));
    await Promise.all(Array.from({ length: 100 }, () => connectStranger(port)));
    assert.ok(await isRefused(garbage));
    assert.ok(await isRefused(huge));
    const others = [1, 2].map((rank) => answerOf({ ...common, rank, coordinator: LOOPBACK }));
    assert.deepEqual(await Promise.all([first, ...others]), new Array(3).fill({ joined: 3 }));
  });

  it("warns once if anybody could join, and not if there is a token or only loopback", async () => {
    const answers = [];
    for (const change of [{}, { token: "secret" }, { bindAddress: LOOPBACK }]) {
      const port = await freePort();
      const first = answerOf({ rank: 0, size: 2, port, ...change });
      const second = answerOf({ rank: 1, size: 2, port, coordinator: LOOPBACK, ...change });
      await second;
      answers.push((await first).stderr ?? "");
    }
    assert.match(
      answers[0] ?? "",
      /^cobre: rank 0 listens at 0\.0\.0\.0:\d+ and no token is set.*\n$/,
    );
    assert.deepEqual(answers.slice(1), ["", ""]);
  });

  it("closing gives everything back: communicators leave no descriptor open", async () => {
    const { readdirSync } = await import("node:fs");
    const before = readdirSync("/proc/self/fd").length;
    for (let i = 0; i < 20; i++) {
      const port = await freePort();
      const [a, b, c] = await Promise.all([
        TcpCommunicator.join({ rank: 0, size: 3, port, bindAddress: LOOPBACK }),
        TcpCommunicator.join({ rank: 1, size: 3, port, coordinator: LOOPBACK }),
        TcpCommunicator.join({ rank: 2, size: 3, port, coordinator: LOOPBACK }),
      ]);
      for (const comm of [a, b, c]) comm.close();
      for (const comm of [a, b, c]) comm.close();
    }
    assert.equal(readdirSync("/proc/self/fd").length, before);
  });
});

/** Listens like a coordinator, but does not know the token. */
async function impostor(): Promise<{ port: number; saw: () => string }> {
  let heard = Buffer.alloc(0);
  const server = createServer((socket: Socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      const isFirst = chunk[4] === 0x0c;
      heard = Buffer.concat([heard, chunk]);
      const challenge = Buffer.concat([
        Buffer.from([0, 0, 0, 41, 0x0d, 1, 0, 0, 0, 1, 0, 0, 0]),
        Buffer.alloc(32, 7),
      ]);
      const ack = Buffer.concat([
        Buffer.from([0, 0, 0, 41, 0x09, 2, 0, 0, 0, 0, 0, 0, 0]),
        Buffer.alloc(32, 9),
      ]);
      socket.write(isFirst ? challenge : ack);
    });
  }).listen(0, LOOPBACK);
  servers.push(server);
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, saw: () => heard.toString("latin1") };
}

describe("tcp: what cannot be configured", () => {
  const good = { rank: 1, size: 2, coordinator: "node1" };
  for (const bad of [
    { rank: 2 },
    { rank: -1 },
    { size: 0 },
    { size: 100_000 },
    { timeoutSecs: 0 },
    { port: 0 },
    { port: 65_536 },
    { bindAddress: "node1" },
    { coordinator: "" },
    { coordinator: "node1:port" },
    { coordinator: "two words" },
    { coordinator: "node1:0" },
    { coordinator: "[::1" },
    { token: "" },
    { listenFd: -3 },
  ]) {
    it(JSON.stringify(bad), async () => {
      const config = { ...good, ...bad } as { rank: number; size: number };
      const [setting, value] = Object.entries(bad)[0] as [string, unknown];
      await assert.rejects(createCommunicator({ kind: "tcp", config }), (error: object) => {
        assert.match(
          String(error),
          setting === "token" ? /token=\*\*\*/ : new RegExp(`${setting}=`),
        );
        return "value" in error && (setting === "token" || error.value === String(value));
      });
    });
  }
});
