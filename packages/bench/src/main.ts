/** `npm run bench`: measures our backends side by side with their peers. */
import { loadSolver, SolverError } from "@cobre/solver";
import { canMeasureBandwidth, formatBandwidth, measureBandwidth } from "./bandwidth.js";
import { backendContestants, type Contestant, peerContestants } from "./contestants.js";
import { runCounts } from "./counts/measure.js";
import { runCutMemory } from "./cut-memory/measure.js";
import { runDashboard } from "./dashboard/measure.js";
import { runLarge } from "./large/measure.js";
import { runLayer } from "./layer/measure.js";
import { CORES, describeDisturbance, describeMachine } from "./machine.js";
import { runNeighbours } from "./neighbours/measure.js";
import { describeRounds, type Options, readOptions, USAGE, UsageError } from "./options.js";
import { makePlan } from "./plan.js";
import { runBesideReference } from "./reference/measure.js";
import { Results } from "./results.js";
import { runRounds } from "./rounds.js";
import { runSimulationOutput } from "./simulation/measure.js";
import { measureFold, measureLocal } from "./single-process.js";
import { runSoak } from "./soak.js";
import { runSockets } from "./sockets/measure.js";
import { formatTable, summarize } from "./table.js";
import { runGrowth, runTraining } from "./training/measure.js";
import { runTrainingBeside } from "./training/neighbours.js";

/** Prints one table. Returns whether all of our backends finished. */
async function runTable(
  contestants: readonly Contestant[],
  ranks: number,
  options: Options,
  results: Results,
): Promise<boolean> {
  const group = ranks === 1 ? "1 rank" : `${ranks} ranks on ${CORES} cores`;
  results.say(`\n${group}, microseconds per call (${describeRounds(options)})`);
  for (const { name, obstacle } of contestants) {
    const reason = obstacle(ranks);
    if (reason !== undefined) results.say(`not run: ${name}: ${reason}`);
  }
  const running = contestants.filter(({ obstacle }) => obstacle(ranks) === undefined);
  const plan = makePlan({ ...options, crowded: ranks > CORES });
  const progress = (text: string) => results.progress(text);
  const outcome = await runRounds(running, ranks, plan, options.rounds, progress);
  for (const [{ name }, error] of outcome.failures) {
    results.say(`failed: ${name}: ${error.message.trim()}`);
  }
  const finished = running.filter((contestant) => !outcome.failures.has(contestant));
  const namesOf = (peers: boolean) =>
    finished.filter(({ isPeer }) => isPeer === peers).map(({ name }) => name);
  const { measurements } = outcome;
  const input = { backends: namesOf(false), peers: namesOf(true), measurements };
  if (measurements.length > 0) results.say(`\n${formatTable(input)}`);
  for (const line of summarize(input)) results.say(`\n${line}`);
  results.add(measurements);
  return [...outcome.failures.keys()].every(({ isPeer }) => isPeer);
}

/** Measures the bandwidth of each backend that connects ranks. Returns whether all of them finished. */
async function runBandwidth(
  backends: readonly Contestant[],
  { rounds, quick }: Options,
  results: Results,
): Promise<boolean> {
  let isComplete = true;
  for (const contestant of backends.filter(canMeasureBandwidth)) {
    try {
      results.progress(`bandwidth: ${contestant.name}`);
      const lines = await measureBandwidth(contestant, rounds, quick);
      results.progress("");
      results.say(`\n${lines.map(formatBandwidth).join("\n")}`);
      results.add(lines);
    } catch (error) {
      results.say(`failed: bandwidth of ${contestant.name}: ${(error as Error).message.trim()}`);
      isComplete = false;
    }
  }
  return isComplete;
}

async function main(options: Options): Promise<boolean> {
  const results = new Results(options.json);
  // A solver that is missing is told before minutes are spent on other parts.
  if (options.parts.some((part) => part === "growth" || part === "large")) {
    await loadSolver(options.solver);
  }
  const backends = await backendContestants(options.backends);
  const peers = await peerContestants(options.peers, CORES);
  let isComplete = true;

  results.say(await describeMachine());
  const disturbance = describeDisturbance();
  if (disturbance !== undefined) results.say(disturbance);
  if (options.quick) results.say("--quick: the figures show that it works, not how fast it is");
  if (options.parts.includes("local")) {
    const { lines, text } = await measureLocal(options.quick);
    results.say(`\n${text}`);
    results.add(lines);
  }
  if (options.parts.includes("fold")) {
    const { lines, text } = await measureFold(options.quick);
    results.say(`\n${text}`);
    results.add(lines);
  }
  if (options.parts.includes("collectives")) {
    for (const ranks of options.ranks) {
      const allFinished = await runTable([...backends, ...peers], ranks, options, results);
      isComplete &&= allFinished;
    }
  }
  if (options.parts.includes("layer")) {
    const allFinished = await runLayer(options, results);
    isComplete &&= allFinished;
  }
  if (options.parts.includes("bandwidth")) {
    const allFinished = await runBandwidth(backends, options, results);
    isComplete &&= allFinished;
  }
  const say = (text: string) => results.say(text);
  if (options.parts.includes("soak")) await runSoak(options.quick, say);
  if (options.parts.includes("sockets")) await runSockets(options.quick, say);
  if (options.parts.includes("training")) {
    if (options.isBesideReference) {
      const { quick, givenRounds: rounds, selections } = options;
      const allFinished = await runBesideReference({ quick, rounds, selections }, say);
      isComplete &&= allFinished;
    } else await runTraining(options.quick, say);
  }
  const { quick, solver, size, givenRounds: rounds, selections = ["default"] } = options;
  for (const selection of selections) {
    if (options.parts.includes("growth")) {
      await runGrowth({ quick, rounds, solver, selection }, say);
    }
    if (options.parts.includes("large")) {
      const { isBesideReference } = options;
      const isDone = await runLarge({ quick, size, solver, selection, isBesideReference }, say);
      isComplete &&= isDone;
    }
  }
  if (options.parts.includes("counts")) await runCounts(options.quick, say);
  if (options.parts.includes("cut-memory")) await runCutMemory(options.quick, say);
  if (options.parts.includes("training-beside")) await runTrainingBeside(options.quick, say);
  if (options.parts.includes("dashboard")) await runDashboard(options, say);
  if (options.parts.includes("simulation-output")) await runSimulationOutput(options.quick, say);
  if (options.parts.includes("neighbours")) {
    results.add(await runNeighbours(options, say, (text) => results.progress(text)));
  }
  results.say("");
  results.save();
  return isComplete;
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(USAGE);
  else process.exitCode = (await main(options)) ? 0 : 1;
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n\n${USAGE}`);
    process.exitCode = 2;
  } else if (error instanceof SolverError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } else throw error;
}
