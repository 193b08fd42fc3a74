/** The kinds of cost: what they are called, and their colours. */

const NAMES: Readonly<Record<string, string>> = {
  thermal: "thermal generation",
  deficit: "deficit",
  after_study: "after the study",
  contract: "contracts",
  curtailment: "use of sources, as an income",
};

const STYLES: Readonly<Record<string, string>> = {
  thermal: "thermal",
  deficit: "deficit",
  after_study: "after",
};

const OTHERS = ["other0", "other1", "other2", "other3", "other4", "other5"];

export function kindName(kind: string): string {
  return NAMES[kind] ?? kind.replaceAll("_", " ");
}

/** The class with the colour of a kind, given all kinds of the run: the same for the same kind in all charts. */
export function kindStyle(kind: string, kinds: readonly string[]): string {
  const others = kinds.filter((one) => STYLES[one] === undefined);
  return STYLES[kind] ?? (OTHERS[others.indexOf(kind) % OTHERS.length] as string);
}
