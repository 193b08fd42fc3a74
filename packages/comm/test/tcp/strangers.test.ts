/** What somebody who does not belong to a job can do to it: nothing, though they share a machine with it. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, describe, it, type TestContext } from "node:test";
import { needs } from "@cobre/testing/needs";
import {
  decodeRoster,
  encodeRefusal,
  Link,
  linkUpwards,
  meshSecret,
  printable,
  type Roster,
  Sockets,
  tcpConfigFromProgram,
} from "#internal";
import { killAll, startRank, until } from "../by-hand.js";
import { freePort } from "../free-port.js";
import { connectStranger, endStrangers, listenAs, type Stranger } from "./stranger.js";

const LOOPBACK = "127.0.0.1";
const NOBODY = 65534;
const servers: Server[] = [];
const children: ChildProcess[] = [];

const answerOf = (config: object) => startRank({ kind: "tcp", config }).answer;

/**
 * Another user, who takes a name or calls it; `undefined` where that is not allowed. Perl is on every
 * Debian, and Node.js pads such names with zeros.
 */
async function asAnotherUser(
  t: TestContext,
  what: "bind" | "connect",
  name: string,
): Promise<ChildProcess | undefined> {
  const program = `use Socket; $| = 1;
    socket(my $s, PF_UNIX, SOCK_STREAM, 0) or die "socket: $!";
    ${what}($s, pack("S a*", AF_UNIX, "\\0${name}")) or die "${what}: $!";
    ${what === "bind" ? "listen($s, 5);" : ""} print "up\\n";
    while (${what === "bind" ? "accept(my $c, $s)" : "0"}) { print "heard " . length(join("", <$c>)) . "\\n"; }
    sleep 600;`;
  const command = ["--reuid", String(NOBODY), "--clear-groups", "perl", "-e", program];
  const become = ["--reuid", String(NOBODY), "perl", "-MSocket", "-e", "1"];
  const isAllowed = spawnSync("setpriv", become).status === 0;
  if (!needs(t, isAllowed, "setpriv, perl and leave to become another user")) return undefined;
  const child = spawn("setpriv", command, { cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  await once(child.stdout as NodeJS.EventEmitter, "data");
  return child;
}

/** The abstract names under which a process takes links. Other jobs of this machine have names, too. */
function linkNames(pid: number): string[] {
  const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`));
  const inodes = new Set(targets.map((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1]));
  const lines = readFileSync("/proc/net/unix", "latin1").matchAll(/ (\d+) @(cobre-link-\S+)/g);
  const own = [...lines].filter(([, inode]) => inodes.has(inode));
  return [...new Set(own.map(([, , name]) => name as string))];
}

/** Where a link leads; nowhere if it was closed in between. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}

describe("tcp: strangers on the same machine", () => {
  afterEach(async () => {
    endStrangers();
    for (const server of servers.splice(0)) server.close();
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await killAll();
  });

  it("a name that another user has taken is told by its user", async (t) => {
    const name = `cobre-test-${randomBytes(8).toString("hex")}`;
    if ((await asAnotherUser(t, "bind", name)) === undefined) return;
    const sockets = await Sockets.load();
    const fd = sockets.connectWithin(name);
    assert.equal(sockets.peerUid(fd), NOBODY);
    closeSync(fd);
  });

  it("a rank says nothing to another user who listens under the name of a link", async (t) => {
    const name = randomBytes(16);
    const stranger = await asAnotherUser(t, "bind", `cobre-link-${name.toString("hex")}`);
    if (stranger === undefined) return;
    const heard = once(stranger.stdout as NodeJS.EventEmitter, "data");
    // Nobody listens at the port, which is tried next.
    const whereabouts = { isLocal: true, host: LOOPBACK, port: await freePort(), name };
    const config = tcpConfigFromProgram({
      rank: 1,
      size: 3,
      coordinator: LOOPBACK,
      token: "secret",
    });
    const sockets = await Sockets.load();
    const made = await linkUpwards(sockets, [{ rank: 2, whereabouts }], Buffer.from("x"), config);
    assert.equal(made, undefined);
    assert.equal(String(await heard), "heard 0\n");
  });

  it("names of links cannot be guessed, and whoever calls one as another user is turned away", async (t) => {
    const port = await freePort();
    const common = { size: 3, port, token: "secret" };
    const first = answerOf({ ...common, rank: 0, bindAddress: LOOPBACK });
    const config = { ...common, rank: 1, coordinator: LOOPBACK };
    const rank = startRank({ kind: "tcp", config }, ["env", "COBRE_COMM_DEBUG=1"]);
    const second = rank.answer;
    const { pid = 0 } = rank.child;
    await until(() => linkNames(pid).length > 0);
    const [name] = linkNames(pid);
    assert.match(name ?? "", /^cobre-link-[0-9a-f]{32}$/);
    // Sixteen random bytes: so many of them differ.
    assert.ok(new Set(Buffer.from((name ?? "").slice(11), "hex")).size > 8, name);
    if ((await asAnotherUser(t, "connect", name ?? "")) === undefined) return;
    const third = answerOf({ ...common, rank: 2, coordinator: LOOPBACK });
    const answers = await Promise.all([first, second, third]);
    assert.deepEqual(
      answers.map(({ joined }) => joined),
      [3, 3, 3],
    );
    assert.match(answers[1]?.stderr ?? "", /refused a Unix socket: .* another user \(uid 65534\)/);
  });

  for (const [what, meant] of [
    ["another rank", { target: 1 }],
    ["another way", { channel: 1 }],
  ] as const) {
    it(`a proof that was made for ${what} is none here`, async () => {
      const port = await freePort();
      const common = { size: 2, port, token: "secret" };
      const first = answerOf({ ...common, rank: 0, bindAddress: LOOPBACK });
      const relay = await connectStranger(port);
      await assert.rejects(relay.join(1, 2, "secret", meant), /meant for another rank/);
      const second = answerOf({ ...common, rank: 1, coordinator: LOOPBACK });
      assert.deepEqual(await Promise.all([first, second]), [{ joined: 2 }, { joined: 2 }]);
    });
  }

  it("another rank of the job in the place of rank 0 is not taken for it", async () => {
    const { server, port, came } = await listenAs(1, 2, "secret");
    servers.push(server);
    const config = {
      rank: 1,
      size: 2,
      port,
      coordinator: LOOPBACK,
      token: "secret",
      timeoutSecs: 9,
    };
    let hasEnded = false;
    answerOf(config).then(() => {
      hasEnded = true;
    });
    // It hangs up and looks again, and does not wait for what rank 0 would send.
    await until(() => came() > 1 || hasEnded);
    assert.ok(came() > 1);
  });

  it("a connection is closed although the other side never stops sending", async () => {
    let received = 0;
    const endless = {
      addressOf: () => 0,
      finishSending: () => {},
      receive: (_fd: number, _address: number, bytes: number) => {
        received += bytes;
        assert.ok(received < 2 ** 20, "it reads on and on");
        return bytes;
      },
    };
    const fd = openSync("/dev/null", "r");
    new Link(endless as unknown as Sockets, fd, -1, 512).close();
    assert.ok(received > 0);
    assert.throws(() => closeSync(fd), { code: "EBADF" });
  });

  it("the secret of links follows from the token: what is overheard is not enough", () => {
    const overheard = randomBytes(32);
    const token = Buffer.from("secret");
    const secret = meshSecret(token, overheard);
    assert.notDeepEqual(secret, overheard);
    assert.deepEqual(secret, meshSecret(token, overheard));
    assert.notDeepEqual(secret, meshSecret(Buffer.from("other"), overheard));
    assert.notDeepEqual(secret, meshSecret(token, randomBytes(32)));
    assert.deepEqual(meshSecret(undefined, overheard), overheard);
  });

  it("whoever has overheard a start cannot link up with a rank", { timeout: 120_000 }, async () => {
    const token = "secret";
    /** What rank 2 lets in: somebody with the number that is sent in the clear, and a rank. */
    const meet = async () => {
      const port = await freePort();
      const common = { size: 3, port, token, timeoutSecs: 20 };
      startRank({ kind: "tcp", config: { ...common, rank: 0, bindAddress: LOOPBACK } });
      startRank({ kind: "tcp", config: { ...common, rank: 2, coordinator: LOOPBACK } });
      const first = await connectStranger(port);
      await first.join(1, 3, token);
      const { jobNonce, higher } = decodeRoster(await first.roster()) as Roster;
      const door = higher[0]?.port as number;
      const [listener, rank] = [await connectStranger(door), await connectStranger(door)];
      const isLetIn = (stranger: Stranger, secret: Uint8Array) =>
        stranger.join(1, 3, secret, { purpose: 1, target: 2 }).then(
          () => true,
          () => false,
        );
      const found = {
        listener: await isLetIn(listener, jobNonce),
        rank: await isLetIn(rank, meshSecret(Buffer.from(token), jobNonce)),
      };
      endStrangers();
      await killAll();
      return found;
    };
    // Links are made within seconds or not at all: on a machine that is very busy, once more.
    let found = await meet();
    while (!found.listener && !found.rank) found = await meet();
    assert.deepEqual(found, { listener: false, rank: true });
  });

  it("somebody in the place of rank 0 who refuses everybody ends nobody: the real one is joined", async () => {
    let refused = 0;
    const server = createServer((socket) => {
      refused++;
      socket.on("error", () => {}).resume();
      socket.end(encodeRefusal(Buffer.from("go away")));
    });
    servers.push(server);
    server.listen(0, LOOPBACK);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const common = { size: 2, port, token: "secret" };
    const second = answerOf({ ...common, rank: 1, coordinator: LOOPBACK });
    await until(() => refused > 0);
    server.close();
    await once(server, "close");
    const first = answerOf({ ...common, rank: 0, bindAddress: LOOPBACK });
    assert.deepEqual(await Promise.all([first, second]), [{ joined: 2 }, { joined: 2 }]);
  });

  it("what a stranger writes comes to the terminal as one plain line", () => {
    const text = Buffer.from("\u001b[2J\u0007evil\r\nline\u0000 é");
    assert.equal(printable(text), "[2J evil line é");
    assert.equal(printable(Buffer.alloc(10_000, "a")).length, 301);
  });
});
