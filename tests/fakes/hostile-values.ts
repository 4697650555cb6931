import type { JsonSchema } from '@/lib/docs/schema';

/** Values of a path segment or a query parameter, percent-encoded as sent. */
export const HOSTILE_SEGMENTS: readonly string[] = [
  '%00',
  'a%00b',
  '%FF',
  '%ED%A0%80',
  '%C0%80',
  '%2e%2e%2f%2e%2e',
  '%27%22%3B--',
  '%F0%9F%98%80%E2%80%AE',
  '%0D%0Ax:y',
  '-1',
  '0',
  '1e999',
  'NaN',
  '99999999999999999999999',
  '2147483648',
  '-9223372036854775809',
  '2026-13-45T99:99:99Z',
  '%2B275760-09-13T00:00:00.001Z',
  '-271821-04-20T00:00:00Z',
  '0001-01-01T00:00:00Z',
  'null',
  '__proto__',
  'constructor',
  '%7B%7D',
  'x'.repeat(3_000),
];

/** JSON member values as text, so that values JavaScript cannot represent can be sent too. */
const HOSTILE_JSON: readonly string[] = [
  'null',
  'true',
  '-1',
  '1.5',
  '1e308',
  '1e999',
  '9007199254740993',
  '2147483648',
  '-9223372036854775809',
  '123456789012345678901234567890',
  '""',
  '" "',
  '"a\\u0000b"',
  '"\\ud800x"',
  '"\\udc00\\ud800"',
  '"\\u202e\\u2028"',
  '"+275760-09-13T00:00:00.001Z"',
  '"0001-01-01T00:00:00Z"',
  '"-271821-04-20"',
  '"2026-13-45T99:99:99Z"',
  '"http://169.254.169.254/"',
  '"javascript:alert(1)"',
  '"%00"',
  '"constructor"',
  '[]',
  '["\\u0000"]',
  '["\\ud800x"]',
  '[[]]',
  '[{}]',
  '{}',
  '{"\\u0000":1}',
  '{"a":{"b":["\\udfff"]}}',
  `"${'x'.repeat(20_000)}"`,
  `[${Array(2_000).fill('"x"').join(',')}]`,
];

/** A plain value that the schema's keywords accept. */
export function sampleOf(schema: JsonSchema, shapes: Record<string, JsonSchema>): unknown {
  const {
    $ref,
    anyOf,
    oneOf,
    allOf,
    enum: values,
    const: fixed,
    type,
    default: given,
  } = schema as Record<string, never>;
  if (typeof $ref === 'string') return sampleOf(shapes[($ref as string).split('/').at(-1) ?? ''] ?? {}, shapes);
  if (given !== undefined) return given;
  if (fixed !== undefined) return fixed;
  if (Array.isArray(values)) return values[0];
  const choices: unknown[] = [anyOf, oneOf, allOf];
  const [first] = choices.filter(Array.isArray).flat() as JsonSchema[];
  if (first) return sampleOf(first, shapes);
  switch (type as unknown) {
    case 'object': {
      const { properties = {} } = schema as { properties?: Record<string, JsonSchema> };
      return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, sampleOf(one, shapes)]));
    }
    case 'array':
      return [sampleOf((schema.items as JsonSchema | undefined) ?? {}, shapes)];
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return sampleText(schema);
  }
}

function sampleText({ format, minLength }: JsonSchema): string {
  if (format === 'uri' || format === 'url') return 'https://agent.example/';
  if (format === 'email') return 'somebody@example.test';
  if (format === 'date-time') return '2026-01-01T00:00:00Z';
  if (format === 'uuid') return '0b5ad2a4-7d3b-4b61-8f5e-0d9f4a1f6b1e';
  return 'x'.repeat(Math.max(1, Number(minLength ?? 1)));
}

const marker = '@@here@@';

/** JSON texts of `value` with one member at a time replaced by each hostile value, or omitted. */
export function* hostileBodies(value: unknown): Generator<string> {
  for (const text of HOSTILE_JSON) yield text;
  for (const mutated of marked(value)) {
    const text = JSON.stringify(mutated);
    for (const hostile of HOSTILE_JSON) yield text.replace(`"${marker}"`, () => hostile);
  }
  for (const lacking of without(value)) yield JSON.stringify(lacking);
}

function* marked(value: unknown, depth = 0): Generator<unknown> {
  if (depth > 0) yield marker;
  if (typeof value !== 'object' || value === null || depth > 3) return;
  if (Array.isArray(value)) {
    for (const one of marked(value[0], depth + 1)) yield [one];
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    for (const one of marked(member, depth + 1)) yield { ...value, [name]: one };
  }
}

function* without(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const name of Object.keys(value))
    yield Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}
