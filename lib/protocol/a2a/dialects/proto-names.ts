import { z } from 'zod';
import { isObject, type JsonObject } from '../../json';

/**
 * Renames proto names (`message_id`) to JSON names, both of which ProtoJSON allows. The JSON name takes precedence;
 * nested objects are unchanged.
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

/**
 * A schema of a proto message: members are read by JSON name and by proto name (`historyLength`, `history_length`), as
 * ProtoJSON requires. The JSON name takes precedence.
 */
export function protoObject<Shape extends z.ZodRawShape>(shape: Shape): z.ZodType<z.output<z.ZodObject<Shape>>> {
  const jsonNames = new Map(Object.keys(shape).map((name) => [protoNameOf(name), name]));
  return z.preprocess((value) => (isObject(value) ? renamed(value, jsonNames) : value), z.object(shape));
}

function protoNameOf(jsonName: string): string {
  return jsonName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function renamed(value: object, jsonNames: Map<string, string>): object {
  const given = Object.entries(value);
  const protoNamed = given.filter(([name]) => name.includes('_'));
  if (protoNamed.length === 0) return value;
  const named = protoNamed.map(([name, member]): [string, unknown] => [jsonNames.get(name) ?? name, member]);
  return Object.fromEntries([...named, ...given.filter(([name]) => !name.includes('_'))]);
}
