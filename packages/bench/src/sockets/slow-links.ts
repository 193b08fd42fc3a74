/** Machines behind links of 1 Gbit/s: network namespaces around a bridge, limited in both directions. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";

const RATE = "1gbit";
/** The capacity of a link. */
export const BYTES_PER_SECOND = 1e9 / 8;

/** The burst lets the kernel's timer keep up with the rate. The queue is like that of a small switch. */
const SHAPING = ["tbf", "rate", RATE, "burst", "256kb", "latency", "20ms"];

export function addressOf(machine: number): string {
  return `10.78.0.${machine + 1}`;
}

export class SlowLinks {
  private readonly keepers: ChildProcess[] = [];

  /** Throws if namespaces or links cannot be created, which needs root and iproute2. */
  constructor(machines: number) {
    try {
      const hub = this.newNamespace();
      this.inside(hub, "ip", "link", "add", "hub", "type", "bridge");
      this.inside(hub, "ip", "link", "set", "hub", "up");
      for (let i = 0; i < machines; i++) this.connect(this.newNamespace(), hub, i);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The command through which a program is started on a machine. */
  enter(machine: number): string[] {
    return ["nsenter", "--target", String(this.keepers[machine + 1]?.pid), "--net", "--"];
  }

  /** The namespaces end with the processes that hold them, and the links with the namespaces. */
  close(): void {
    for (const keeper of this.keepers) keeper.kill("SIGKILL");
  }

  private newNamespace(): string {
    const keeper = spawn("unshare", ["--net", "sleep", "3600"], { stdio: "ignore" });
    this.keepers.push(keeper);
    const pid = String(keeper.pid);
    const own = () => run("readlink", `/proc/${pid}/ns/net`);
    const outer = run("readlink", "/proc/self/ns/net");
    for (let i = 0; own() === outer; i++) {
      if (i === 100) throw new Error("network namespaces cannot be created here");
      run("sleep", "0.02");
    }
    return pid;
  }

  private connect(machine: string, hub: string, i: number): void {
    const port = `port${i}`;
    const ends = ["netns", machine, "type", "veth", "peer", "name", port, "netns", hub];
    run("ip", "link", "add", "link0", ...ends);
    this.inside(hub, "ip", "link", "set", port, "master", "hub", "up");
    this.inside(machine, "ip", "address", "add", `${addressOf(i)}/24`, "dev", "link0");
    this.inside(machine, "ip", "link", "set", "link0", "up");
    this.inside(machine, "ip", "link", "set", "lo", "up");
    this.inside(machine, "tc", "qdisc", "add", "dev", "link0", "root", ...SHAPING);
    this.inside(hub, "tc", "qdisc", "add", "dev", port, "root", ...SHAPING);
  }

  private inside(pid: string, ...command: string[]): void {
    run("nsenter", "--target", pid, "--net", "--", ...command);
  }
}

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr.trim()}`);
}
