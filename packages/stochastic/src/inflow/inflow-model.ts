/**
 * The periodic autoregressive model PAR(p) of inflows, in the units of the LP:
 *
 *   z = base + Σ ψ_l a_l + σ η
 *
 * where a_l is the inflow l stages ago and η the noise. All values are in one flat array, `values`, which can be shared memory.
 */
export class InflowModel {
  readonly stages: number;
  readonly hydros: number;
  /** The number of lags of every plant. Lags beyond a plant's own order have ψ = 0. */
  readonly lags: number;
  /** [stage · hydros + hydro] */
  readonly base: Float64Array;
  /** [stage · hydros + hydro] */
  readonly sigma: Float64Array;
  /** [(stage · hydros + hydro) · lags + lag - 1] */
  readonly psi: Float64Array;

  readonly values: Float64Array;

  /** The number of values in a model. */
  static length(stages: number, hydros: number, lags: number): number {
    return stages * hydros * (2 + lags);
  }

  constructor(
    stages: number,
    hydros: number,
    lags: number,
    values: Float64Array = new Float64Array(InflowModel.length(stages, hydros, lags)),
  ) {
    const cells = stages * hydros;
    this.stages = stages;
    this.hydros = hydros;
    this.lags = lags;
    this.values = values;
    this.base = values.subarray(0, cells);
    this.sigma = values.subarray(cells, 2 * cells);
    this.psi = values.subarray(2 * cells, (2 + lags) * cells);
  }

  /**
   * Σ ψ_l a_l for one plant. Past inflows are ordered lag by lag, as in the state: lag l of plant h is
   * at `offset + (l - 1) · hydros + h` of `state`.
   */
  lagTerm(stage: number, hydro: number, state: Float64Array, offset: number): number {
    const { hydros, lags, psi } = this;
    const first = (stage * hydros + hydro) * lags;
    let sum = 0;
    for (let lag = 0; lag < lags; lag++) {
      sum += (psi[first + lag] as number) * (state[offset + lag * hydros + hydro] as number);
    }
    return sum;
  }

  /** base + σ η: the part that does not depend on past inflows. */
  noiseTerm(stage: number, hydro: number, eta: number): number {
    const at = stage * this.hydros + hydro;
    return (this.base[at] as number) + (this.sigma[at] as number) * eta;
  }

  /**
   * Like {@link noiseTerm}, but η is raised if the inflow would be negative. Without noise (σ = 0) nothing can be
   * raised.
   */
  truncatedNoiseTerm(stage: number, hydro: number, eta: number, lagTerm: number): number {
    const term = this.noiseTerm(stage, hydro, eta);
    if (term + lagTerm >= 0 || this.sigma[stage * this.hydros + hydro] === 0) return term;
    return -lagTerm;
  }
}

/** How negative inflows are treated. */
export type NonNegativityMethod = "none" | "penalty" | "truncation" | "truncation_with_penalty";

/** Whether a method raises the noise, and whether it lets the LP add water at a cost. */
export const NON_NEGATIVITY: Readonly<
  Record<NonNegativityMethod, { readonly truncates: boolean; readonly hasSlack: boolean }>
> = {
  none: { truncates: false, hasSlack: false },
  penalty: { truncates: false, hasSlack: true },
  truncation: { truncates: true, hasSlack: false },
  truncation_with_penalty: { truncates: true, hasSlack: true },
};
