/** How often a rank polls before it yields its core, and how often it yields before it sleeps. */
export interface Patience {
  readonly looks: number;
  readonly yields: number;
}

/**
 * `brief`: ranks let their cores go early, even if each has one. They use less power while they
 * wait, and are much slower beside other programs that compute.
 */
const VARIABLE = "COBRE_COMM_WAITING";

/** Whether ranks that have a core each keep it for as long as `processors/core-keeper.ts` says. */
export function keepsCores(): boolean {
  return process.env[VARIABLE] !== "brief";
}
