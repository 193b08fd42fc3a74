import { CASE_FILES, type ValidationIssue } from "@cobre/core";

/** Names that the model has for fields, and those of Cobre 0.18, by file. */
const FIELDS: Readonly<Record<string, readonly (readonly [model: string, later: string])[]>> = {
  [CASE_FILES.stages]: [["num_scenarios", "num_openings"]],
  [CASE_FILES.hydros]: [
    ["bus_id", "unit_groups[0].bus_id"],
    ["penalties.fpha_turbined_cost", "penalties.turbined_cost"],
  ],
  [CASE_FILES.penalties]: [["hydro.fpha_turbined_cost", "hydro.turbined_cost"]],
  [CASE_FILES.hydroPenalties]: [["fpha_turbined_cost", "turbined_cost"]],
};

/** Words in messages. */
const WORDS = [
  [/\bnum_scenarios\b/g, "num_openings"],
  [/\bproductivity_override\b/g, "productivity_mw_per_m3s"],
] as const;

/**
 * An issue in the words of Cobre 0.18. Readers know the words of the case; the model speaks of the fields of Cobre 0.5, which are translated
 * here.
 */
export function inLaterWords(issue: ValidationIssue): ValidationIssue {
  if (issue.layer === "schema") return issue; // it comes from a reader
  const { file, field } = issue;
  if (file === CASE_FILES.config) return issue; // num_scenarios are paths there, in both versions
  if (file === CASE_FILES.initialConditions && field === "past_inflows") {
    return { ...issue, file: CASE_FILES.inflowHistory, field: undefined };
  }
  const renamed = FIELDS[file]?.find(([model]) => model === field)?.[1] ?? field;
  return {
    ...issue,
    field: renamed === undefined ? undefined : translated(renamed),
    problem: translated(issue.problem),
    remedy: translated(issue.remedy),
  };
}

function translated(text: string): string {
  return WORDS.reduce((result, [word, later]) => result.replace(word, later), text);
}
