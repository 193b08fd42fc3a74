import type { Dialect } from "@cobre/core";
import type { Answer } from "./answers.js";
import type { Field, FieldType, Reading, Visit } from "./shape.js";
import { unitOf } from "./units.js";

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of the files in which all readings agree. */
export function schemaOf(readings: readonly Reading[], dialect: Dialect = "0.5"): JsonSchema {
  return new SchemaWriter(readings, dialect).object("");
}

class SchemaWriter {
  private readonly readings: readonly Reading[];
  /** What is said of fields that only the other version of Cobre has. */
  private readonly foreign: string;

  constructor(readings: readonly Reading[], dialect: Dialect) {
    this.readings = readings;
    this.foreign = `of Cobre ${dialect === "0.5" ? "0.18" : "0.5"}`;
  }

  /** The schema of the object at a path; one for each choice if it has other fields for each. */
  object(path: string): JsonSchema {
    const visiting = this.readings.filter(({ visits }) => visits.has(path));
    const visits = visiting.map((reading) => reading.visits.get(path) as Visit);
    const { variant } = visits[0] ?? {};
    if (variant !== undefined) {
      const shapes = [...groupBy(visiting, ({ given }) => given.get(variant)).values()].map(
        (some) =>
          this.fields(
            some.map((reading) => reading.visits.get(path) as Visit),
            new Map(),
          ),
      );
      return shapes.length === 1 ? (shapes[0] as JsonSchema) : { oneOf: shapes };
    }
    for (const [key, question] of visits[0]?.choices ?? []) {
      const groups = [...groupBy(visiting, ({ given }) => given.get(question))];
      const shapes = groups.map(([answer, some]) => {
        const own = some.map((reading) => reading.visits.get(path) as Visit);
        return this.fields(own, new Map([[key, answer as Answer]]));
      });
      const different = new Set(
        shapes.map(({ properties, required }) =>
          JSON.stringify([Object.keys(properties as object), required]),
        ),
      );
      if (different.size > 1) return { oneOf: shapes };
    }
    return this.fields(visits, new Map());
  }

  /** The fields of all visits together; those that are required are so in every one. */
  private fields(visits: readonly Visit[], fixed: ReadonlyMap<string, Answer>): JsonSchema {
    const keys = [...new Set(visits.flatMap(({ fields }) => [...fields.keys()]))];
    const required = keys.filter((key) =>
      visits.every(({ fields }) => fields.get(key)?.isRequired === true),
    );
    const properties = keys.map((key) => {
      const fields = visits.flatMap((visit) => visit.fields.get(key) ?? []);
      const [field] = fields.filter(({ type }) => type.kind !== "any");
      const { type } = (field ?? fields[0]) as Field;
      const only = fixed.get(key);
      const schema = only === undefined ? this.type(type) : { const: only };
      const told = withUnit(key, required.includes(key) ? schema : orNull(schema));
      return [key, told] as const;
    });
    const entries = visits.find((visit) => visit.entries !== undefined)?.entries;
    const isClosed = visits.some((visit) => visit.isClosed);
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required } : {}),
      ...(entries !== undefined
        ? { additionalProperties: this.object(entries) }
        : isClosed
          ? { additionalProperties: false }
          : {}),
    };
  }

  private type(type: FieldType): JsonSchema {
    switch (type.kind) {
      case "any":
        return type.question === undefined || this.answers(type.question).has(true)
          ? {}
          : { type: "null" };
      case "number": {
        const { min, above, max, isInteger = false } = type.rule;
        return {
          type: isInteger ? "integer" : "number",
          ...(min === undefined ? {} : { minimum: min }),
          ...(above === undefined ? {} : { exclusiveMinimum: above }),
          ...(max === undefined ? {} : { maximum: max }),
        };
      }
      case "text":
        return { type: "string" };
      case "only text":
        return { const: type.only };
      case "day":
        return { type: "string", format: "date", pattern: "^\\d{4}-\\d{2}-\\d{2}$" };
      case "numbers":
        return { type: "array", items: { type: "number" } };
      case "matrix":
        return { type: "array", items: { type: "array", items: { type: "number" } } };
      case "boolean": {
        const allowed = this.answers(type.question);
        const values = allowed.size === 1 ? { const: [...allowed][0] } : { type: "boolean" };
        return { ...values, default: type.otherwise };
      }
      case "choice": {
        const fallback = type.otherwise === undefined ? {} : { default: type.otherwise };
        return { type: "string", enum: [...this.answers(type.question)], ...fallback };
      }
      case "object":
        return this.object(type.path);
      case "choice or object":
        return { anyOf: [{ type: "string", enum: [...type.choices] }, this.object(type.path)] };
      case "list":
        return this.answers(type.question).has(true)
          ? {
              type: "array",
              items: this.object(type.path),
              ...(this.answers(type.question).has(false) ? {} : { minItems: 1 }),
            }
          : { type: "array", maxItems: 0 };
      case "nothing":
        return { type: "array", maxItems: 0, deprecated: true, description: this.foreign };
    }
  }

  /** The answers that were accepted. */
  private answers(question: string): ReadonlySet<Answer> {
    return new Set(this.readings.flatMap(({ given }) => given.get(question) ?? []));
  }
}

/** A field that is not required may be null. */
function orNull(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: "null" }] };
  if (Array.isArray(schema.oneOf)) return { ...schema, oneOf: [...schema.oneOf, { type: "null" }] };
  if ("const" in schema) {
    const { const: only, ...rest } = schema;
    return { enum: [only, null], ...rest };
  }
  if (schema.type === undefined || schema.type === "null") return schema;
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [schema.type, "null"], ...values };
}

function withUnit(key: string, schema: JsonSchema): JsonSchema {
  const unit = unitOf(key);
  return unit === undefined ? schema : { ...schema, description: `in ${unit}` };
}

/** As `Map.groupBy`, which Node.js 20 does not have. */
function groupBy<T, K>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}
