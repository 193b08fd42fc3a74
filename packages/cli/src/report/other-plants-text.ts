import type { ReportSummary } from "@cobre/study";
import { energy, money, share, whole } from "./numbers.js";
import { type Page, table } from "./page.js";

/** How many of each kind are listed. */
const LISTED = 5;

/** The sources of which most is curtailed. */
export function sourceLines(page: Page, { sources }: ReportSummary): string[] {
  if (sources.length === 0) return [];
  const top = sources.slice(0, LISTED);
  return table(page, [
    { title: "source", cells: top.map(({ name }) => name), isLeft: true, need: "needed" },
    { title: "available", need: "spare", cells: top.map((one) => energy(one.available_mwh)) },
    { title: "used", cells: top.map((one) => energy(one.energy_mwh)) },
    { title: "curtailed", cells: top.map((one) => energy(one.curtailed_mwh)), need: "needed" },
    {
      title: "",
      cells: top.map(({ curtailed_percent: percent }) => (percent === null ? "-" : share(percent))),
    },
  ]);
}

export function pumpLines(page: Page, { pumps }: ReportSummary): string[] {
  if (pumps.length === 0) return [];
  const top = pumps.slice(0, LISTED);
  return table(page, [
    { title: "station", cells: top.map(({ name }) => name), isLeft: true, need: "needed" },
    { title: "pumped hm³", cells: top.map((one) => whole(one.volume_hm3)), need: "needed" },
    { title: "energy", cells: top.map((one) => energy(one.energy_mwh)) },
  ]);
}

/** The contracts that cost most. */
export function contractLines(page: Page, { contracts }: ReportSummary): string[] {
  if (contracts.length === 0) return [];
  const top = contracts.slice(0, LISTED);
  return table(page, [
    { title: "contract", cells: top.map(({ name }) => name), isLeft: true, need: "needed" },
    { title: "type", cells: top.map(({ type }) => type), isLeft: true },
    { title: "energy", cells: top.map((one) => energy(one.energy_mwh)) },
    { title: "cost", cells: top.map(({ cost }) => money(cost)), need: "needed" },
  ]);
}
