/** What this machine offers: for the `info` command, for bug reports and for programs that ask. */
export { type CollectInfoOptions, collectInfo } from "./collect.js";
export type {
  BackendInfo,
  Info,
  MachineInfo,
  MpiLauncherInfo,
  MpiLibraryInfo,
  SelectionInfo,
  SharedMemoryInfo,
  VariableInfo,
} from "./info.js";
