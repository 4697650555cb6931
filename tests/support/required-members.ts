import { readFileSync } from 'node:fs';

type Shape = string | { any: Shape[] } | { list: Shape } | { map: Shape };

interface Type {
  required?: string[];
  fixed?: Record<string, unknown>;
  oneOf?: unknown[];
  members?: Record<string, Shape>;
  is?: Shape;
  exactlyOne?: string[];
}

export type SchemaVersion = '0.2.5' | '0.2.6' | '0.3.0' | '1.0.0';

const { versions } = JSON.parse(readFileSync('tests/fixtures/a2a/required-members.json', 'utf8')) as {
  versions: Record<SchemaVersion, Record<string, Type>>;
};

/** Missing or invalid members of a value under that A2A version's schema; empty when a strict reader accepts it. */
export function errorsIn(version: SchemaVersion, type: string, value: unknown): string[] {
  const types = versions[version];
  if (!types[type]) throw new Error(`A2A ${version} has no type ${type}`);
  // As serialized: undefined members are absent.
  return check(types, { shape: type, value: JSON.parse(JSON.stringify(value ?? null)), at: type });
}

/** The types of a version that have required members. */
export function typesWithRequired(version: SchemaVersion): string[] {
  return Object.entries(versions[version]).flatMap(([name, { required }]) => (required?.length ? [name] : []));
}

interface Location {
  shape: Shape;
  value: unknown;
  at: string;
}

function check(types: Record<string, Type>, { shape, value, at }: Location): string[] {
  if (typeof shape === 'string') return checkType(types, { type: types[shape] ?? {}, value, at });
  if ('any' in shape) {
    const faults = shape.any.map((option) => check(types, { shape: option, value, at }));
    return faults.find((found) => found.length === 0) ?? faults.sort((a, b) => a.length - b.length)[0] ?? [];
  }
  if ('list' in shape) {
    if (!Array.isArray(value)) return [`${at}: expected a list`];
    return value.flatMap((item, index) => check(types, { shape: shape.list, value: item, at: `${at}[${index}]` }));
  }
  return Object.entries(value as object).flatMap(([name, item]) =>
    check(types, { shape: shape.map, value: item, at: `${at}.${name}` }),
  );
}

function checkType(
  types: Record<string, Type>,
  { type, value, at }: { type: Type; value: unknown; at: string },
): string[] {
  if (type.is) return check(types, { shape: type.is, value, at });
  if (type.oneOf)
    return type.oneOf.includes(value) ? [] : [`${at}: ${JSON.stringify(value)} is not in the enumeration`];
  const isStructured = type.required ?? type.fixed ?? type.members ?? type.exactlyOne;
  if (!isStructured) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at}: expected an object`];
  const object = value as Record<string, unknown>;
  const present = (type.exactlyOne ?? []).filter((name) => name in object);
  return [
    ...(type.required ?? []).filter((name) => !(name in object)).map((name) => `${at}.${name}: missing`),
    ...Object.entries(type.fixed ?? {})
      .filter(([name, constant]) => name in object && object[name] !== constant)
      .map(([name, constant]) => `${at}.${name}: expected ${JSON.stringify(constant)}`),
    ...(type.exactlyOne && present.length !== 1
      ? [`${at}: expected exactly one of ${type.exactlyOne.join(', ')}`]
      : []),
    ...Object.entries(type.members ?? {}).flatMap(([name, shape]) =>
      name in object && object[name] !== null ? check(types, { shape, value: object[name], at: `${at}.${name}` }) : [],
    ),
  ];
}
