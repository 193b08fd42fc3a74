import { InvalidConfiguration } from "../errors/backend-error.js";
import { loadKoffi } from "../ffi/koffi.js";
import type { SharedMemorySystem } from "./system.js";

/**
 * `portable` makes ranks use only what every POSIX system has. All ranks of a job must have the
 * same value.
 */
const VARIABLE = "COBRE_SHM_SYSTEM";

/**
 * Loads the system of this process. Throws `ForeignFunctionsUnavailable` if no foreign function can
 * be called.
 */
export async function loadSystem(): Promise<SharedMemorySystem> {
  const wish = process.env[VARIABLE];
  if (wish !== undefined && wish !== "portable") {
    throw new InvalidConfiguration("shm", VARIABLE, wish, 'it must be "portable" or unset.');
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
