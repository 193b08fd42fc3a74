/** Measurements of `tcp` beyond the table of collectives: slow links, strangers, memory. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { median } from "../measurement.js";
import { runRanks } from "./ranks.js";
import { addressOf, BYTES_PER_SECOND, SlowLinks } from "./slow-links.js";

const STRANGERS = fileURLToPath(new URL("./strangers.js", import.meta.url));
const MIB = 1024 * 1024;
const LOOPBACK = "127.0.0.1";

export async function runSockets(quick: boolean, say: (text: string) => void): Promise<void> {
  say("\ntcp: beyond the table");
  for (const measure of [measureSlowLinks, measureMemory, measureStrangers]) {
    say(`  ${await measure(quick)}`);
  }
}

/** With each rank behind its own link, how close an allgatherv comes to the speed of the links. */
async function measureSlowLinks(quick: boolean): Promise<string> {
  const ranks = 4;
  const bytes = 8 * MIB;
  let links: SlowLinks;
  try {
    links = new SlowLinks(ranks);
  } catch (error) {
    return `slow links: not run (${(error as Error).message})`;
  }
  try {
    const results = await runRanks<{ seconds: number }>(
      { kind: "allgatherv", bytes, calls: quick ? 1 : 9 },
      {
        size: ranks,
        port: 29500,
        coordinator: addressOf(0),
        bindAddress: addressOf(0),
        through: (rank) => links.enter(rank),
      },
    );
    // Each rank has to receive all pieces except its own.
    const least = ((ranks - 1) * bytes) / BYTES_PER_SECOND;
    const { seconds } = results[0] as { seconds: number };
    return `allgatherv of 8 MiB at ${ranks} ranks, each behind 1 Gbit/s: ${(seconds * 1000).toFixed(0)} ms; the links need ${(least * 1000).toFixed(0)} ms (ratio ${(seconds / least).toFixed(2)})`;
  } finally {
    links.close();
  }
}

async function measureMemory(quick: boolean): Promise<string> {
  const mib = quick ? 8 : 64;
  const results = await runRanks<{ extraMiB: number }>(
    { kind: "memory", bytes: mib * MIB },
    { size: 7, port: await freePort(), coordinator: LOOPBACK, bindAddress: LOOPBACK },
  );
  const extra = results.map(({ extraMiB }) => extraMiB.toFixed(1));
  return `7 ranks allgather ${mib} MiB each; beyond its own arrays the coordinator's peak grows by ${extra[0]} MiB, the others' by ${extra.slice(1).join(", ")}`;
}

/** The same job, in turn without strangers and with them. */
async function measureStrangers(quick: boolean): Promise<string> {
  const strangers = quick ? 100 : 10_000;
  const alone: number[] = [];
  const besieged: number[] = [];
  const hashes = new Set<string>();
  let reached = 0;
  for (let i = 0; i < (quick ? 1 : 3); i++) {
    for (const count of [0, strangers]) {
      const port = await freePort();
      const siege = count === 0 ? undefined : await besiege(port, count);
      const results = await runRanks<{ seconds: number; hash: string }>(
        { kind: "mix", calls: quick ? 400 : 100_000 },
        { size: 2, port, coordinator: LOOPBACK, bindAddress: LOOPBACK },
      );
      reached += (await siege?.reached) ?? 0;
      (count === 0 ? alone : besieged).push(results[0]?.seconds ?? Number.NaN);
      for (const { hash } of results) hashes.add(hash);
    }
  }
  const [without, withThem] = [median(alone), median(besieged)];
  return `${strangers} strangers during a job of 2 ranks: ${withThem.toFixed(2)} s, without them ${without.toFixed(2)} s (ratio ${(withThem / without).toFixed(2)}); ${hashes.size === 1 ? "the results are the same" : "THE RESULTS DIFFER"}; ${reached} strangers were let as far as the handshake`;
}

/** Strangers connect from before the job starts. `reached` resolves to the number of those that connected. */
async function besiege(port: number, count: number): Promise<{ reached: Promise<number> }> {
  const child = spawn(process.execPath, [STRANGERS, String(port), String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  await once(child.stdout, "data");
  const last = () => Number(text.trim().split("\n").at(-1));
  return { reached: once(child, "close").then(last) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, LOOPBACK);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
