import { CASE_FILES, IssueCollector } from "@cobre/core";
import type { AlgorithmFormats, CutSelection, CutSelectionFormat } from "../algorithms.js";
import { ObjectReader } from "../json/object-reader.js";
import { LATER_FIELDS } from "../later-fields.js";

const DEFAULT_CHECK_FREQUENCY = 5;

/** A section without settings, all of which have defaults. */
const NOTHING = new ObjectReader({}, { file: CASE_FILES.config }, "", new IssueCollector());

/**
 * `training.cut_selection`
 *
 * @param isOnByDefault whether cuts are selected where nothing is said about it
 */
export function readCutSelection(
  section: ObjectReader | undefined,
  [first, ...others]: AlgorithmFormats["cutSelections"],
  isOnByDefault: boolean,
): CutSelection | undefined {
  if (section?.isLater) return readTaggedSelection(section, [first, ...others]);
  const selection = section ?? NOTHING;
  const isEnabled = selection.boolean("enabled", isOnByDefault);
  const formats = [first, ...others];
  const methods = formats.map(({ method }) => method);
  const method = selection.choice("method", methods, first.method);
  const ofMethods = formats.map((format) => format.read(selection));
  const maxActivePerStage = selection.optionalInteger("max_active_per_stage", { min: 1 });
  const checkFrequency =
    selection.optionalInteger("check_frequency", { min: 1 }) ?? DEFAULT_CHECK_FREQUENCY;
  const counters = [
    ["threshold", selection.optionalInteger("threshold", { min: 0 })],
    ["memory_window", selection.optionalInteger("memory_window", { min: 0 })],
    ["cut_activity_tolerance", selection.optionalNumber("cut_activity_tolerance", { min: 0 })],
  ] as const;
  for (const [name, value] of counters) {
    if (!isEnabled || value === undefined || value === 0) continue;
    selection.warn(
      name,
      "has no effect",
      "cuts are judged by their height at the states that training has visited, not by how often they were tight",
    );
  }
  selection.ignore("basis_activity_window");
  selection.refuseLater(LATER_FIELDS.cutSelection);
  selection.finish();
  if (!isEnabled && maxActivePerStage === undefined) return undefined;
  return {
    method: isEnabled ? method : undefined,
    // The budget holds after every iteration.
    checkFrequency: isEnabled ? checkFrequency : 1,
    ...ofMethods[methods.indexOf(method)],
    maxActivePerStage,
  };
}

const EARLIER_SELECTION = {
  enabled: 'give {"selection": {"method": …}}, or an empty object to keep all cuts in the programs',
  method: 'give {"selection": {"method": …}}',
  check_frequency: 'give it in "selection"',
  domination_epsilon: 'give domination_tolerance in "selection"',
  threshold: "remove it",
  memory_window: "remove it",
  cut_activity_tolerance: "remove it",
  basis_activity_window: "remove it",
};

/** Cut selection as Cobre 0.18 writes it: the method is an object of its own, with its settings. */
function readTaggedSelection(
  section: ObjectReader,
  formats: readonly CutSelectionFormat[],
): CutSelection | undefined {
  section.refuseEarlier(EARLIER_SELECTION);
  const maxActivePerStage = section.optionalInteger("max_active_per_stage", { min: 1 });
  // It says which rows count as active; here cuts are judged by their heights.
  section.ignore("row_activity_tolerance");
  const selection = section.optionalObject("selection");
  const method = selection?.choice(
    "method",
    formats.map((format) => format.method),
  );
  const settings = selection && formats.find((format) => format.method === method)?.read(selection);
  const checkFrequency =
    selection?.optionalInteger("check_frequency", { min: 1 }) ?? DEFAULT_CHECK_FREQUENCY;
  selection?.finish();
  section.finish();
  if (selection === undefined && maxActivePerStage === undefined) return undefined;
  return {
    method,
    checkFrequency: selection === undefined ? 1 : checkFrequency,
    ...settings,
    maxActivePerStage,
  };
}
