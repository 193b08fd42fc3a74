import { type BlockFactorInput, CASE_FILES, type IssueCollector } from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";
import { readJson } from "../json/read-json.js";
import type { CaseDirectory } from "../memory/memory-case.js";

/** The factors on the capacity of a line, by block. */
export type ExchangeFactorInput = BlockFactorInput<"directMw" | "reverseMw">;

/** Reads `constraints/exchange_factors.json`, if it exists. */
export async function readExchangeFactors(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly ExchangeFactorInput[]> {
  const root = await readJson(directory, CASE_FILES.exchangeFactors, issues, true);
  return root === undefined ? [] : exchangeFactorsOf(root);
}

/** What `constraints/exchange_factors.json` says. */
export function exchangeFactorsOf(root: ObjectReader): readonly ExchangeFactorInput[] {
  const factors = (root.optionalList("exchange_factors") ?? []).map((entry) => {
    const fields = {
      id: entry.integer("line_id"),
      stageId: entry.integer("stage_id"),
      blocks: entry.list("block_factors").map((block) => {
        const factor = {
          blockId: block.integer("block_id"),
          directMw: block.optionalNumber("direct_factor") ?? 1,
          reverseMw: block.optionalNumber("reverse_factor") ?? 1,
        };
        block.finish();
        return factor;
      }),
    };
    entry.finish();
    return fields;
  });
  root.finish();
  return factors;
}
