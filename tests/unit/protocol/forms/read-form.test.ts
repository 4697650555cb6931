import { describe, expect, test } from 'vitest';
import { type Form, type FormField, findFormSource } from '@/lib/protocol/forms/form';
import { type ReadForm, readForm } from '@/lib/protocol/forms/read-form';
import type { JsonObject, JsonValue } from '@/lib/protocol/json';

function read(data: JsonValue, isMessage = true): ReadForm {
  const source = findFormSource({ data }, isMessage);
  if (!source) throw new Error('no question');
  return readForm(source);
}

function formOf(properties: JsonObject, more: JsonObject = {}): Form {
  const { form, refusal } = read({ kind: 'form', schema: { type: 'object', properties, ...more } });
  if (!form) throw new Error(refusal ?? '');
  return form;
}

const fieldOf = (schema: JsonObject, more: JsonObject = {}): FormField | undefined =>
  formOf({ field: schema }, more).fields[0];

const refusalOf = (properties: JsonObject) => read({ kind: 'form', schema: { type: 'object', properties } }).refusal;

describe('a question is found in', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } };

  test.each<[string, JsonValue, Partial<Form>]>([
    [
      'Parley’s own shape',
      { kind: 'form', title: 'Trip', message: 'Where?', submit: 'Go', schema },
      { wire: 'values', title: 'Trip', message: 'Where?', submit: 'Go' },
    ],
    [
      'the form of the A2A samples',
      { type: 'form', form: schema, form_data: { city: 'Rome' }, instructions: 'Where?' },
      { wire: 'values', message: 'Where?' },
    ],
    ['MCP’s elicitation', { message: 'Where?', requestedSchema: schema }, { wire: 'elicitation', message: 'Where?' }],
    [
      'a request of MCP',
      { method: 'elicitation/create', params: { mode: 'form', message: 'Where?', requestedSchema: schema } },
      { wire: 'elicitation', message: 'Where?' },
    ],
    ['a bare schema', { ...schema, title: 'Trip', description: 'Where?' }, { title: 'Trip', message: 'Where?' }],
  ])('%s', (_, data, expected) => {
    expect(read(data).form).toMatchObject(expected);
    expect(read(data).form?.fields).toMatchObject([{ key: 'city', label: 'City', kind: 'text' }]);
  });

  test('a bare schema of an artifact only if it is marked', () => {
    expect(findFormSource({ data: schema }, false)).toBeNull();
    expect(findFormSource({ data: schema, metadata: { 'parley.view': 'form' } }, false)).not.toBeNull();
    expect(findFormSource({ data: schema, mediaType: 'application/schema+json' }, false)).not.toBeNull();
  });

  test.each<[JsonValue]>([
    [null],
    [[]],
    ['form'],
    [{ kind: 'form' }],
    [{ type: 'form', form: 'x' }],
    [{ type: 'object' }],
  ])('no other data: %j', (data) => expect(findFormSource({ data }, true)).toBeNull());
});

