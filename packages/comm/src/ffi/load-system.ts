import { InvalidConfiguration } from "../errors/backend-error.js";
import { loadKoffi } from "./koffi.js";
import type { SharedMemorySystem } from "./shared-memory-system.js";

/** `portable` makes ranks do without what only this system has; all ranks of a job must agree on it. */
const VARIABLE = "COBRE_SHM_SYSTEM";

/** The system of this process. Throws `ForeignFunctionsUnavailable` where no foreign function can be called. */
export async function loadSystem(): Promise<SharedMemorySystem> {
  const wish = process.env[VARIABLE];
  if (wish !== undefined && wish !== "portable") {
    throw new InvalidConfiguration("shm", VARIABLE, wish, 'it is "portable", or not set at all.');
  }
  const koffi = await loadKoffi();
  if (wish === "portable") {
    const { PortableSystem } = await import("./portable-system.js");
    return new PortableSystem(koffi);
  }
  if (process.platform === "darwin") {
    const { MacosSystem } = await import("./macos-system.js");
    return new MacosSystem(koffi);
  }
  const { LinuxSystem } = await import("./linux-system.js");
  return new LinuxSystem(koffi);
}
