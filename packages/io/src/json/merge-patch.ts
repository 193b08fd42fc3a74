/**
 * Merges one JSON value into another by RFC 7396 (JSON Merge Patch): objects are merged, `null` removes a key, and everything else,
 * lists included, replaces the old value.
 *
 * @example
 * ```ts
 * mergePatch({ training: { forward_passes: 1, seed: 3 } }, { training: { forward_passes: 4 } });
 * // { training: { forward_passes: 4, seed: 3 } }
 * ```
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
