/**
 * Problems from the examples of SDDP.jl without any water in them, formulated anew, with the optima that are published there. Beside each
 * is its whole tree as one linear program, or a recursion, which shares no code with the package.
 */
import { type DefinedModel, defineModel, type RowTerm } from "@cobre/sddp";
import type { LpSolver } from "@cobre/solver";
import { Program, type Terms, times } from "../oracle/program.js";

export interface Published {
  readonly model: DefinedModel;
  readonly optimum: number;
  readonly digits: number;
  /** The optimum, computed another way. */
  readonly derived: (solver: LpSolver) => number;
}

const iterations = (limit: number, forward_passes = 1) => ({
  training: { forward_passes, stopping_rules: [{ type: "iteration_limit", limit }] },
});

/** Two products are made one stage before they are sold; the demand is 2 or 10. */
function production(): Published {
  const cost = [0.2, 0.7];
  const price = [2.33, 2.54];
  const model = defineModel({
    stages: 3,
    state: { a: 0, b: 0 },
    openings: (stage) => (stage === 0 ? [0] : [2, 10]),
    futureBound: -50,
    config: iterations(20, 2),
    build(stage) {
      const products = [stage.state.a, stage.state.b];
      const sold = products.map((product, i) => {
        stage.objective(product.out, cost[i]);
        const column = stage.column(`sold_${i}`, { objective: -price[i] });
        stage.row(
          `made_${i}`,
          [
            [column, 1],
            [product.in, -1],
          ],
          { atMost: 0 },
        );
        return column;
      });
      const terms = sold.map((column) => [column, 1] as const);
      stage.row("demand", terms, { atMost: (demand) => demand });
    },
  });
  const derived = (solver: LpSolver) => {
    const program = new Program();
    const objective: [number, number][] = [];
    const grow = (stage: number, probability: number, before: readonly number[]) => {
      for (const demand of stage === 0 ? [0] : [2, 10]) {
        const p = probability / (stage === 0 ? 1 : 2);
        const sold = price.map((value, i) => {
          const column = program.column(0, stage === 0 ? 0 : undefined);
          if (stage > 0)
            program.atMost(
              [
                [column, 1],
                [before[i], -1],
              ],
              0,
            );
          objective.push([column, -p * value]);
          return column;
        });
        program.atMost(
          sold.map((column) => [column, 1]),
          demand,
        );
        const made = cost.map((value) => {
          const column = program.column();
          objective.push([column, p * value]);
          return column;
        });
        if (stage < 2) grow(stage + 1, p, made);
      }
    };
    grow(0, 1, []);
    return program.minimum(objective, solver);
  };
  return { model, optimum: -23.96, digits: 2, derived };
}

type Returns = readonly [stocks: number, bonds: number];
const RETURNS: readonly Returns[] = [
  [1.25, 1.14],
  [1.06, 1.12],
];

const NONE: Returns = [0, 0];

/** 55 are invested in stocks and bonds, and invested anew twice; 80 are the target. */
function assets(): Published {
  const model = defineModel({
    stages: 4,
    state: { stocks: 0, bonds: 0 },
    openings: (stage) => (stage === 0 ? [NONE] : RETURNS),
    futureBound: -1000,
    config: iterations(25),
    build(stage) {
      const { stocks, bonds } = stage.state;
      const wealth: readonly RowTerm<Returns>[] = [
        [stocks.in, ([ofStocks]) => ofStocks],
        [bonds.in, ([, ofBonds]) => ofBonds],
      ];
      if (stage.isLast) {
        const over = stage.column("over", { objective: -1 });
        const short = stage.column("short", { objective: 4 });
        stage.row("target", [...wealth, [over, -1], [short, 1]], { equals: 80 });
      } else {
        const invested = stage.index === 0 ? 55 : 0;
        stage.row("budget", [...wealth, [stocks.out, -1], [bonds.out, -1]], { equals: -invested });
      }
    },
  });
  const derived = (solver: LpSolver) => {
    const program = new Program();
    const objective: [number, number][] = [];
    const grow = (stage: number, p: number, wealth: Terms, given: number) => {
      if (stage === 3) {
        const [over, short] = [program.column(), program.column()];
        program.equal([...wealth, [over, -1], [short, 1]], 80);
        objective.push([over, -p], [short, 4 * p]);
        return;
      }
      const [stocks, bonds] = [program.column(), program.column()];
      program.equal([[stocks, 1], [bonds, 1], ...times(-1, wealth)], given);
      for (const [s, b] of RETURNS)
        grow(
          stage + 1,
          p / 2,
          [
            [stocks, s],
            [bonds, b],
          ],
          0,
        );
    };
    grow(0, 1, [], 55);
    return program.minimum(objective, solver);
  };
  return { model, optimum: 1.514, digits: 4, derived };
}

interface Market {
  readonly returns: Returns;
  readonly income: number;
  readonly dividend: number;
}

