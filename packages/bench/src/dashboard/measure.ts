/** What a dashboard costs the run that it shows: the same run with and without `--tui`, by turns. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cobreCommand, Terminal } from "@cobre/testing/terminal";
import { median } from "../measurement.js";

const CASE = fileURLToPath(new URL("../../../../examples/cases/four-regions", import.meta.url));
/** Looking at the screen takes time of its own, so it is not done while the run is measured. */
const PERIOD_MS = 500;

export async function runDashboard(
  options: { readonly rounds: number; readonly quick: boolean },
  say: (text: string) => void,
): Promise<void> {
  const { rounds, quick } = options;
  if (spawnSync("tmux", ["-V"]).status !== 0) {
    say("\nnot run: the dashboard: there is no tmux");
    return;
  }
  say(
    `\na run of four regions on two ranks, training and simulation, without and with a dashboard; ${rounds} rounds; seconds`,
  );
  const size = quick ? ["--iterations", "3"] : [];
  const without: number[] = [];
  const under: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const turns = [
      async () => without.push(await alone(size)),
      async () => under.push(await shown(size)),
    ];
    // Who goes first changes, because machines get slower and faster.
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
  }
  const ratios = under.map((seconds, i) => seconds / (without[i] as number));
  const text = (values: readonly number[]) => values.map((value) => value.toFixed(2)).join(" ");
  say(`without  ${text(without)}  median ${median(without).toFixed(2)}`);
  say(`with     ${text(under)}  median ${median(under).toFixed(2)}`);
  say(`ratio    ${text(ratios)}  median ${median(ratios).toFixed(3)} (wanted: at most 1.02)`);
}

function runIn(folder: string, size: readonly string[]): string[] {
  return [...cobreCommand, "run", CASE, "-n", "2", "-o", join(folder, "out"), ...size];
}

async function alone(size: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "cobre-bench-"));
  try {
    const [file = "", ...args] = runIn(folder, size);
    const { status, stderr } = spawnSync(file, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`cobre run exited with code ${status}: ${stderr}`);
    return secondsOf(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function shown(size: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "cobre-bench-"));
  try {
    const command = [...runIn(folder, size), "--tui"];
    await using terminal = Terminal.open({ command, columns: 120, rows: 40 });
    while (!existsSync(join(folder, "out/simulation/_SUCCESS"))) await sleep(PERIOD_MS);
    await terminal.shows(/\[done\]/);
    terminal.press("q");
    const code = await terminal.ended();
    if (code !== 0) throw new Error(`cobre run --tui exited with code ${code}`);
    return secondsOf(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the run itself measured: a dashboard stays when the run is over. */
function secondsOf(folder: string): number {
  return ["training", "simulation"].reduce((sum, part) => {
    const file = join(folder, "out", part, "metadata.json");
    const metadata = JSON.parse(readFileSync(file, "utf8")) as { duration_seconds: number };
    return sum + metadata.duration_seconds;
  }, 0);
}
