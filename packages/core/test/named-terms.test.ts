/** Generic constraints of Cobre 0.18: what parameters, named expressions and relations come to, and what is said of those that cannot be. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { GenericBoundInput, ParameterInput, StudyInput } from "@cobre/core";
import { build, hydro, toy } from "./toy.js";

interface Texts {
  readonly expression: string;
  readonly named?: Readonly<Record<string, string>>;
  readonly parameters?: readonly ParameterInput[];
  readonly bounds?: readonly Partial<GenericBoundInput>[];
}

/** A constraint in a study of stages 0, 1 (with two blocks) and 2. Plant 5 has a dead volume of 10 hm³. */
function built({ expression, named = {}, parameters = [], bounds = [{}] }: Texts) {
  const input: StudyInput = toy();
  const { study, errors } = build({
    ...input,
    system: {
      ...input.system,
      hydros: [hydro(5, { minStorageHm3: 10 }), hydro(3, { downstreamId: 5, busId: 7 })],
    },
    dialect: "0.18",
    genericConstraints: [{ id: 1, name: "c", expression, slackPenalty: undefined }],
    genericBounds: bounds.map((bound) => ({
      constraintId: 1,
      stageId: 1,
      blockId: undefined,
      ...bound,
    })),
    genericParameters: parameters,
    namedExpressions: Object.entries(named).map(([name, text]) => ({ name, expression: text })),
  });
  return {
    errors,
    terms: study.generic.constraints[0]?.terms.map(
      ({ coefficient, variable, entity, block, parameter }) =>
        `${coefficient} ${parameter === undefined ? "" : `${parameter} `}${variable}(${entity}${block === undefined ? "" : ` ${block}`})`,
    ),
    rows: study.generic.rows.map((rows) => rows.map(({ lower, upper }) => [lower, upper])),
  };
}

const LIMIT: ParameterInput = { id: 1, name: "limit", kind: "constant", value: 4 };
const PARAMETERS: readonly ParameterInput[] = [
  LIMIT,
  {
    id: 2,
    name: "by_stage",
    kind: "per_stage",
    values: [
      [0, 1],
      [1, 7],
    ],
  },
  {
    id: 3,
    name: "by_block",
    kind: "per_stage_block",
    values: [
      [1, 0, 2],
      [1, 1, 3],
    ],
  },
  { id: 4, name: "dead", kind: "computed", tag: "min_storage", hydroId: 5 },
  { id: 5, name: "full", kind: "computed", tag: "max_storage", hydroId: 5 },
];
const BOTH = { lower: -9, upper: 9 };

