export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object. Undefined members are not serialized. */
export interface JsonObject {
  [member: string]: JsonValue | undefined;
}

/** Returns true for JSON objects; arrays and null are not. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is a non-empty string, otherwise undefined. */
export function nonEmptyString(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
