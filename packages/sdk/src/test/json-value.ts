export type JsonObject = Record<string, unknown>;

/** Returns true for a JSON object, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, otherwise an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns the objects of an array; none for any other value. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns true for a text that is not blank. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** Returns the parsed text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
