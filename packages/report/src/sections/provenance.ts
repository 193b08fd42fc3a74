import type { RunMetadata } from "@cobre/study";
import { rounded, withUnit } from "@cobre/study/numbers";
import { escapeHtml } from "../page/html.js";
import type { Section, Source } from "./section.js";

/** Name and value; `isCode` for hashes and numbers that are copied. */
type Fact = readonly [name: string, value: string | undefined, isCode?: boolean];

export function provenanceSection({ report, summary }: Source): Section {
  const { training, simulation, directory } = report.run;
  const made = training ?? simulation;
  // Usually one command trained and simulated. It is told once.
  const isOne = training?.command === simulation?.command || !training || !simulation;
  const general: Fact[] = [
    ["command", isOne ? made?.command : undefined, true],
    ["case", summary.case.name ?? undefined],
    ["fingerprint of the case", made?.caseFingerprint, true],
    ["output", directory, true],
    ["cobre", summary.version],
  ];
  const trained: Fact[] = training
    ? [
        ["command", isOne ? undefined : training.command, true],
        ...runFacts(training),
        ["seed", String(training.seed), true],
        ["forward passes", rounded(training.forwardPasses)],
        ["iterations", rounded(training.iterations)],
        ["limit of iterations", training.maxIterations?.toString()],
        ["ended by", training.termination.replaceAll("_", " ")],
        ["cuts", rounded(training.cuts)],
        ["lower bound", `${training.lowerBound} $`, true],
        ...Object.entries(training.hashes).map(
          ([name, hash]): Fact => [`hash of ${name.replaceAll("_", " ")}`, hash, true],
        ),
      ]
    : [];
  const simulated: Fact[] = simulation
    ? [
        ["command", isOne ? undefined : simulation.command, true],
        ...runFacts(simulation),
        ["scenarios", rounded(simulation.scenarios)],
        ["mean", `${simulation.mean} $`, true],
        ["hash of the tables", simulation.hash, true],
      ]
    : [];
  return {
    id: "provenance",
    name: "Provenance",
    title: "What exactly was run?",
    html: `${list("Run", general)}${list("Training", trained)}${list("Simulation", simulated)}<p class="lead">Equal hashes mean equal results, whatever the times and the number of ranks.</p>`,
  };
}

function runFacts(made: RunMetadata): Fact[] {
  return [
    ["ranks", `${made.ranks} × ${made.backend}`],
    ["machines", machinesText(made)],
    ["solver", `${made.solver} ${made.solverVersion}`],
    ["Node.js", [made.nodeVersion, made.platform].filter((one) => one !== undefined).join(", ")],
    ["started", made.startedAt.toISOString()],
    ["took", withUnit(made.seconds * 1000, "ms", 3)],
  ];
}

/** Which ranks ran where; the name alone if it was one machine. */
function machinesText({ machines, nodes, host }: RunMetadata): string {
  if (machines.length < 2) return nodes > 1 ? String(nodes) : host;
  const where = machines.map(({ host: name, ranks }) => `${name}: ${rangesText(ranks)}`);
  return `${where.join("; ")} (ranks)`;
}

/** 0–3, 7 */
function rangesText(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const open = ranges.at(-1);
    if (open !== undefined && number === open[1] + 1) open[1] = number;
    else ranges.push([number, number]);
  }
  return ranges
    .map(([first, last]) => (first === last ? String(first) : `${first}–${last}`))
    .join(", ");
}

function list(title: string, facts: readonly Fact[]): string {
  const known = facts.filter(([, value]) => value !== undefined && value !== "");
  if (known.length === 0) return "";
  const items = known.map(([name, value = "", isCode]) => {
    const text = escapeHtml(value);
    return `<div><dt>${escapeHtml(name)}</dt><dd>${isCode ? `<code>${text}</code>` : text}</dd></div>`;
  });
  return `<h3>${title}</h3><dl>${items.join("")}</dl>`;
}
