/** The methods of cut selection that the benchmark can ask for: `none` leaves all cuts in the programs, `default` says nothing. */
export const SELECTIONS = ["default", "none", "level1", "lml1", "dynamic"] as const;

export type Selection = (typeof SELECTIONS)[number];

/** What `training` of `config.json` says for a method. */
export function selectionSettings(selection: Selection): {
  readonly cut_selection?: { readonly selection?: { readonly method: string } };
} {
  if (selection === "default") return {};
  if (selection === "none") return { cut_selection: {} };
  return { cut_selection: { selection: { method: selection } } };
}
