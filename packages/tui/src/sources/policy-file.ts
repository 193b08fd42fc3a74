import { readFile } from "node:fs/promises";
import { decodePolicy, type Policy } from "@cobre/sddp";
import { type Names, type StageCuts, stageCuts } from "../state/stage-cuts.js";

/** Reads the cuts of a stage from a policy file. */
export async function cutsFromFile(path: string, stage: number, names: Names): Promise<StageCuts> {
  return stageCuts(decodePolicy(await readFile(path), path), stage, names);
}

/** A policy that is read again only when there is a newer one: it may be large. */
export class KeptPolicy {
  private kept: { readonly key: string; readonly policy: Promise<Policy> } | undefined;

  read(key: string, load: () => Promise<Policy>): Promise<Policy> {
    if (this.kept?.key !== key) this.kept = { key, policy: load() };
    return this.kept.policy;
  }
}