/** With probability 0.6, and 0.4. */
const INCOMES = [
  { income: -1, dividend: 0.02, share: 3 },
  { income: 5, dividend: 0, share: 2 },
];

/** As {@link assets}, with random incomes and dividends; a reward is maximised, and the last stage is weighed against risk. */
function riskyAssets(): Published {
  const middle: readonly Market[] = RETURNS.flatMap((returns) =>
    INCOMES.flatMap(({ share, ...income }) => Array(share).fill({ returns, ...income })),
  );
  const last = RETURNS.map((returns): Market => ({ returns, income: 0, dividend: 0 }));
  const first: Market = { returns: [1, 1], income: 55, dividend: 0 };
  const model = defineModel({
    stages: 4,
    sense: "max",
    state: { stocks: 0, bonds: 0 },
    openings: (stage) => [[first], middle, middle, last][stage],
    futureBound: 1000,
    risk: (stage) =>
      stage === 2 ? { kind: "cvar", alpha: 0.5, lambda: 0.5 } : { kind: "expectation" },
    config: iterations(30),
    build(stage) {
      const { stocks, bonds } = stage.state;
      const grown: readonly RowTerm<Market>[] = [
        [stocks.in, ({ returns: [ofStocks] }) => ofStocks],
        [bonds.in, ({ returns: [, ofBonds] }) => ofBonds],
      ];
      if (stage.isLast) {
        const over = stage.column("over", { objective: 1 });
        const short = stage.column("short", { objective: -4 });
        stage.row("target", [...grown, [over, -1], [short, 1]], { equals: 80 });
      } else {
        stage.row("budget", [...grown, [stocks.out, -1], [bonds.out, -1]], {
          equals: ({ income }) => -income,
        });
        stage.objective(stocks.out, ({ dividend }) => dividend);
      }
    },
  });
  const derived = (solver: LpSolver) => {
    const program = new Program();
    const objective: [number, number][] = [];
    const invest = (stage: number, p: number, wealth: Terms, market: Omit<Market, "returns">) => {
      const [stocks, bonds] = [program.column(), program.column()];
      program.equal([[stocks, 1], [bonds, 1], ...times(-1, wealth)], market.income);
      objective.push([stocks, -p * market.dividend]);
      const next = RETURNS.map(
        ([s, b]): Terms => [
          [stocks, s],
          [bonds, b],
        ],
      );
      if (stage < 2) {
        for (const grown of next) {
          for (const { share, ...income } of INCOMES) {
            invest(stage + 1, (p * share) / 10, grown, income);
          }
        }
        return;
      }
      // Half the mean of both rewards, half the worse one.
      const worse = program.column(-1000, 1000);
      objective.push([worse, -p / 2]);
      for (const grown of next) {
        const [over, short] = [program.column(), program.column()];
        program.equal([...grown, [over, -1], [short, 1]], 80);
        objective.push([over, -p / 4], [short, p]);
        program.atMost(
          [
            [worse, 1],
            [over, -1],
            [short, 4],
          ],
          0,
        );
      }
    };
    invest(0, 1, [], first);
    return -program.minimum(objective, solver);
  };
  return { model, optimum: 1.278, digits: 3, derived };
}

/** A stock that is filled at random, and from which is sold at prices that change with time. */
function stock(): Published {
  const price = (stage: number) => Math.sin(3 * (stage + 1)) - 1;
  const supplies = Array.from({ length: 10 }, (_, i) => i / 30);
  const model = defineModel({
    stages: 5,
    state: { stock: { initial: 0.5, upper: 1 } },
    openings: () => supplies,
    config: iterations(30, 2),
    build(stage) {
      const { stock: level } = stage.state;
      const sold = stage.column("sold", { objective: price(stage.index), upper: 0.5 });
      stage.row(
        "balance",
        [
          [level.out, 1],
          [level.in, -1],
          [sold, 1],
        ],
        {
          equals: (supply) => supply,
        },
      );
    },
  });
  // All data are multiples of 1/30, so the optimum is found among such sales.
  const derived = () => {
    let later = new Array<number>(31).fill(0);
    for (let stage = 4; stage >= 0; stage--) {
      later = later.map((_, level) => {
        let sum = 0;
        for (let supply = 0; supply < 10; supply++) {
          let best = Number.POSITIVE_INFINITY;
          for (let sold = 0; sold <= 15; sold++) {
            const left = level + supply - sold;
            if (left < 0 || left > 30) continue;
            best = Math.min(best, (price(stage) * sold) / 30 + later[left]);
          }
          sum += best / 10;
        }
        return sum;
      });
    }
    return later[15];
  };
  return { model, optimum: -1.471, digits: 3, derived };
}

export const PUBLISHED = {
  "production management": production(),
  "asset management": assets(),
  "asset management with risk": riskyAssets(),
  "the stock problem": stock(),
} as const satisfies Record<string, Published>;
