import type { RunMetadata } from "@cobre/study";
import { rounded, withUnit } from "../numbers.js";
import { escapeHtml } from "../page/html.js";
import type { Section, Source } from "./section.js";

/** Name and value; `isCode` for hashes and numbers that are copied. */
type Fact = readonly [name: string, value: string | undefined, isCode?: boolean];

export function provenanceSection({ report, summary }: Source): Section {
  const { training, simulation, directory } = report.run;
  const made = training ?? simulation;
  const general: Fact[] = [
    ["case", summary.case.name ?? undefined],
    ["fingerprint of the case", made?.caseFingerprint, true],
    ["output", directory, true],
    ["cobre", summary.version],
  ];
  const trained: Fact[] = training
    ? [
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
    html: `${list("Run", general)}${list("Training", trained)}${list("Simulation", simulated)}<p class="lead">Equal hashes mean equal results, whatever the times and the number of ranks. A run does not store the command that started it.</p>`,
  };
}

function runFacts(made: RunMetadata): Fact[] {
  return [
    ["ranks", `${made.ranks} × ${made.backend}`],
    ["machines", made.nodes > 1 ? String(made.nodes) : made.host],
    ["solver", `${made.solver} ${made.solverVersion}`],
    ["started", made.startedAt.toISOString()],
    ["took", withUnit(made.seconds * 1000, "ms", 3)],
  ];
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