describe("the text of a constraint", () => {
  const TEXTS: readonly [texts: Texts, terms: string[], rows: number[][]][] = [
    [
      { expression: "hydro_storage(3) + 2*hydro_storage(5) <= 6" },
      ["1 hydro_storage(0)", "2 hydro_storage(1)"],
      [
        [-Infinity, 6],
        [-Infinity, 6],
      ],
    ],
    // What stands on the right goes to the left, and the other way round.
    [
      { expression: "thermal_generation(2) + 1 >= 2*thermal_generation(4) + 5" },
      ["1 thermal_generation(0)", "-2 thermal_generation(1)"],
      [
        [4, Infinity],
        [4, Infinity],
      ],
    ],
    [
      { expression: "thermal_generation(2) == 5", bounds: [{ ...BOTH, blockId: 1 }] },
      ["1 thermal_generation(0)"],
      [[-4, 14]],
    ],
    [
      { expression: "thermal_generation(2)", bounds: [BOTH] },
      ["1 thermal_generation(0)"],
      [
        [-9, 9],
        [-9, 9],
      ],
    ],
    [
      { expression: "thermal_generation(2)", bounds: [{ lower: 3 }] },
      ["1 thermal_generation(0)"],
      [
        [3, Infinity],
        [3, Infinity],
      ],
    ],
    // The same variable twice is one term.
    [
      {
        expression:
          "thermal_generation(2) + thermal_generation(2, 1) - 3*thermal_generation(2) <= 0",
      },
      ["-2 thermal_generation(0)", "1 thermal_generation(0 1)"],
      [
        [-Infinity, 0],
        [-Infinity, 0],
      ],
    ],
    // Names are replaced by their sums, also within each other.
    [
      {
        expression: "2*@both - thermal_generation(4) <= 1",
        named: { both: "thermal_generation(2) + 3*@other", other: "thermal_generation(4)" },
      },
      ["2 thermal_generation(0)", "5 thermal_generation(1)"],
      [
        [-Infinity, 1],
        [-Infinity, 1],
      ],
    ],
    [
      {
        expression: "@by_block*thermal_generation(2) <= 2*@by_stage + @limit",
        parameters: PARAMETERS,
      },
      ["1 by_block thermal_generation(0)"],
      [
        [-Infinity, 18],
        [-Infinity, 18],
      ],
    ],
    [
      { expression: "thermal_generation(2) >= @by_block", parameters: PARAMETERS },
      ["1 thermal_generation(0)"],
      [
        [2, Infinity],
        [3, Infinity],
      ],
    ],
    [
      { expression: "thermal_generation(2) <= @full - @dead", parameters: PARAMETERS },
      ["1 thermal_generation(0)"],
      [
        [-Infinity, 90],
        [-Infinity, 90],
      ],
    ],
    // A line by its buses, in its direction or against it.
    [
      { expression: "line_exchange(source_bus=0, target_bus=7) <= 5" },
      ["1 line_exchange(0)"],
      [
        [-Infinity, 5],
        [-Infinity, 5],
      ],
    ],
    [
      { expression: "2*line_exchange(source_bus=7, target_bus=0) <= 5" },
      ["-2 line_exchange(0)"],
      [
        [-Infinity, 5],
        [-Infinity, 5],
      ],
    ],
    [
      { expression: "hydro_generation(3, bus=7) <= 5" },
      ["1 hydro_generation(0)"],
      [
        [-Infinity, 5],
        [-Infinity, 5],
      ],
    ],
  ];
  for (const [texts, terms, rows] of TEXTS) {
    it(`means ${terms.join(" ")}: ${texts.expression}`, () => {
      const found = built(texts);
      assert.deepEqual(found.errors, []);
      assert.deepEqual(found.terms, terms);
      assert.deepEqual(found.rows, [[], rows, []]);
    });
  }

  it("adds the dead volume to both bounds where it speaks of the useful one", () => {
    const { rows, errors } = built({
      expression: "3*hydro_useful_volume_final(5) - thermal_generation(2)",
      bounds: [BOTH],
    });
    assert.deepEqual(errors, []);
    assert.deepEqual(rows[1], [
      [21, 39],
      [21, 39],
    ]);
  });

  const WRONG: readonly [texts: Texts, message: RegExp][] = [
    [
      { expression: "thermal_generation(2) +", bounds: [BOTH] },
      /constraint 1: expression: at position \d+ of "thermal/,
    ],
    [{ expression: "@x*thermal_generation(2) <= 1" }, /there is no parameter "x"; give it in/],
    [
      { expression: "@x + thermal_generation(2) <= 1" },
      /no parameter or expression "x"; give it in/,
    ],
    [
      { expression: "@limit + thermal_generation(2)", parameters: [LIMIT], bounds: [BOTH] },
      /the parameter "limit" stands alone; give a relation/,
    ],
    [
      { expression: "@a <= 1", named: { a: "thermal_generation(2) + @b", b: "2*@a" } },
      /"a" contains itself; an expression must not/,
    ],
    [
      { expression: "@a <= 1", named: { a: "thermal_generation(2) <= 3" } },
      /expression "a": expression: is a relation; give a sum alone/,
    ],
    [
      {
        expression: "thermal_generation(2) <= @limit",
        named: { limit: "thermal_generation(4)" },
        parameters: [LIMIT],
      },
      /"limit" is also the name of another one; names must be unique/,
    ],
    [
      { expression: "thermal_generation(2, bus=0) <= 1" },
      /thermal_generation is not divided by buses; leave it out/,
    ],
    [
      { expression: "hydro_turbined(3, bus=0) <= 1" },
      /hydro 3 does not feed bus 0; it feeds bus 7/,
    ],
    [
      { expression: "hydro_storage(source_bus=0, target_bus=7) <= 1" },
      /hydro_storage cannot be named by two buses/,
    ],
    [
      { expression: "line_exchange(source_bus=0, target_bus=0) <= 1" },
      /no line connects buses 0 and 0; give the id of a line/,
    ],
    [
      { expression: "thermal_generation(2)", bounds: [{ blockId: 0 }] },
      /gives no bound; give bound_lower, bound_upper or both/,
    ],
    [
      { expression: "thermal_generation(2)", bounds: [{ lower: 3, upper: 2, blockId: 1 }] },
      /leaves a lower bound of 3 above an upper one of 2/,
    ],
    [
      {
        expression: "thermal_generation(2) <= @by_stage",
        parameters: PARAMETERS,
        bounds: [{ stageId: 2 }],
      },
      /the parameter "by_stage" has no value in stage 2, block 0; give it one/,
    ],
    [
      {
        expression: "thermal_generation(2) <= 1",
        parameters: [LIMIT, { ...LIMIT, name: "again" }],
      },
      /parameter "again": id: 1 is the id of two parameters/,
    ],
    [
      { expression: "thermal_generation(2) <= 1", parameters: [LIMIT, { ...LIMIT, id: 9 }] },
      /parameter "limit": name: is that of two parameters/,
    ],
    [
      {
        expression: "thermal_generation(2) <= 1",
        parameters: [{ id: 1, name: "p", kind: "computed", tag: "max_storage", hydroId: 77 }],
      },
      /parameter "p": computed_spec.hydro_id: hydro 77 does not exist/,
    ],
    [
      { expression: "thermal_generation(2) <= 1", bounds: [{}, { constraintId: 8 }] },
      /constraint 8 does not exist/,
    ],
    [
      { expression: "thermal_generation(2) <= 1", bounds: [{}, { stageId: 9 }] },
      /stage 9 does not exist/,
    ],
  ];
  for (const [texts, message] of WRONG) {
    it(`is refused: ${message.source.slice(0, 60)}`, () => {
      const { errors } = built(texts);
      assert.equal(errors.length, 1, errors.join("\n"));
      assert.match(errors[0] ?? "", message);
    });
  }

  it("has no row of a constraint or stage that does not exist", () => {
    const bounds = [{ constraintId: 8 }, { stageId: 9 }, { blockId: 0 }];
    const { rows } = built({ expression: "thermal_generation(2) <= 1", bounds });
    assert.deepEqual(rows, [[], [[-Infinity, 1]], []]);
  });
});
