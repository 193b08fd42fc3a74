import type { MachineRanks } from "../run/machines.js";
import type { JsonFields } from "./json-fields.js";

/** What the metadata of training and of simulation both tell. */
export interface RunMetadata {
  /** The name of the case directory; `undefined` if the run was made by a version that did not write it. */
  readonly caseName: string | undefined;
  /** Hash of the case's data that affect training. */
  readonly caseFingerprint: string | undefined;
  /** The command that was typed, without secrets; `undefined` if a program made the run, or a version that did not write it. */
  readonly command: string | undefined;
  readonly version: string;
  /** The version of Node.js, the operating system and the processor; `undefined` if a version made the run that did not write them. */
  readonly nodeVersion: string | undefined;
  readonly platform: string | undefined;
  readonly host: string;
  readonly solver: string;
  readonly solverVersion: string;
  readonly startedAt: Date;
  readonly completedAt: Date;
  readonly seconds: number;
  readonly backend: string;
  readonly ranks: number;
  /** The number of machines. */
  readonly nodes: number;
  /** The ranks of each machine; empty if a version made the run that did not write them. */
  readonly machines: readonly MachineRanks[];
}

export function readRunMetadata(fields: JsonFields): RunMetadata {
  return {
    caseName: fields.optionalText("case.name"),
    caseFingerprint: fields.optionalText("case.fingerprint"),
    command: fields.textIfAny("command"),
    version: fields.text("cobre_version"),
    nodeVersion: fields.optionalText("node_version"),
    platform: fields.optionalText("platform"),
    host: fields.text("hostname"),
    solver: fields.text("solver"),
    solverVersion: fields.text("solver_version"),
    startedAt: fields.date("started_at"),
    completedAt: fields.date("completed_at"),
    seconds: fields.number("duration_seconds"),
    backend: fields.text("distribution.backend"),
    ranks: fields.number("distribution.world_size"),
    nodes: fields.number("distribution.num_nodes"),
    machines: fields.optionalList("distribution.machines").map((machine) => ({
      host: machine.text("host"),
      ranks: machine.numbers("ranks"),
    })),
  };
}
