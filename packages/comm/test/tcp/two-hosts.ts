/** Two machines in one: network namespaces that are joined by a cable, which can be cut. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The addresses of the two, and one between them that nobody has. */
export const ADDRESSES = ["10.77.0.1", "10.77.0.2"] as const;
export const DEAD_ADDRESS = "10.77.0.3";

/** What a rank's process is started through, so that it runs on that machine. */
export type Host = readonly string[];

/** Thrown where namespaces or links cannot be made. */
export class NoNamespaces extends Error {}

export class TwoHosts {
  readonly hosts: readonly [Host, Host];
  private readonly keepers: ChildProcess[];
  private readonly folder: string;

  /** Names in `hostsFile` are known on both machines; they are lines of an /etc/hosts. */
  constructor(hostsFile: string) {
    run("unshare", "--net", "--mount", "true");
    this.folder = mkdtempSync(join(tmpdir(), "cobre-hosts-"));
    const file = join(this.folder, "hosts");
    writeFileSync(file, hostsFile);
    this.keepers = ADDRESSES.map(() =>
      spawn(
        "unshare",
        ["--net", "--mount", "sh", "-c", `mount --bind ${file} /etc/hosts && exec sleep 600`],
        {
          stdio: "ignore",
        },
      ),
    );
    const [a, b] = this.keepers.map(({ pid }) => String(pid)) as [string, string];
    try {
      for (const pid of [a, b]) this.untilApart(pid);
      run(
        "ip",
        "link",
        "add",
        "cobre0",
        "netns",
        a,
        "type",
        "veth",
        "peer",
        "name",
        "cobre0",
        "netns",
        b,
      );
      [a, b].forEach((pid, i) => {
        this.ip(pid, "address", "add", `${ADDRESSES[i]}/24`, "dev", "cobre0");
        this.ip(pid, "link", "set", "cobre0", "up");
        this.ip(pid, "link", "set", "lo", "up");
      });
    } catch (error) {
      this.close();
      throw error;
    }
    const enter = (pid: string): Host => ["nsenter", "--target", pid, "--net", "--mount", "--"];
    this.hosts = [enter(a), enter(b)];
  }

  /** Pulls the cable out. */
  cut(): void {
    this.ip(String(this.keepers[0]?.pid), "link", "set", "cobre0", "down");
  }

  /** The namespaces go with the processes that keep them, and the link with the namespaces. */
  close(): void {
    for (const keeper of this.keepers) keeper.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The keeper has its own namespaces a moment after it was started, or never. */
  private untilApart(pid: string): void {
    for (let i = 0; i < 1000; i++) {
      const { stdout } = spawnSync("nsenter", [
        "--target",
        pid,
        "--mount",
        "sh",
        "-c",
        `cmp -s ${this.folder}/hosts /etc/hosts && echo apart`,
      ]);
      if (String(stdout).includes("apart")) return;
      spawnSync("sleep", ["0.02"]);
    }
    throw new NoNamespaces("no network and mount namespaces can be made here");
  }

  private ip(pid: string, ...args: string[]): void {
    run("nsenter", "--target", pid, "--net", "ip", ...args);
  }
}

function run(command: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status === 0) return;
  const reason = (error?.message ?? stderr).trim();
  throw new NoNamespaces(`${command} ${args.join(" ")}: ${reason}`);
}
