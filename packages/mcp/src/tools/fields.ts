/** Fields that several tools have, with the same words everywhere. */
import { z } from "zod";

export const casePath = z
  .string()
  .min(1)
  .max(1000)
  .describe("The folder of the case, relative to a root, as list_cases shows it.");

export const runPath = z
  .string()
  .min(1)
  .max(1000)
  .describe("The folder of the run, relative to a root, as list_runs shows it.");

/** A setting of a case: a path with dots, and its value. */
export const setting = z.strictObject({
  path: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*$/)
    .max(200)
    .describe("Where the value stands, with dots: training.selection.forward_passes."),
  value: z.json().describe("The new value, as JSON."),
});

export const money = z.number().nullable();

/** 75.4 G$, 1.2 k$ */
export function dollars(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return "an unknown cost";
  const size = Math.abs(value);
  const [prefix, by] =
    size >= 1e9 ? ["G", 1e9] : size >= 1e6 ? ["M", 1e6] : size >= 1e3 ? ["k", 1e3] : ["", 1];
  return `${Number((value / Number(by)).toPrecision(4))} ${prefix}$`;
}

export function counted(count: number, what: string, many = `${what}s`): string {
  return `${count} ${count === 1 ? what : many}`;
}
