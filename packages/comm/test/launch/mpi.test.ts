/** The launcher with mpirun between itself and the ranks: what it promises holds all the same. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { CommandNotRunnable, type LaunchOptions, launch } from "@cobre/comm/launch";
import { formatProcessors, parseProcessors, parseStatus } from "#internal";
import { isMpiInstalled, MPIS, type MpiName, mpiVariables } from "../mpi-installed.js";
import { eventually, runs } from "./eventually.js";
import { mpiFolders } from "./mpi-folders.js";

/** A grace time that a test which needs it to pass would notice. */
const NEVER = 60;

function shell(mpi: MpiName, program: string, ranks: number, options: Partial<LaunchOptions> = {}) {
  return launch({
    ranks,
    backend: "mpi",
    command: ["sh", "-c", program],
    env: mpiVariables(mpi),
    output: "capture",
    graceSecs: NEVER,
    timeoutSecs: 100,
    ...options,
  });
}

const readList = (file: string) => parseProcessors(readFileSync(file, "latin1")) ?? [];
const ownProcessors = () => parseStatus(readFileSync("/proc/self/status", "latin1")) ?? [];

for (const mpi of MPIS) {
  describe(`launch: mpi, ${mpi}`, { timeout: 300_000 }, () => {
    it("keeps the ranks' output apart, as it is", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const program =
        'printf "out $COBRE_LAUNCH_RANK\\r\\nmore"; printf "err $COBRE_LAUNCH_RANK" >&2';
      const { ranks, code } = await (await shell(mpi, program, 3)).done;
      assert.equal(code, 0);
      assert.deepEqual(
        ranks.map(({ stdout, stderr }) => ({ stdout, stderr })),
        [0, 1, 2].map((rank) => ({ stdout: `out ${rank}\r\nmore`, stderr: `err ${rank}` })),
      );
      assert.deepEqual(mpiFolders(), []);
    });

    it("gives its ranks the settings of the C library that all backends have", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const expected = process.arch === "x64" ? /glibc\.malloc\.hugetlb=1/ : /^$/;
      const { ranks } = await (await shell(mpi, 'printf "$GLIBC_TUNABLES"', 2)).done;
      for (const { stdout } of ranks) assert.match(stdout, expected);
    });

    it("leaves it to mpirun to give each rank cores of its own, unless it may not", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const [online, own] = [readList("/sys/devices/system/cpu/online"), ownProcessors()];
      const program = "grep Cpus_allowed_list: /proc/self/status";
      const under = async (bind: string) => {
        const { ranks } = await (await shell(mpi, program, 2, { bind })).done;
        return ranks.map(({ stdout }) => parseProcessors(stdout.split(":")[1] ?? "") ?? []);
      };
      assert.deepEqual(await under("none"), [own, own]);
      const [first = [], second = []] = await under("auto");
      if (own.length < 2 || formatProcessors(online) !== formatProcessors(own)) {
        assert.deepEqual([first, second], [own, own]);
      } else {
        assert.ok(first.length > 0 && second.length > 0);
        assert.deepEqual(
          first.filter((processor) => second.includes(processor)),
          [],
        );
      }
    });

    it("takes ranks that end before the last one starts", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const job = await shell(mpi, "exit 0", 12);
      const { code, ranks } = await job.done;
      assert.deepEqual([code, ranks.length], [0, 12]);
    });

    it("loses nothing of much output, with more ranks than cores", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const program = "i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i + 1)); done";
      const { ranks } = await (await shell(mpi, program, 3)).done;
      for (const { stdout } of ranks) assert.equal(stdout.split("\n").length, 20_001);
    });

    it("ends with the code of the rank that failed, and ends the others", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const job = await shell(mpi, '[ "$COBRE_LAUNCH_RANK" = 1 ] && exit 5; exec sleep 300', 3);
      const result = await job.done;
      assert.equal(result.code, 5);
      assert.equal(result.firstFailure?.rank, 1);
      assert.equal(result.timedOut, false);
      for (const { pid } of result.ranks) assert.equal(runs(pid), false);
      assert.deepEqual(mpiFolders(), []);
    });

    it("gives each rank its own variables, and nothing of what mpirun needed itself", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const odd = 'it\'s "odd" $HOME `x`\nsecond line';
      const job = await launch({
        ranks: 2,
        backend: "mpi",
        command: [process.execPath, "-p", "JSON.stringify(process.env)"],
        env: (rank) => ({ ...mpiVariables(mpi), MINE: `${rank} ${odd}`, HOME: undefined }),
        output: "capture",
      });
      const environments = (await job.done).ranks.map(
        ({ stdout }) => JSON.parse(stdout) as Record<string, string>,
      );
      environments.forEach((env, rank) => {
        assert.equal(env.MINE, `${rank} ${odd}`);
        assert.equal(env.HOME, undefined);
        assert.equal(env.COBRE_COMM_BACKEND, "mpi");
        assert.deepEqual([env.COBRE_LAUNCH_RANK, env.COBRE_LAUNCH_SIZE], [String(rank), "2"]);
        assert.equal(env.OMPI_ALLOW_RUN_AS_ROOT, undefined);
        assert.equal(env.OMPI_MCA_ras, undefined);
      });
    });

    it("starts all ranks here, whatever machines a Slurm job has", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const job = { SLURM_JOBID: "19", SLURM_JOB_ID: "19", SLURM_NODELIST: "elsewhere[1-2]" };
      Object.assign(process.env, job);
      t.after(() => {
        for (const name of Object.keys(job)) delete process.env[name];
      });
      const { code, ranks } = await (await shell(mpi, "exit 0", 2)).done;
      assert.equal(code, 0, ranks.map(({ stderr }) => stderr).join(""));
    });

    it("says what it runs", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const notices: string[] = [];
      const job = await shell(mpi, "exit 0", 2, { onNotice: (notice) => notices.push(notice) });
      await job.done;
      assert.match(notices[0] ?? "", /^running \/.*mpi(run|exec)\S* .*-n.* 2 .*sh -c 'exit 0'$/);
      assert.deepEqual(notices.slice(1), []);
    });

    it("ends ranks when asked to, and kills those that do not heed it", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      for (const [program, graceSecs] of [
        ["echo ready; exec sleep 300", NEVER],
        ["trap '' TERM INT; echo ready; while :; do sleep 0.1; done", 0.2],
      ] as const) {
        let ready = 0;
        const output = () => ready++;
        const job = await shell(mpi, program, 2, { graceSecs, output });
        await eventually("both ranks are ready", () => ready === 2);
        const { ranks } = await job.end();
        for (const { pid, code } of ranks) {
          assert.notEqual(code, 0);
          assert.equal(runs(pid), false);
        }
      }
      assert.deepEqual(mpiFolders(), []);
    });

    it("rank 0 reads standard input where that is wanted", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const program = `import { launch } from "@cobre/comm/launch";
        const env = ${JSON.stringify(mpiVariables(mpi))};
        const job = await launch({ ranks: 1, backend: "mpi", command: ["cat"], stdin: "inherit", output: "capture", env });
        console.log(JSON.stringify((await job.done).ranks[0].stdout));`;
      const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
        cwd: fileURLToPath(new URL(".", import.meta.url)),
        stdio: ["pipe", "pipe", "inherit"],
      });
      child.stdin.end("some input\n");
      let text = "";
      for await (const chunk of child.stdout) text += chunk;
      assert.equal(JSON.parse(text), "some input\n");
    });

    it("a command that is not there is refused before anything runs", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      for (const [command, exitCode] of [
        ["no-such-command", 127],
        ["/no/such/command", 127],
        ["/etc/passwd", 126],
      ] as const) {
        const env = mpiVariables(mpi);
        await assert.rejects(
          launch({ ranks: 2, backend: "mpi", command: [command], env }),
          (error) => {
            assert.ok(error instanceof CommandNotRunnable);
            assert.equal(error.exitCode, exitCode);
            return true;
          },
        );
      }
      assert.deepEqual(mpiFolders(), []);
    });

    it("an mpirun that is gone when it is wanted is named, and nobody is killed for it", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const folder = mkdtempSync(join(tmpdir(), "cobre-mpirun-"));
      t.after(() => rmSync(folder, { recursive: true }));
      // Says which it is, and is no more.
      const mpirun = join(folder, "mpirun");
      const name = mpi === "openmpi" ? "Open MPI" : "HYDRA";
      writeFileSync(mpirun, `#!/bin/sh\necho ${name}\nrm -- "$0"\n`, { mode: 0o755 });
      const program = `import { launch } from "@cobre/comm/launch";
        const env = ${JSON.stringify(mpiVariables(mpi))};
        await launch({ ranks: 2, backend: "mpi", command: ["true"], env }).catch((error) => console.log(error.kind, error.message));
        console.log("still here");`;
      // In a group of its own: it must not be the end of this one if the launcher signals its own.
      const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
        cwd: fileURLToPath(new URL(".", import.meta.url)),
        env: { ...process.env, COBRE_MPI_MPIRUN: mpirun },
        stdio: ["ignore", "pipe", "inherit"],
        detached: true,
      });
      const [text, [code, signal]] = await Promise.all([
        child.stdout.setEncoding("utf8").toArray(),
        once(child, "exit"),
      ]);
      assert.match(text.join(""), /InitializationFailed .*could not be started: .*ENOENT/s);
      assert.match(text.join(""), /still here/);
      assert.deepEqual([code, signal], [0, null]);
      assert.deepEqual(mpiFolders(child.pid), []);
    });

    it("a launcher that is killed leaves no rank, no mpirun and no folder", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const program = `import { launch } from "@cobre/comm/launch";
        const env = ${JSON.stringify(mpiVariables(mpi))};
        const output = (rank, stream, text) => console.log(text);
        await launch({ ranks: 2, backend: "mpi", command: ["sh", "-c", "echo $$; exec sleep 300"], output, graceSecs: 1, env });`;
      const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
        cwd: fileURLToPath(new URL(".", import.meta.url)),
        stdio: ["ignore", "pipe", "inherit"],
      });
      let text = "";
      child.stdout.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      const pids = () => text.split("\n").filter(Boolean).map(Number);
      await eventually("both ranks run", () => pids().length === 2);
      child.kill("SIGKILL");
      await eventually("the ranks are gone", () => pids().every((pid) => !runs(pid)));
      await eventually("the folder is gone", () => mpiFolders(child.pid).length === 0);
    });
  });
}
