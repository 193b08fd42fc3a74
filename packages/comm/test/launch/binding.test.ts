/** Which processors real ranks may use. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "@cobre/comm/launch";
import { formatProcessors, parseProcessors, planBinding } from "#internal";

const PRINT_ALLOWED = [
  "sh",
  "-c",
  "grep Cpus_allowed_list /proc/self/status; printenv COBRE_LAUNCH_PROCESSORS || echo nothing",
];

const ALLOWED =
  process.platform === "linux"
    ? /Cpus_allowed_list:\s*(\S+)/.exec(
        spawnSync("cat", ["/proc/self/status"]).stdout.toString(),
      )?.[1]
    : undefined;
const own = parseProcessors(ALLOWED ?? "") ?? [];
const hasTaskset = spawnSync("taskset", ["-V"]).status === 0;

/** What each rank may use, and what it was told. */
async function ranksUnder(ranks: number, bind?: string): Promise<[string, string][]> {
  const job = await launch({
    ranks,
    bind,
    backend: "shm",
    command: PRINT_ALLOWED,
    output: "capture",
  });
  const { code, ranks: ended } = await job.done;
  assert.equal(code, 0);
  return ended.map(({ stdout }) => {
    const [, allowed = "", given = ""] = /list:\s*(\S+)\n(\S+)/.exec(stdout) ?? [];
    return [allowed, given];
  });
}

interface Waited {
  readonly waiting: string;
  readonly before: string;
  readonly after: string;
}

/** How two ranks wait that are bound in a way. */
async function waitingUnder(
  backend: "shm" | "tcp",
  bind: string,
  env: Record<string, string> = {},
): Promise<Waited[]> {
  const program = fileURLToPath(new URL("./waiting-rank.js", import.meta.url));
  const command = [process.execPath, program];
  const job = await launch({ ranks: 2, backend, bind, command, env, output: "capture" });
  const { code, ranks } = await job.done;
  assert.equal(code, 0, ranks.map(({ stderr }) => stderr).join(""));
  return ranks.map(({ stdout }) => JSON.parse(stdout) as Waited);
}

const skip =
  own.length >= 2 ? false : "needs Linux and a process that may use two processors or more";

describe("launch: bindings of real ranks", { timeout: 60_000, skip }, () => {
  const all = formatProcessors(own);

  it("divides the processors of the launcher, which keeps its own", async () => {
    const expected = planBinding("auto", 2, own)?.map(formatProcessors) as string[];
    const found = await ranksUnder(2, "auto");
    assert.deepEqual(
      found,
      expected.map((list) => [list, list]),
    );
    const after = spawnSync("grep", ["Cpus_allowed_list", "/proc/self/status"]).stdout.toString();
    assert.equal(after.trim().split(/\s+/)[1], all);
  });

  it("lets each rank use all with none, and with more ranks than processors", async () => {
    assert.deepEqual(await ranksUnder(2, "none"), [
      [all, "nothing"],
      [all, "nothing"],
    ]);
    const many = await ranksUnder(own.length + 1, "auto");
    assert.ok(many.every(([allowed, given]) => allowed === all && given === "nothing"));
  });

  it("gives each rank its list, and says which are its own alone", async () => {
    const [first, second] = own as [number, number];
    assert.deepEqual(await ranksUnder(2, `${second}/${first}`), [
      [String(second), String(second)],
      [String(first), String(first)],
    ]);
    const shared = await ranksUnder(2, `${first}/${first}`);
    assert.deepEqual(shared[0], [String(first), "nothing"]);
  });

  for (const backend of ["shm", "tcp"] as const) {
    const [first, second] = own as [number, number];
    const waits = async (bind: string, expected: RegExp, env?: Record<string, string>) => {
      for (const { waiting, before, after } of await waitingUnder(backend, bind, env)) {
        assert.match(waiting, expected);
        assert.equal(after, before, "a rank that waits leaves itself what it may use");
      }
    };

    it(`${backend}: ranks keep their cores if each can have one`, async () => {
      await waits("none", /without letting go/);
      await waits(`${first}/${second}`, /without letting go/);
      // Though each of them sees one processor, and there are two ranks.
      await waits(`${first}/${first},${second}`, /without letting go/);
    });

    it(`${backend}: ranks let go of a core that they have together`, async () => {
      await waits(`${first}/${first}`, /yields, then sleep/);
    });

    it(`${backend}: ranks let go if they are told to`, async () => {
      await waits("none", /yields, then sleep/, { COBRE_COMM_WAITING: "brief" });
    });
  }

  it("keeps what the user has bound", { skip: !hasTaskset && "needs taskset" }, () => {
    const cobre = fileURLToPath(new URL("../../../cli/bin/cobre.js", import.meta.url));
    const [first] = own as [number];
    const words = ["-c", String(first), process.execPath, cobre, "launch", "-n", "2", "--"];
    const { stdout, status } = spawnSync("taskset", [...words, ...PRINT_ALLOWED]);
    assert.equal(status, 0);
    const lines = stdout.toString().match(/list:\s*\S+/g) ?? [];
    assert.equal(lines.length, 2);
    for (const line of lines) assert.equal(line.split(/\s+/)[1], String(first));
  });
});
