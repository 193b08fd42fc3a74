import { NON_NEGATIVITY } from "@cobre/stochastic";
import type { Model } from "../../model.js";
import { truncatedSlope } from "../truncated-slope.js";
import type { Element } from "./element.js";

/**
 * Natural inflows. Past inflows are part of the state; with them and its noise, an opening fixes the inflow of the stage. This inflow becomes
 * lag 1 of the next stage, and lag l becomes lag l + 1.
 */
export const inflow: Element = (builder) => {
  const { model, stage, program } = builder;
  const { hydros, lags, inflow: process, inflows } = model;
  const ids = model.study.system.hydros.map(({ id }) => id);
  const { truncates } = NON_NEGATIVITY[model.config.inflowNonNegativity.method];
  const before = program.state("inflow", {
    labels: Array.from({ length: lags }, (_, lag) => ids.map((id) => `${id}_lag${lag + 1}`)).flat(),
    outgoing: (i) => (i < hydros ? now.column(i) : before.column(i - hydros)),
  });
  const now = program.knownFamily("inflow", ids);
  program.express("hydro_inflow", (h) => [[now.column(h), 1]]);
  const water = program.balanceOf("water");
  builder.waterPeriods.forEach(({ volume }, period) => {
    for (let h = 0; h < hydros; h++) water.add(h, period, [[now.column(h), -volume]]);
  });
  /** For each plant, base + σ η of the current opening, before truncation. */
  const noiseTerms = new Float64Array(hydros);
  return {
    open({ known, noise, offset }) {
      for (let h = 0; h < hydros; h++) {
        // A noise vector begins with the plants, in the same order as here.
        const eta = noise[offset + h];
        const past = process.lagTerm(stage, h, known, before.known);
        noiseTerms[h] = process.noiseTerm(stage, h, eta);
        known[now.known + h] = past + ownTerm(model, stage, h, eta, past);
      }
    },
    addSlopes(reducedCosts, known, slopes, offset) {
      if (lags === 0) return 0;
      let loss = 0;
      for (let h = 0; h < hydros; h++) {
        const at = stage * hydros + h;
        let slope = reducedCosts[now.column(h)];
        if (truncates && process.sigma[at] > 0) {
          const own = noiseTerms[h];
          const truncated = truncatedSlope(
            slope,
            own + process.lagTerm(stage, h, known, before.known),
            own + inflows.lowestLagTerm[at],
            own + inflows.highestLagTerm[at],
          );
          slope *= truncated.share;
          loss += truncated.loss;
        }
        for (let lag = 0; lag < lags; lag++) {
          slopes[offset + before.state + lag * hydros + h] += process.psi[at * lags + lag] * slope;
        }
      }
      return loss;
    },
    record({ hydros: plants, inflowLags, primal, incoming }) {
      plants.set("incremental_inflow_m3s", (h) => primal[now.column(h)]);
      inflowLags.set("inflow_m3s", (h, lag) => incoming[before.state + lag * hydros + h]);
    },
  };
};

/** The part of an inflow that does not come from past inflows: base + σ η, raised where the method truncates. */
export function ownTerm(
  { inflow: process, config }: Model,
  stage: number,
  h: number,
  eta: number,
  past: number,
): number {
  return NON_NEGATIVITY[config.inflowNonNegativity.method].truncates
    ? process.truncatedNoiseTerm(stage, h, eta, past)
    : process.noiseTerm(stage, h, eta);
}
