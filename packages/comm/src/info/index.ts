/** What this machine offers: for the `info` command, for bug reports and for programs. */
export { type CollectInfoOptions, collectInfo } from "./collect.js";
export type {
  BackendInfo,
  Info,
  MachineInfo,
  MpiLauncherInfo,
  MpiLibraryInfo,
  ProcessorsInfo,
  SelectionInfo,
  SharedMemoryInfo,
  VariableInfo,
} from "./info.js";
