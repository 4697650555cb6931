import type { JsonObject } from '../../json';

/**
 * The object with the JSON names of its members, where it has proto names (`message_id`): readers of ProtoJSON must take
 * both. The JSON name wins; what lies deeper is left as it is.
 */
export function withJsonNames(object: JsonObject): JsonObject {
  const names = Object.keys(object);
  if (!names.some((name) => name.includes('_'))) return object;
  const renamed: JsonObject = {};
  for (const name of names) {
    const jsonName = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (jsonName === name || !Object.hasOwn(object, jsonName)) renamed[jsonName] = object[name];
  }
  return renamed;
}
