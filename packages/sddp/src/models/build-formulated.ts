import type { BuiltStage } from "../stage/build-stage.js";
import type { Opening, StagePart } from "../stage/elements/element.js";
import { ProgramBuilder } from "../stage/program/program-builder.js";
import type { Term } from "../stage/program/row-builder.js";
import type { Column, StageFormulation } from "./stage-formulation.js";

/** A state at the start of a stage times a factor that depends on the opening. It is known when the stage is solved. */
interface Product {
  readonly component: number;
  readonly factors: Float64Array;
  /** The index among the known values of the program. */
  readonly known: number;
  readonly column: number;
}

/** Numbers of columns or rows that follow each other, for each opening. */
interface Span {
  readonly first: number;
  readonly values: readonly Float64Array[];
}

/**
 * Builds the program of a stage from its formulation. The noise vector of an opening is its number, from which its part looks up what was
 * computed when the model was defined.
 *
 * @param names the components of the state
 * @param sign 1 to minimise the objective, -1 to maximise it
 */
export function buildFormulated(
  { columns, rows, openings }: StageFormulation,
  names: readonly string[],
  sign: 1 | -1,
  discount: number,
  floor: number | undefined,
): BuiltStage {
  const program = new ProgramBuilder();
  const single = [""];
  const add = ({ name, lower, upper, objective }: (typeof columns)[number]) =>
    program
      .family(name, {
        labels: single,
        cost: () => sign * objective[0],
        lower: () => lower,
        upper: () => upper,
      })
      .column(0);
  const after = columns.slice(0, names.length).map(add);
  const before = names.map((name, i) =>
    program.state(name, { labels: single, outgoing: () => after[i] }),
  );
  program.future(discount, floor);
  const added = columns.slice(2 * names.length).map(add);
  /** The column of the program, by the index of the formulation. */
  const place = [...after, ...before.map((known) => known.column(0)), ...added];
  const products: Product[] = [];
  const termOf = (row: string, column: Column, factors: Float64Array): Term => {
    if (factors.every((factor) => factor === factors[0])) return [place[column.index], factors[0]];
    const family = program.knownFamily(`${column.name}_in_${row}`, single);
    const { known } = family;
    const { component } = column;
    products.push({ component, factors, known, column: family.column(0) });
    return [family.column(0), 1];
  };
  for (const { name, lower, upper, terms } of rows) {
    const own = terms.map(([column, factors]) => termOf(name, column, factors));
    program.row(name, lower[0], upper[0], own);
  }
  const lp = program.build();
  // The builder gives known columns no cost.
  before.forEach((known, i) => {
    lp.data.cost[known.column(0)] = sign * columns[names.length + i].objective[0];
  });
  const costs = spanOf(openings.length, lp.data.cost, (cost, opening) => {
    columns.forEach(({ objective }, i) => {
      cost[place[i]] = sign * objective[opening];
    });
  });
  const lower = spanOf(openings.length, lp.data.rows.lower, (bound, opening) => {
    rows.forEach((row, i) => {
      bound[i] = row.lower[opening];
    });
  });
  const upper = spanOf(openings.length, lp.data.rows.upper, (bound, opening) => {
    rows.forEach((row, i) => {
      bound[i] = row.upper[opening];
    });
  });
  const limits = spanOfBoth(lower, upper, lp.data.rows);
  const stateKnown = before.map(({ known }) => known);
  return { lp, parts: [partOf(products, stateKnown, costs, limits)] };
}

function partOf(
  products: readonly Product[],
  stateKnown: readonly number[],
  costs: Span | undefined,
  limits: readonly [lower: Span, upper: Span] | undefined,
): StagePart {
  let opened = 0;
  return {
    changesCosts: costs !== undefined,
    open({ program, known, noise, offset }: Opening) {
      opened = noise[offset];
      if (costs !== undefined) program.setCosts(costs.first, costs.values[opened]);
      if (limits !== undefined) {
        const [lower, upper] = limits;
        program.setRowBounds(lower.first, lower.values[opened], upper.values[opened]);
      }
      for (const product of products) {
        known[product.known] = product.factors[opened] * known[stateKnown[product.component]];
      }
    },
    addSlopes(reducedCosts, _known, slopes, offset) {
      for (const { component, factors, column } of products) {
        slopes[offset + component] += factors[opened] * reducedCosts[column];
      }
      return 0;
    },
    openedCost(primal) {
      if (costs === undefined) return 0;
      const [built, now] = [costs.values[0], costs.values[opened]];
      let difference = 0;
      for (let i = 0; i < now.length; i++) {
        difference += (now[i] - built[i]) * primal[costs.first + i];
      }
      return difference;
    },
  };
}

/** From the first to the last number that differs between openings; `undefined` if none does. */
function spanOf(
  openings: number,
  built: Float64Array,
  fill: (values: Float64Array, opening: number) => void,
): Span | undefined {
  const all = Array.from({ length: openings }, (_, opening) => {
    const values = built.slice();
    fill(values, opening);
    return values;
  });
  const differs = Array.from(built.keys()).filter((i) =>
    all.some((values) => values[i] !== all[0][i]),
  );
  if (differs.length === 0) return undefined;
  const [first, end] = [differs[0], differs[differs.length - 1] + 1];
  return { first, values: all.map((values) => values.slice(first, end)) };
}

/** Both bounds of the same rows, which are set by one call. */
function spanOfBoth(
  lower: Span | undefined,
  upper: Span | undefined,
  built: { readonly lower: Float64Array; readonly upper: Float64Array },
): readonly [Span, Span] | undefined {
  const spans = [lower, upper].filter((span) => span !== undefined);
  if (spans.length === 0) return undefined;
  const first = Math.min(...spans.map((span) => span.first));
  const end = Math.max(...spans.map((span) => span.first + span.values[0].length));
  const openings = spans[0].values.length;
  const widened = (span: Span | undefined, bounds: Float64Array): Span => ({
    first,
    values: Array.from({ length: openings }, (_, opening) => {
      const values = bounds.slice(first, end);
      if (span !== undefined) values.set(span.values[opening], span.first - first);
      return values;
    }),
  });
  return [widened(lower, built.lower), widened(upper, built.upper)];
}
