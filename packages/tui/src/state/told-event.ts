import type { RunEvent } from "@cobre/study";

/** An error of a rank, as `cobre run --events` tells it. */
export interface ToldError {
  readonly type: "error";
  readonly error: { readonly name?: string; readonly message?: string };
  readonly code: number;
}

/** An event and the rank that told it; `null` is the launcher of the ranks. */
export type ToldEvent = (RunEvent | ToldError) & { readonly rank: number | null };

/** Reads a line of JSON; `undefined` if it is no event. */
export function readEvent(text: string): ToldEvent | undefined {
  try {
    const told: unknown = JSON.parse(text);
    const isEvent = typeof told === "object" && told !== null && "type" in told && "rank" in told;
    return isEvent && typeof told.type === "string" ? (told as ToldEvent) : undefined;
  } catch {
    return undefined;
  }
}
