/** How ranks come together, and everything that can be in the way. */
import assert from "node:assert/strict";
import {
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { ShmCommunicator } from "@cobre/comm/shm";
import { linesInScope } from "@cobre/testing/scope";
import { killAll, startRank, until } from "../by-hand.js";

const PREFIX = `cobre-test-${process.pid}-`;

let counter = 0;

function freshName(): string {
  counter++;
  return `/${PREFIX}${counter}`;
}

/** The systems to start on; all but the first are chosen by variables. */
const DIRECTORY = mkdtempSync(join(tmpdir(), "cobre-startup-"));
const SYSTEMS = linesInScope([
  { system: "Linux", path: "/dev/shm/", variables: {} },
  {
    system: "the portable system",
    path: `${DIRECTORY}/cobre-shm-`,
    variables: { COBRE_SHM_SYSTEM: "portable", TMPDIR: DIRECTORY },
    rest: true,
  },
]);

/** What a segment's name is put behind, on the system that is tested now. */
let path = "";

function fileOf(name: string): string {
  return path + name.slice(1);
}

/** Long enough for the ranks that come, also on a busy machine. */
const START_SECS = 6;

const start = (config: object) => startRank({ kind: "shm", config });
const answerOf = (config: object) => start(config).answer;

/** A word of the segment; `undefined` if there is none, or not yet of that length. */
function wordAt(name: string, offset: number): number | undefined {
  if (!existsSync(fileOf(name))) return undefined;
  const bytes = readFileSync(fileOf(name));
  return bytes.length < offset + 4 ? undefined : bytes.readInt32LE(offset);
}

/** The segment exists and its header is complete. */
function isReady(name: string): boolean {
  return wordAt(name, 7 * 4) === 1;
}

function hasJoined(name: string, rank: number): boolean {
  return wordAt(name, 4096 + rank * 1024) === 1;
}

after(() => rmSync(DIRECTORY, { recursive: true }));

for (const { system, path: itsPath, variables } of SYSTEMS)
  describe(`shm: coming together on ${system}`, () => {
    const { TMPDIR } = process.env;

    before(() => {
      path = itsPath;
      Object.assign(process.env, variables);
    });

    after(() => {
      for (const variable of Object.keys(variables)) delete process.env[variable];
      if (TMPDIR !== undefined) process.env.TMPDIR = TMPDIR;
    });

    afterEach(async () => {
      await killAll();
      // What a test has had to kill, or a failed one has left, is not left for others.
      for (; counter > 0; counter--) rmSync(fileOf(`/${PREFIX}${counter}`), { force: true });
    });

    it("ranks join in any order, and the name is gone when they have", async () => {
      const name = freshName();
      const late = answerOf({ name, rank: 2, size: 3 });
      const middle = answerOf({ name, rank: 1, size: 3 });
      const first = answerOf({ name, rank: 0, size: 3 });
      assert.deepEqual(await Promise.all([first, middle, late]), [
        { joined: 3 },
        { joined: 3 },
        { joined: 3 },
      ]);
      assert.equal(existsSync(fileOf(name)), false);
    });

    it("a rank that never comes is named by all others at the deadline", async () => {
      const name = freshName();
      const config = { name, size: 4, timeoutSecs: START_SECS };
      const answers = await Promise.all([0, 2].map((rank) => answerOf({ ...config, rank })));
      for (const { error } of answers) {
        assert.equal(error?.kind, "InitializationFailed");
        assert.match(error?.message ?? "", /did not come|joined and died/);
      }
      for (const { error } of answers) assert.deepEqual(error?.missingRanks, [1, 3]);
      assert.equal(existsSync(fileOf(name)), false);
    });

    it("without rank 0 the others name it", async () => {
      const { error } = await answerOf({ name: freshName(), rank: 1, size: 2, timeoutSecs: 0.3 });
      assert.equal(error?.kind, "InitializationFailed");
      assert.deepEqual(error?.missingRanks, [0]);
    });

    it("two rank 0s: the second is refused, the first goes on", async () => {
      const name = freshName();
      const first = start({ name, rank: 0, size: 2 });
      await until(() => isReady(name));
      const { error } = await answerOf({ name, rank: 0, size: 2 });
      assert.equal(error?.kind, "InitializationFailed");
      assert.match(error?.message ?? "", /in use.*two processes are rank 0/);
      const other = answerOf({ name, rank: 1, size: 2 });
      assert.deepEqual(await Promise.all([first.answer, other]), [{ joined: 2 }, { joined: 2 }]);
    });

    it("a rank taken twice: the second is refused, the group comes together", async () => {
      const name = freshName();
      const group = [0, 1].map((rank) => answerOf({ name, rank, size: 3 }));
      await until(() => isReady(name));
      await until(() => hasJoined(name, 1));
      const { error } = await answerOf({ name, rank: 1, size: 3 });
      assert.equal(error?.kind, "InitializationFailed");
      assert.match(error?.message ?? "", /rank 1 has already joined/);
      const last = answerOf({ name, rank: 2, size: 3 });
      for (const answer of await Promise.all([...group, last]))
        assert.deepEqual(answer, { joined: 3 });
    });

    it("sizes that disagree are told apart", async () => {
      const name = freshName();
      const first = start({ name, rank: 0, size: 2, timeoutSecs: START_SECS });
      await until(() => isReady(name));
      const { error } = await answerOf({ name, rank: 1, size: 3 });
      assert.equal(error?.kind, "InitializationFailed");
      assert.match(error?.message ?? "", /2 ranks, this rank 1 that there are 3/);
      assert.deepEqual((await first.answer).error?.missingRanks, [1]);
    });

    it("rank 0 of another protocol version is refused", async () => {
      const name = freshName();
      start({ name, rank: 0, size: 2 });
      await until(() => isReady(name));
      const bytes = readFileSync(fileOf(name));
      bytes.writeInt32LE(99, 2 * 4);
      writeFileSync(fileOf(name), bytes.subarray(0, 64), { flag: "r+" });
      const { error } = await answerOf({ name, rank: 1, size: 2 });
      assert.match(error?.message ?? "", /version 99 .*version 5/);
      rmSync(fileOf(name));
    });

    it("a segment that is too small for its ranks is refused, not read beyond its end", async () => {
      const name = freshName();
      const first = start({ name, rank: 0, size: 2 });
      await until(() => hasJoined(name, 0));
      first.child.kill("SIGSTOP");
      const bytes = readFileSync(fileOf(name)).subarray(0, 64);
      bytes.writeInt32LE(8192, 4 * 4);
      writeFileSync(fileOf(name), bytes, { flag: "r+" });
      truncateSync(fileOf(name), 8192);
      const { error } = await answerOf({ name, rank: 1, size: 2 });
      assert.match(error?.message ?? "", /8192 bytes, but 2 ranks need/);
      rmSync(fileOf(name));
    });

    it("a name that somebody has removed during the start is no failure", async () => {
      const name = freshName();
      const group = [0, 1].map((rank) => answerOf({ name, rank, size: 3 }));
      await until(() => isReady(name));
      await until(() => hasJoined(name, 1));
      // The last rank opens the segment by another name that stands for the same file.
      const other = freshName();
      linkSync(fileOf(name), fileOf(other));
      rmSync(fileOf(name));
      const last = answerOf({ name: other, rank: 2, size: 3 });
      for (const answer of await Promise.all([...group, last]))
        assert.deepEqual(answer, { joined: 3 });
      rmSync(fileOf(other));
    });

    it("a segment that was cut short is refused, not read", async () => {
      const name = freshName();
      const first = start({ name, rank: 0, size: 2 });
      await until(() => hasJoined(name, 0));
      // Stopped, it keeps its lock and touches nothing of what is cut off under it.
      first.child.kill("SIGSTOP");
      truncateSync(fileOf(name), 8192);
      const { error } = await answerOf({ name, rank: 1, size: 2 });
      assert.match(error?.message ?? "", /8192 bytes, but its header says/);
      rmSync(fileOf(name));
    });

    it("what a start-up killed at any point has left is reclaimed", async () => {
      for (const left of [Buffer.alloc(0), Buffer.alloc(70_000), headerOfOurs()]) {
        const name = freshName();
        writeFileSync(fileOf(name), left, { mode: 0o600 });
        const late = answerOf({ name, rank: 1, size: 2 });
        const first = answerOf({ name, rank: 0, size: 2 });
        assert.deepEqual(await Promise.all([first, late]), [{ joined: 2 }, { joined: 2 }]);
        assert.equal(existsSync(fileOf(name)), false);
      }
    });

    it("what a rank 0 killed while it waits has left is reclaimed", async () => {
      const name = freshName();
      const killed = start({ name, rank: 0, size: 2 });
      await until(() => isReady(name));
      killed.child.kill("SIGKILL");
      await killed.answer;
      assert.equal(existsSync(fileOf(name)), true);
      const answers = [0, 1].map((rank) => answerOf({ name, rank, size: 2 }));
      assert.deepEqual(await Promise.all(answers), [{ joined: 2 }, { joined: 2 }]);
      assert.equal(existsSync(fileOf(name)), false);
    });

    it("a rank that dies while others still wait is named at once", async () => {
      const name = freshName();
      const waiting = [0, 1].map((rank) => answerOf({ name, rank, size: 4 }));
      const victim = start({ name, rank: 2, size: 4 });
      await until(() => isReady(name));
      await until(() => hasJoined(name, 1) && hasJoined(name, 2));
      victim.child.kill("SIGKILL");
      for (const { error } of await Promise.all(waiting)) {
        assert.equal(error?.kind, "InitializationFailed");
        assert.match(error?.message ?? "", /joined and died/);
      }
    });

    it("closing gives everything back: a hundred communicators leave no descriptor open", async () => {
      const openDescriptors = () => readdirSync("/proc/self/fd").length;
      const before = openDescriptors();
      for (let i = 0; i < 100; i++) {
        const comm = await ShmCommunicator.join({ name: freshName(), rank: 0, size: 1 });
        const split = comm.splitLocal();
        comm.createSharedRegion(Float64Array, 10);
        comm.close();
        split.barrier();
        split.close();
      }
      assert.ok(openDescriptors() < before + 10, `${before} before, ${openDescriptors()} after`);
    });

    it("somebody else's file of that name is left alone", async () => {
      const name = freshName();
      writeFileSync(fileOf(name), "precious data of another program", { mode: 0o600 });
      const { error } = await answerOf({ name, rank: 0, size: 2 });
      assert.equal(error?.kind, "InitializationFailed");
      assert.match(error?.message ?? "", /not one of ours/);
      assert.equal(readFileSync(fileOf(name), "utf8"), "precious data of another program");
      rmSync(fileOf(name));
    });
  });

/** The first page of a segment as a killed rank 0 would leave it. */
function headerOfOurs(): Buffer {
  const header = Buffer.alloc(4096);
  header.write("COBRESHM", "latin1");
  header.writeInt32LE(1, 2 * 4);
  header.writeInt32LE(1, 7 * 4);
  return header;
}
