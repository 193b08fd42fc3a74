import { InvalidConfiguration } from "../../errors/backend-error.js";
import type { LaunchPlan } from "../plan.js";

/** `local` is a group of one: there is nothing to connect. */
export function planLocal(ranks: number): LaunchPlan {
  if (ranks !== 1) {
    throw new InvalidConfiguration(
      "local",
      "ranks",
      String(ranks),
      "local is a group of one process. Launch one rank, or choose a backend that connects processes.",
    );
  }
  return {
    backend: "local",
    environment: () => ({ COBRE_COMM_BACKEND: "local" }),
    close: () => {},
  };
}
