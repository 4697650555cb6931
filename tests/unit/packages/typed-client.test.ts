import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, it, test } from 'vitest';
import { typeOf } from '@/packages/cli/src/types/schema-types';
import { type TypedCard, writeClient } from '@/packages/cli/src/types/write-client';

const oneLine = (type: string): string => type.replaceAll(/\s+/g, ' ');

describe('the type of a schema', () => {
  it.each([
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', 1, null] }, '"a" | 1 | null'],
    [{ const: 'x' }, '"x"'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'string' }] }, 'string | number'],
    [{ type: 'array', items: { type: ['string', 'number'] } }, '(string | number)[]'],
    [{ prefixItems: [{ type: 'string' }], items: false }, '[string]'],
    [{ prefixItems: [{ type: 'string' }] }, '[string, ...unknown[]]'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
    [{ allOf: [{ type: 'string' }, { enum: ['a', 'b'] }] }, 'string & ("a" | "b")'],
    [{}, 'unknown'],
    [true, 'unknown'],
    [false, 'never'],
    [{ type: 'martian' }, 'unknown'],
    [{ type: 'constructor' }, 'unknown'],
    [{ type: '__proto__' }, 'unknown'],
    [{ allOf: [] }, 'unknown'],
    [{ const: 'a\u202eb\u2028\u{e0001}' }, '"a\\u202eb\\u2028\\udb40\\udc01"'],
  ])('%j is %s', (schema, type) => expect(typeOf(schema)).toBe(type));

  it('marks what is optional, and keeps descriptions', () => {
    const schema = {
      type: 'object',
      properties: { city: { type: 'string', description: 'Name of\nthe city' }, 'max-days': { type: 'integer' } },
      required: ['city'],
    };
    expect(oneLine(typeOf(schema))).toBe('{ /** Name of the city */ "city": string; "max-days"?: number; }');
  });

  it('does not grow without limit by references, and shows hidden characters of names', () => {
    const level = (next: number): [string, object] => [
      `l${next - 1}`,
      { properties: Object.fromEntries([...'abcdefghij'].map((name) => [name, { $ref: `#/$defs/l${next}` }])) },
    ];
    const $defs = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map(level));
    expect(typeOf({ $ref: '#/$defs/l0', $defs }).length).toBeLessThan(1_000_000);
    expect(typeOf({ properties: { 'a\u202eb': true } })).toContain('"a\\u202eb"?: unknown;');
  });

  it('follows references within the schema, and ends at recursive ones', () => {
    const schema = {
      $ref: '#/$defs/node',
      $defs: {
        node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, size: { $ref: '#/$defs/a~1b' } } },
        'a/b': { type: 'number' },
      },
    };
    expect(oneLine(typeOf(schema))).toBe('{ "next"?: unknown; "size"?: number; }');
    expect(typeOf({ $ref: '#/missing' })).toBe('unknown');
    expect(typeOf({ $ref: 'https://elsewhere.example/schema' })).toBe('unknown');
  });
});

function cardWith(skills: Record<string, object>, more: Partial<TypedCard> = {}): TypedCard {
  return {
    ...{ name: 'Weather', description: 'Forecasts.', version: '1.2.0' },
    skills: Object.keys(skills).map((id) => ({ id, name: id, description: 'Does it.' })),
    capabilities: { extensions: [{ uri: 'urn:parley:skills:v1', params: { skills } }] },
    ...more,
  };
}

/** Returns the syntax errors of a module. */
function syntaxErrors(text: string): string[] {
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('a typed client', () => {
  it('has a method for each skill with a schema, with different names', () => {
    const text = writeClient('weather-now', cardWith({ 'get-forecast': {}, get_forecast: {}, send: {}, '2day': {} }));
    expect([...text.matchAll(/^ {4}(\w+): \(input/gm)].map(([, name]) => name)).toEqual([
      'getForecast',
      'getForecast2',
      'send2',
      'skill2day',
    ]);
    expect(text).toContain('export function createWeatherNow(client: Client)');
    expect(syntaxErrors(text)).toEqual([]);
  });

  it('of an agent without schemas sends messages', () => {
    const text = writeClient('echo', { ...cardWith({}), capabilities: {} });
    expect(text).not.toContain('callSkill');
    expect(text).toContain('client.send(agent, message, options)');
  });

  test('runs nothing that the card contains, whatever its texts are', () => {
    const evil = fc.constantFrom(
      '*/ alert(1) /*',
      '"; alert(1); "',
      '`$' + '{alert(1)}`',
      '\u2028alert(1)',
      '\nalert(1)//',
      '</script>',
    );
    const text = fc.oneof(evil, fc.string({ unit: 'grapheme' }));
    const schema = fc.record({
      type: fc.constantFrom('object', 'string', 'array'),
      description: text,
      enum: fc.option(fc.array(text, { maxLength: 3 }), { nil: undefined }),
      properties: fc.option(fc.dictionary(text, fc.record({ type: fc.constant('string'), description: text })), {
        nil: undefined,
      }),
    });
    fc.assert(
      fc.property(
        fc.dictionary(text, fc.record({ input: schema, output: schema })),
        text,
        text,
        (skills, name, description) => {
          const written = writeClient('echo', cardWith(skills, { name, description, version: name }));
          expect(syntaxErrors(written)).toEqual([]);
          const source = ts.createSourceFile('client.ts', written, ts.ScriptTarget.Latest);
          // Imports, one constant, types and one function: nothing else is run.
          const kinds = new Set(source.statements.map(({ kind }) => ts.SyntaxKind[kind]));
          expect([...kinds].filter((kind) => !allowed.includes(kind))).toEqual([]);
        },
      ),
    );
  });
});

const allowed = [
  'ImportDeclaration',
  'FirstStatement',
  'VariableStatement',
  'TypeAliasDeclaration',
  'FunctionDeclaration',
];
