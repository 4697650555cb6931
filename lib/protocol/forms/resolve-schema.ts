import { isObject, type JsonObject, type JsonValue } from '../json';
import { MAX_SCHEMA_STEPS } from '../limits';

/** A schema without references, unions with null, and unions of one. */
export interface ResolvedSchema {
  schema: JsonObject;
  isNullable: boolean;
}

/**
 * Resolves a schema's references within `root`, and merges what it combines. Null for a reference that does not resolve or
 * never ends, and for unions of several schemas, which no control can represent.
 */
export function resolveSchema(value: JsonValue | undefined, root: JsonObject): ResolvedSchema | null {
  let schema = value;
  let isNullable = false;
  for (let steps = 0; steps < MAX_SCHEMA_STEPS; steps += 1) {
    if (!isObject(schema)) return null;
    const next: JsonObject | null | undefined = step(schema, root);
    if (next === null) return null;
    isNullable ||= schema.nullable === true || hasNull(schema);
    if (next === undefined) return { schema, isNullable };
    schema = next;
  }
  return null;
}

/** Returns the schema after one replacement; undefined if there is nothing to replace, null if that is impossible. */
function step(schema: JsonObject, root: JsonObject): JsonObject | null | undefined {
  const { $ref, allOf, type, ...rest } = schema;
  if (typeof $ref === 'string') {
    const target = targetOf($ref, root);
    return target && { ...target, ...rest, ...(type !== undefined && { type }), ...(allOf !== undefined && { allOf }) };
  }
  if (Array.isArray(allOf)) return merged([{ ...rest, ...(type !== undefined && { type }) }, ...allOf]);
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== 'null');
    return types.length === 1 ? { ...schema, type: types[0] } : null;
  }
  return unwrapped(schema);
}

/** Unwraps a union with null and with one other schema. Unions of constants are lists of options. */
function unwrapped(schema: JsonObject): JsonObject | null | undefined {
  for (const name of ['anyOf', 'oneOf'] as const) {
    const { [name]: members, ...rest } = schema;
    if (!Array.isArray(members)) continue;
    const others = members.filter((member) => !isNull(member));
    if (others.every((member) => isObject(member) && 'const' in member))
      return others.length === members.length ? undefined : { ...rest, [name]: others };
    const [only] = others;
    return others.length === 1 && isObject(only) ? { ...only, ...rest } : null;
  }
  return undefined;
}

function hasNull({ type, anyOf, oneOf }: JsonObject): boolean {
  const members = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return (Array.isArray(type) && type.includes('null')) || members.some(isNull);
}

function isNull(member: JsonValue): boolean {
  return isObject(member) && (member.type === 'null' || member.const === null);
}

/** Merges schemas of `allOf`. */
function merged(schemas: JsonValue[]): JsonObject | null {
  if (schemas.length > MAX_SCHEMA_STEPS || !schemas.every(isObject)) return null;
  const properties = Object.assign({}, ...schemas.map((schema) => schema.properties));
  const required = schemas.flatMap((schema) => (Array.isArray(schema.required) ? schema.required : []));
  return {
    ...Object.assign({}, ...schemas),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

/** Returns the target of a JSON Pointer in a fragment. References to other documents are never fetched. */
function targetOf(reference: string, root: JsonObject): JsonObject | null {
  if (reference !== '#' && !reference.startsWith('#/')) return null;
  let target: JsonValue | undefined = root;
  for (const name of reference.split('/').slice(1)) {
    const member = name.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(target) || !Object.hasOwn(target, member)) return null;
    target = target[member];
  }
  return isObject(target) ? target : null;
}