describe('the kind of a field', () => {
  test.each<[JsonObject, object]>([
    [{ type: 'string' }, { kind: 'text', isMultiline: false, format: null }],
    [{}, { kind: 'text' }],
    [
      { type: 'string', maxLength: 2_000 },
      { kind: 'text', isMultiline: true, maxLength: 2_000 },
    ],
    [
      { type: 'string', format: 'textarea' },
      { kind: 'text', isMultiline: true },
    ],
    [
      { type: 'string', format: 'email' },
      { kind: 'text', format: 'email' },
    ],
    [
      { type: 'string', format: 'uri' },
      { kind: 'text', format: 'url' },
    ],
    [
      { type: 'string', format: 'date', formatMinimum: '2026-01-01' },
      { kind: 'date', min: '2026-01-01' },
    ],
    [{ type: 'string', format: 'time' }, { kind: 'time' }],
    [{ type: 'string', format: 'date-time' }, { kind: 'date-time' }],
    [
      { type: 'integer', minimum: 1, maximum: 9 },
      { kind: 'number', isInteger: true, min: 1, max: 9, asText: false },
    ],
    [{ type: 'integer', exclusiveMinimum: 0 }, { min: 1 }],
    [
      { type: 'string', format: 'number' },
      { kind: 'number', asText: true },
    ],
    [
      { type: 'number', format: 'money', currency: 'EUR' },
      { kind: 'number', currency: 'EUR', step: 0.01, asText: false },
    ],
    [
      { type: 'string', format: 'money', currency: 'JPY' },
      { kind: 'number', currency: 'JPY', step: 1, asText: true },
    ],
    [
      { type: 'number', format: 'money', currency: 'XXX1' },
      { kind: 'number', currency: null },
    ],
    [
      { type: 'boolean', default: true },
      { kind: 'boolean', initial: true, mustBeTrue: false },
    ],
    [{ const: true }, { kind: 'boolean', mustBeTrue: true }],
    [{ const: 'A-1' }, { kind: 'fixed', value: 'A-1' }],
    [
      { type: 'string', readOnly: true, default: 'A-1' },
      { kind: 'fixed', value: 'A-1' },
    ],
    [
      { enum: ['s', 'l'], enumNames: ['Small', 'Large'], default: 'l' },
      {
        kind: 'choice',
        options: [
          { value: 's', label: 'Small' },
          { value: 'l', label: 'Large' },
        ],
        initial: '1',
      },
    ],
    [{ oneOf: [{ const: 1, title: 'One' }] }, { kind: 'choice', options: [{ value: 1, label: 'One' }] }],
    [
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, minItems: 1, default: ['a'] },
      { kind: 'choices', minItems: 1, initial: ['0'] },
    ],
    [
      { type: 'array', items: { type: 'string' }, default: ['a', 'b'] },
      { kind: 'lines', initial: 'a\nb' },
    ],
    [
      { type: 'string', format: 'binary', contentMediaType: 'image/png' },
      { kind: 'file', accept: ['image/png'], encoding: 'name', maxItems: 1 },
    ],
    [
      { type: 'string', contentEncoding: 'base64' },
      { kind: 'file', accept: [], encoding: 'base64' },
    ],
    [
      { type: 'array', items: { type: 'string', format: 'data-url' } },
      { kind: 'file', encoding: 'data-url', maxItems: 5 },
    ],
  ])('%j', (schema, expected) => expect(fieldOf(schema)).toMatchObject(expected));

  test('has the label, the help, and whether an answer is required', () => {
    const field = fieldOf({ title: 'Your city', description: 'Where you live' }, { required: ['field'] });
    expect(field).toMatchObject({ label: 'Your city', help: 'Where you live', required: true });
    expect(formOf({ firstName: {}, zip_code: {} }).fields.map(({ label }) => label)).toEqual([
      'First Name',
      'Zip code',
    ]);
  });

  test('has the initial value; one in angle brackets is a placeholder', () => {
    const asked = read({
      ...{ type: 'form', form: { properties: { city: {}, date: { format: 'date' }, why: {} } } },
      form_data: { city: 'Rome', date: '2026-03-01', why: '<business reason>' },
    });
    expect(asked.form?.fields).toMatchObject([
      { initial: 'Rome' },
      { initial: '2026-03-01' },
      { initial: '', placeholder: 'business reason' },
    ]);
  });

  test('a group is its fields, of which an optional one requires none until another has a value', () => {
    const address = { type: 'object', properties: { street: { type: 'string' }, zip: {} }, required: ['street'] };
    expect(formOf({ address }).fields).toMatchObject([
      { key: 'address/street', group: 'Address', required: false, requiredWith: 'address' },
      { key: 'address/zip', required: false, requiredWith: null },
    ]);
    expect(formOf({ address }, { required: ['address'] }).fields[0]).toMatchObject({ required: true });
  });

  test('follows references and unions with null, as generators write them', () => {
    const $defs = { Size: { enum: ['s', 'l'], title: 'Size' }, Name: { type: 'string', description: 'A name' } };
    const properties = {
      size: { $ref: '#/$defs/Size', title: 'Pizza size' },
      name: { anyOf: [{ $ref: '#/$defs/Name' }, { type: 'null' }] },
      all: { allOf: [{ $ref: '#/$defs/Name' }], title: 'All' },
      kinds: { type: ['string', 'null'] },
    };
    expect(formOf(properties, { $defs, required: ['size', 'name'] }).fields).toMatchObject([
      { kind: 'choice', label: 'Pizza size', required: true },
      { kind: 'text', help: 'A name', required: false, sendsNull: true },
      { kind: 'text', label: 'All', help: 'A name' },
      { kind: 'text', sendsNull: false },
    ]);
  });
});

