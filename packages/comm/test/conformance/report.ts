import type { CommDescription } from "@cobre/comm";

/** One line of a rank's report. */
export type Report =
  | { joined: { rank: number; size: number; backend: string } }
  | { description: CommDescription }
  | { case: string; error?: string }
  | { hash: string };

/** The seed and the length of the random mix. */
export const MIX_SEED = 20_260_214;
export const MIX_COUNT = 1000;
