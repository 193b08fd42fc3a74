import type { JsonSchema } from "./json-schema.js";
import { meaningOf } from "./meanings/index.js";

/** The schema with what its fields mean, which editors show. */
export function describeFields(schema: JsonSchema, file: string, path = ""): JsonSchema {
  const inner = (value: unknown, at: string) =>
    isSchema(value) ? describeFields(value, file, at) : value;
  const list = (key: "oneOf" | "anyOf") => {
    const several = schema[key];
    return Array.isArray(several) ? { [key]: several.map((one) => inner(one, path)) } : {};
  };
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(isSchema(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, value]) => {
          const at = path === "" ? key : `${path}.${key}`;
          return [key, isSchema(value) ? described(value, file, at) : value];
        }),
      ),
    }),
    ...(isSchema(items) && { items: inner(items, `${path}[]`) }),
    ...(isSchema(additionalProperties) && {
      additionalProperties: inner(additionalProperties, path === "" ? "*" : `${path}.*`),
    }),
    ...list("oneOf"),
    ...list("anyOf"),
  };
}

function described(field: JsonSchema, file: string, path: string): JsonSchema {
  const meaning = field.deprecated === true ? undefined : meaningOf(file, path);
  const whole = describeFields(field, file, path);
  if (meaning === undefined) return whole;
  const { text, unit, otherwise } = meaning;
  const description = [
    text,
    ...(unit === undefined || unit === "1" ? [] : [`in ${unit}`]),
    ...(otherwise === undefined ? [] : [`without it: ${otherwise}`]),
  ].join("; ");
  return { ...whole, description };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