describe('a hostile or unsupported schema is refused, and in bounded time:', () => {
  const many = (count: number): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string' }]));
  let deep: JsonObject = { type: 'string' };
  for (let depth = 0; depth < 50; depth += 1) deep = { type: 'object', properties: { deeper: deep } };
  let wide: JsonObject = { type: 'string' };
  for (let depth = 0; depth < 3; depth += 1)
    wide = { type: 'object', properties: Object.fromEntries(Array.from({ length: 49 }, (_, at) => [`w${at}`, wide])) };

  test.each<[string, string, JsonObject]>([
    ['10,000 properties', 'too-large', many(10_000)],
    ['51 properties', 'too-large', many(51)],
    ['groups of 49 in groups of 49', 'too-large', { wide }],
    ['depth', 'unsupported', { deep }],
    ['a reference to itself', 'unsupported', { a: { $ref: '#/properties/a' } }],
    ['a loop of references', 'unsupported', { a: { $ref: '#/properties/b' }, b: { $ref: '#/properties/a' } }],
    ['a group that contains itself', 'unsupported', { a: { $ref: '#' } }],
    ['a reference to another document', 'unsupported', { a: { $ref: 'https://evil.example/schema' } }],
    ['a reference to nothing', 'unsupported', { a: { $ref: '#/$defs/none' } }],
    ['allOf of many', 'unsupported', { a: { allOf: Array(10_000).fill({ type: 'string' }) } }],
    ['allOf of itself', 'unsupported', { a: { allOf: [{ $ref: '#/properties/a' }] } }],
    ['a union of types', 'unsupported', { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } }],
    ['a list of objects', 'unsupported', { a: { type: 'array', items: { type: 'object' } } }],
    ['options without end', 'unsupported', { a: { enum: Array.from({ length: 5_000 }, (_, index) => `o${index}`) } }],
    ['a name of JavaScript', 'unsupported', JSON.parse('{"__proto__": {"type": "string"}}')],
    ['a password', 'secret', { pin: { type: 'string', format: 'password' } }],
    ['a payment by name', 'payment', { 'ap2.mandates.PaymentMandate': { const: {} } }],
    ['a payment by value', 'payment', { a: { const: { 'ap2.mandates.PaymentMandate': {} } } }],
    ['no properties', 'unsupported', {}],
  ])('%s', (_, refusal, properties) => {
    const started = performance.now();
    expect(refusalOf(properties)).toBe(refusal);
    expect(performance.now() - started).toBeLessThan(200);
  });

  test('many fields with many options', () => {
    const options = { enum: Array.from({ length: 400 }, (_, index) => index) };
    expect(refusalOf({ a: options, b: options })).toBe('too-large');
  });

  test('long texts are cut, and invisible characters of names stay for the reader to see', () => {
    const field = fieldOf({ title: `\u202e${'x'.repeat(5_000)}`, description: 'y'.repeat(50_000) });
    expect(field?.label).toHaveLength(200);
    expect(field?.label.startsWith('\u202e')).toBe(true);
    expect(field?.help).toHaveLength(1_000);
  });

  test.each([
    '^(a+)+$',
    '(a|a)*b',
    '^(?:a*)*$',
    'a*a*a*b',
    '^a*a*a*b$',
    '^(x)\\1$',
    '^(?=a)a$',
    '^[',
    `^${'a'.repeat(300)}$`,
  ])('the pattern %s is not run', (pattern) =>
    expect(fieldOf({ type: 'string', pattern })).toMatchObject({ pattern: null }),
  );

  test.each([
    ['^\\d{5}$', '12345', '1234a'],
    ['^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$', 'DE89370400440532013000', 'DE8'],
    ['^\\+?[0-9 ]{7,15}$', '+49 30 123456', 'x'],
  ])('the pattern %s is run', (pattern, valid, invalid) => {
    const field = fieldOf({ type: 'string', pattern });
    const found = field?.kind === 'text' ? field.pattern : null;
    expect([found?.test(valid), found?.test(invalid)]).toEqual([true, false]);
  });
});
