import { z } from 'zod';
import { isObject } from '../../../json';

/**
 * An object of the protocol's own package: its members are read by their JSON names and by their proto names
 * (`historyLength` and `history_length`), as every reader of ProtoJSON must. The JSON name wins.
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
