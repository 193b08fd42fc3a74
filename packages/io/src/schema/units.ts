/** The units that names of fields and columns end with. */
const UNITS: Readonly<Record<string, string>> = {
  _mw_per_m3s: "MW per m³/s",
  _per_mwh: "$/MWh",
  _m3s: "m³/s",
  _hm3: "hm³",
  _mw: "MW",
  _percent: "percent",
};

/** The unit of a field or column, if its name has one: `min_storage_hm3` is in hm³. */
export function unitOf(name: string): string | undefined {
  return Object.entries(UNITS).find(([ending]) => name.endsWith(ending))?.[1];
}
