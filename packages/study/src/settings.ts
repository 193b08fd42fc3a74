import { mergePatch, rawConfig } from "@cobre/io";

/** Changes to the configuration of a case. Later ones go before earlier ones. */
export interface SettingChanges {
  /** Merged into `config.json` first, by the rules of {@link mergePatch}. */
  readonly settings?: object | undefined;
  /** Single settings: `["training.forward_passes", 8]`. */
  readonly set?: readonly Setting[] | undefined;
  /** The limit of iterations. Other stopping rules stay as they are. */
  readonly iterations?: number | undefined;
  /** The seed of the opening tree. */
  readonly seed?: number | undefined;
  /** How many scenarios are simulated. */
  readonly scenarios?: number | undefined;
}

/** The path of a setting, with dots, and its value. */
export type Setting = readonly [path: string, value: unknown];

/**
 * All changes as one object that `loadCase` merges into `config.json`; `undefined` if there are none.
 *
 * @example
 * ```ts
 * const settings = await changedSettings("cases/1dtoy", { iterations: 50, set: [["training.forward_passes", 8]] });
 * const source = await loadCase("cases/1dtoy", settings);
 * ```
 */
export async function changedSettings(
  directory: string,
  changes: SettingChanges,
): Promise<object | undefined> {
  const { set = [], iterations, seed, scenarios } = changes;
  let settings: unknown = changes.settings;
  const change = (path: string, value: unknown) => {
    settings = mergePatch(settings ?? {}, nested(path, value));
  };
  for (const [path, value] of set) change(path, value);
  if (seed !== undefined) change("training.tree_seed", seed);
  if (scenarios !== undefined) {
    change("simulation.enabled", true);
    change("simulation.num_scenarios", scenarios);
  }
  if (iterations !== undefined) {
    const rules = stoppingRules(mergePatch(await rawConfig(directory), settings ?? {}));
    const others = rules.filter((rule) => typeOf(rule) !== "iteration_limit");
    change("training.stopping_rules", [{ type: "iteration_limit", limit: iterations }, ...others]);
  }
  return settings as object | undefined;
}

function nested(path: string, value: unknown): unknown {
  return path.split(".").reduceRight((inner, key) => ({ [key]: inner }), value);
}

function stoppingRules(config: unknown): readonly unknown[] {
  const { training } = config as { readonly training?: { readonly stopping_rules?: unknown } };
  return Array.isArray(training?.stopping_rules) ? training.stopping_rules : [];
}

function typeOf(rule: unknown): unknown {
  return typeof rule === "object" && rule !== null && "type" in rule ? rule.type : undefined;
}
