/** Policies as the programs of the Cobre project write them, by a writer that shares nothing with the reader. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { COST_SCALE, type Policy } from "@cobre/sddp";
import { type FlatFields, flatBuffer } from "./flat-writer.js";

/** What to write otherwise. */
export interface Otherwise {
  readonly format?: number;
  readonly version?: string;
  /** Changes the fields of a stage. */
  readonly stage?: (fields: FlatFields, stage: number) => FlatFields;
  readonly withoutDictionary?: boolean;
}

const put = (file: string, content: string | Uint8Array) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
};
const number = (stage: number) => String(stage).padStart(3, "0");
/** Pieces of a pool: `[intercept, coefficients]`, in $. */
const pieces = ({ pools }: Policy, stage: number) =>
  Array.from({ length: pools[stage].count }, (_, slot) => {
    const pool = pools[stage];
    const slopes = Array.from({ length: pool.dimension }, (__, i) => pool.coefficient(slot, i));
    return [pool.intercept(slot) * COST_SCALE, slopes.map((one) => one * COST_SCALE)] as const;
  });

/** A policy of Cobre 0.5, in thousands of $. */
export function writeEarlier(policy: Policy, output: string, otherwise: Otherwise = {}): string {
  const { hydroIds, lags } = policy.origin;
  const directory = join(output, "policy");
  const change = otherwise.stage ?? ((fields) => fields);
  policy.pools.forEach((pool, stage) => {
    const cuts = pieces(policy, stage).map(
      ([intercept, slopes], i): FlatFields => ({
        0: ["u64", i],
        1: ["u32", i],
        2: ["u32", 1 + i],
        5: ["f64", intercept / 1000],
        6: ["f64s", slopes.map((one) => one / 1000)],
        7: ["f64s", []],
        8: ["u8", i % 2],
      }),
    );
    const fields: FlatFields = {
      ...(stage > 0 && { 0: ["u32", stage] as const }),
      1: ["u32", pool.dimension],
      2: ["u32", 100],
      4: ["tables", cuts],
      5: ["u32s", cuts.map((_, i) => i)],
      ...(cuts.length > 0 && { 6: ["u32", cuts.length] as const }),
    };
    put(join(directory, `cuts/stage_${number(stage)}.bin`), flatBuffer(change(fields, stage)));
  });
  const metadata = { cobre_version: otherwise.version ?? "0.5.1", num_stages: policy.pools.length };
  put(join(directory, "metadata.json"), JSON.stringify(metadata));
  if (otherwise.withoutDictionary) return directory;
  const place = (id: number) => ({ entity_type: "hydro", entity_id: id });
  const state_variables = [
    ...hydroIds.map((id) => ({ type: "storage", ...place(id), unit: "hm3" })),
    // By plant, and then by lag: not the order of the coefficients.
    ...hydroIds.flatMap((id) =>
      Array.from({ length: lags }, (_, lag) => ({
        type: "inflow_lag",
        ...place(id),
        lag_index: lag + 1,
        unit: "m3/s",
      })),
    ),
  ];
  const dictionary = join(output, "training/dictionaries/state_dictionary.json");
  put(dictionary, JSON.stringify({ version: "1.0", state_variables }));
  return directory;
}

/** A policy of Cobre 0.18, in $. Its coefficients stand in the opposite order, because they have names. */
export function writeLater(policy: Policy, output: string, otherwise: Otherwise = {}): string {
  const { components = [], pricedAt = [] } = policy.origin;
  const directory = join(output, "policy");
  const change = otherwise.stage ?? ((fields) => fields);
  const slots = components.toReversed().map(
    ({ family, entityId, lag = 0 }): FlatFields => ({
      ...(family !== "storage" && { 0: ["u8", 1] as const }),
      1: ["i32", entityId],
      2: ["u32", lag],
      3: ["u8", 1],
    }),
  );
  policy.pools.forEach((pool, stage) => {
    const cuts = pieces(policy, stage).map(
      ([intercept, slopes], i): FlatFields => ({
        0: ["u64", i],
        4: ["f64", intercept],
        5: ["f64s", slopes.toReversed()],
        6: ["u8", 1],
      }),
    );
    const fields: FlatFields = {
      0: ["u32", stage],
      1: ["u32", pool.dimension],
      4: ["tables", cuts],
      6: ["u32", cuts.length],
      7: ["tables", slots],
      8: ["f64", 1e6],
      9: ["i32", stage],
      10: ["i32", stage],
      11: ["i32", Number((pricedAt[stage] ?? "").replaceAll("-", ""))],
    };
    const bytes = flatBuffer(change(fields, stage), "CBVF");
    put(join(directory, `cuts/${number(stage)}.bin`), bytes);
  });
  const manifest: FlatFields = {
    0: ["u32", otherwise.format ?? 3],
    1: ["text", otherwise.version ?? "0.18.0"],
    3: ["u32", policy.pools.length],
    4: ["u32", policy.pools.length],
    20: ["text", "cobre"],
  };
  put(join(directory, "manifest.bin"), flatBuffer(manifest, "CBVF"));
  return directory;
}
