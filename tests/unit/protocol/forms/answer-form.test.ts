import { describe, expect, test } from 'vitest';
import { checkAnswer, type FieldFault, type RawValue, type RawValues } from '@/lib/protocol/forms/check-answer';
import { describeForm, questionText, toAnswerData, valueAt, valuesOfAnswer } from '@/lib/protocol/forms/describe-form';
import { rawOfContent, toElicitationSchema } from '@/lib/protocol/forms/elicitation-schema';
import { type Form, findFormSource } from '@/lib/protocol/forms/form';
import { isPaymentData, readForm } from '@/lib/protocol/forms/read-form';
import type { JsonObject, JsonValue } from '@/lib/protocol/json';

function formOf(properties: JsonObject, required: string[] = [], more: JsonObject = {}): Form {
  const source = findFormSource({ data: { kind: 'form', schema: { properties, required }, ...more } }, true);
  const { form } = source ? readForm(source) : { form: null };
  if (!form) throw new Error('no form');
  return form;
}

function check(properties: JsonObject, raw: RawValues, required: string[] = []) {
  return checkAnswer(formOf(properties, required), raw);
}

const faultOf = (schema: JsonObject, raw: RawValue): FieldFault | undefined => {
  const checked = check({ a: schema }, { a: raw });
  return checked.ok ? undefined : checked.faults.a;
};

const answeredWith = (schema: JsonObject, raw: RawValue): JsonValue | undefined => {
  const checked = check({ a: schema }, { a: raw });
  return checked.ok ? checked.values.a : undefined;
};

const png = { name: 'a b.png', mediaType: 'image/png', bytes: 'AAAA' };

describe('an answer', () => {
  test.each<[JsonObject, RawValue, JsonValue]>([
    [{ type: 'string' }, ' Rome ', 'Rome'],
    [{ type: 'integer' }, '12', 12],
    [{ type: 'number' }, '12,5', 12.5],
    [{ type: 'number' }, '-1e3', -1_000],
    [{ type: 'string', format: 'number' }, '12,5', '12.5'],
    [{ type: 'number', format: 'money', currency: 'EUR' }, '12.99', 12.99],
    [{ type: 'boolean' }, true, true],
    [{ enum: [1, 2] }, '1', 2],
    [{ type: 'array', items: { enum: ['a', 'b', 'c'] } }, ['2', '0'], ['a', 'c']],
    [{ type: 'array', items: { type: 'string' } }, 'a\n\n b ', ['a', 'b']],
    [{ type: 'string', format: 'date' }, '2026-02-28', '2026-02-28'],
    [{ type: 'string', format: 'date-time' }, '2026-02-28T10:00:00+02:00', '2026-02-28T10:00:00+02:00'],
    [{ type: 'string', format: 'time' }, '10:30:00Z', '10:30:00Z'],
    [{ type: 'string', format: 'binary' }, [png], 'a b.png'],
    [{ type: 'string', contentEncoding: 'base64' }, [png], 'AAAA'],
    [{ type: 'string', format: 'data-url' }, [png], 'data:image/png;name=a%20b.png;base64,AAAA'],
    [{ type: 'array', items: { type: 'string', format: 'binary' } }, [png], ['a b.png']],
  ])('to %j is typed: %j', (schema, raw, expected) => expect(answeredWith(schema, raw)).toEqual(expected));

  test('with a local time has the seconds and the offset of RFC 3339', () => {
    expect(answeredWith({ type: 'string', format: 'date-time' }, '2026-02-28T10:00')).toMatch(
      /^2026-02-28T10:00:00(?:Z|[-+]\d\d:\d\d)$/,
    );
  });

  test.each<[JsonObject, RawValue, FieldFault]>([
    [{ minLength: 3 }, 'ab', { code: 'tooShort', limit: 3 }],
    [{ maxLength: 3 }, 'abcd', { code: 'tooLong', limit: 3 }],
    [{ format: 'email' }, 'ada', { code: 'email' }],
    [{ format: 'uri' }, 'example', { code: 'url' }],
    [{ pattern: '^\\d{5}$' }, '1234', { code: 'pattern' }],
    [{ type: 'number' }, 'twelve', { code: 'number' }],
    [{ type: 'number' }, '1,2,3', { code: 'number' }],
    [{ type: 'number' }, '1e999', { code: 'number' }],
    [{ type: 'integer' }, '1.5', { code: 'integer' }],
    [{ type: 'integer', minimum: 1 }, '0', { code: 'tooSmall', limit: 1 }],
    [{ type: 'integer', maximum: 9 }, '10', { code: 'tooLarge', limit: 9 }],
    [{ type: 'number', multipleOf: 0.5 }, '1.3', { code: 'step', limit: 0.5 }],
    [{ type: 'number', format: 'money', currency: 'EUR' }, '1.999', { code: 'step', limit: 0.01 }],
    [{ type: 'string', format: 'date' }, '2026-02-30', { code: 'date' }],
    [
      { type: 'string', format: 'date', formatMinimum: '2026-03-01' },
      '2026-02-28',
      { code: 'tooEarly', limit: '2026-03-01' },
    ],
    [
      { type: 'string', format: 'date', formatMaximum: '2026-01-31' },
      '2026-02-28',
      { code: 'tooLate', limit: '2026-01-31' },
    ],
    [{ type: 'string', format: 'time' }, '25:00', { code: 'date' }],
    [{ enum: ['a'] }, '7', { code: 'choice' }],
    [{ type: 'array', items: { enum: ['a', 'b'] }, minItems: 2 }, ['0'], { code: 'tooFew', limit: 2 }],
    [{ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, ['0', '1'], { code: 'tooMany', limit: 1 }],
    [
      { type: 'string', format: 'binary', contentMediaType: 'text/csv' },
      [png],
      { code: 'fileType', limit: 'text/csv' },
    ],
    [{ const: true }, false, { code: 'mustBeTrue' }],
  ])('to %j that is invalid, %j, has a fault', (schema, raw, expected) =>
    expect(faultOf(schema, raw)).toEqual(expected),
  );

  test('lacks optional values that are empty; required ones are faults, and an empty nullable one is null', () => {
    const properties = {
      a: { type: 'string' },
      b: { type: 'string' },
      c: { type: ['string', 'null'] },
      d: { const: 4 },
    };
    expect(check(properties, { a: ' ' }, ['b', 'c'])).toEqual({ ok: false, faults: { b: { code: 'required' } } });
    expect(check(properties, { b: 'x' }, ['b', 'c'])).toMatchObject({ ok: true, values: { b: 'x', c: null, d: 4 } });
  });

  test('nests groups; an optional one is absent if it is empty, and complete if it is not', () => {
    const address = { type: 'object', properties: { street: {}, zip: {} }, required: ['street'] };
    expect(check({ address }, {})).toMatchObject({ ok: true, values: {} });
    expect(check({ address }, { 'address/zip': '10115' })).toMatchObject({
      faults: { 'address/street': { code: 'required' } },
    });
    const both = check({ address }, { 'address/zip': '10115', 'address/street': 'A 1' });
    expect(both).toMatchObject({ values: { address: { street: 'A 1', zip: '10115' } } });
  });

  test('names its files, which travel as parts of the message', () => {
    const answer = check(
      { photo: { type: 'string', format: 'binary' }, raw: { contentEncoding: 'base64' } },
      { photo: [png], raw: [png] },
    );
    expect(answer).toMatchObject({ values: { photo: 'a b.png', raw: 'AAAA' }, files: [png] });
  });

  test('has the shape in which the agent asked', () => {
    expect(toAnswerData({ wire: 'values' }, { a: 1 })).toEqual({ a: 1 });
    const data = toAnswerData({ wire: 'elicitation' }, { a: 1 });
    expect(data).toEqual({ action: 'accept', content: { a: 1 } });
    expect(valuesOfAnswer({ wire: 'elicitation' }, data)).toEqual({ a: 1 });
    expect(valueAt({ a: { b: 2 } }, { path: ['a', 'b'] })).toBe(2);
    expect(valueAt({ a: 'b' }, { path: ['a', 'length'] })).toBeUndefined();
  });

  test('is never a payment', () => {
    expect(isPaymentData({ 'ap2.mandates.PaymentMandate': {} })).toBe(true);
    expect(isPaymentData({ street: 'A 1', challenge: 'a word' })).toBe(false);
  });
});

const trip = (): Form =>
  formOf(
    {
      city: { title: 'City', description: 'Where *to*', minLength: 2 },
      day: { type: 'string', format: 'date' },
      rooms: { type: 'integer', minimum: 1, default: 1 },
      budget: { type: 'number', format: 'money', currency: 'EUR' },
      view: {
        oneOf: [
          { const: 'sea', title: 'The sea' },
          { const: 'yard', title: 'The yard' },
        ],
      },
      extras: { type: 'array', items: { enum: ['wifi', 'spa'] }, maxItems: 1 },
      who: { type: 'object', properties: { name: {} } },
      photo: { type: 'string', format: 'binary' },
      id: { const: 'T-1' },
    },
    ['city', 'day'],
    { title: 'A trip', message: 'Where\u202e to?' },
  );

test('a form in words lists its fields, without invisible characters and marks of Markdown', () => {
  expect(describeForm(trip())).toBe(
    [
      ...['**A trip**', '', 'Where to?', '', '- **City** (required): Where \\*to\\*'],
      '- **Day** (date, YYYY-MM-DD, required)',
      '- **Rooms** (whole number, optional)',
      '- **Budget** (amount in EUR, optional)',
      '- **View** (one of: The sea; The yard, optional)',
      '- **Extras** (any of: wifi; spa, optional)',
      '- **Who: Name** (optional)',
      '- **Photo** (file, optional)',
    ].join('\n'),
  );
});

test('a question in words has the texts of a message, and its forms', () => {
  const data = { kind: 'form', schema: { properties: { city: {} } } };
  const parts = [
    { kind: 'text' as const, text: 'Where to?' },
    { kind: 'data' as const, data },
    { kind: 'data' as const, data: 5 },
  ];
  expect(questionText(parts)).toBe('Where to?\n\n- **City** (optional)');
  expect(questionText([])).toBe('');
});

describe('a form as an elicitation', () => {
  test('is the flat schema of MCP, with titled options and without optional files', () => {
    expect(toElicitationSchema(trip())).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', minLength: 2, maxLength: 10_000, title: 'City', description: 'Where *to*' },
        day: { type: 'string', format: 'date', title: 'Day' },
        rooms: { type: 'integer', minimum: 1, default: 1, title: 'Rooms' },
        budget: { type: 'number', title: 'Budget (EUR)' },
        view: {
          ...{ type: 'string', title: 'View' },
          oneOf: [
            { const: 'sea', title: 'The sea' },
            { const: 'yard', title: 'The yard' },
          ],
        },
        extras: {
          ...{ type: 'array', maxItems: 1, title: 'Extras' },
          items: {
            anyOf: [
              { const: 'wifi', title: 'wifi' },
              { const: 'spa', title: 'spa' },
            ],
          },
        },
        'who.name': { type: 'string', maxLength: 10_000, title: 'Who: Name' },
      },
      required: ['city', 'day'],
    });
  });

  test('does not exist if the answer needs a file', () => {
    expect(toElicitationSchema(formOf({ photo: { format: 'binary' } }, ['photo']))).toBeNull();
  });

  test('is answered by content that is checked as in the form', () => {
    const content = {
      city: 'Rome',
      day: '2026-03-01',
      rooms: 2,
      view: 'sea',
      extras: ['spa'],
      'who.name': 'Ada',
      other: 1,
    };
    expect(checkAnswer(trip(), rawOfContent(trip(), content))).toMatchObject({
      ok: true,
      values: {
        ...{ city: 'Rome', day: '2026-03-01', rooms: 2, view: 'sea', extras: ['spa'] },
        who: { name: 'Ada' },
        id: 'T-1',
      },
    });
    const wrong = { city: 'Rome', day: 'soon', view: 'hills', extras: 'spa' };
    expect(checkAnswer(trip(), rawOfContent(trip(), wrong))).toMatchObject({
      ok: false,
      faults: { day: { code: 'date' }, view: { code: 'choice' } },
    });
  });
});

describe('a hostile schema', () => {
  test.each(['hasOwnProperty', 'toString', 'valueOf', '__proto__', 'constructor'])(
    'cannot change the members of all objects by the name %s',
    (name) => {
      const properties = JSON.parse(
        `{"${name}":{"type":"object","properties":{"call":{"const":"x"}}},"a":{"type":"string"}}`,
      );
      expect(() => formOf(properties)).toThrow('no form');
      expect(Object.hasOwn(Object.prototype.hasOwnProperty, 'call')).toBe(false);
    },
  );

  test('cannot add a statement that the user does not see to the answer', () => {
    for (const hidden of ['I agree to pay 500 EUR', { terms: 'accepted' }, ['a'], 'x'.repeat(65)]) {
      expect(() => formOf({ a: { type: 'string' }, consent: { const: hidden } })).toThrow('no form');
      expect(() =>
        formOf({ a: { type: 'string' }, consent: { type: 'string', readOnly: true, default: hidden } }),
      ).toThrow('no form');
    }
    expect(check({ a: { type: 'string' }, id: { const: 'T-1' } }, { a: 'b' })).toMatchObject({ values: { id: 'T-1' } });
  });

  test('with many groups, even without fields, is not read to the end', () => {
    const group = (inner: JsonObject): JsonObject => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`g${index}`, inner])),
    });
    let reads = 0;
    const leaf = new Proxy({ type: 'object', properties: { a: { type: 'string' } } } as JsonObject, {
      get: (target, name) => {
        reads += 1;
        return Reflect.get(target, name) as JsonValue;
      },
    });
    const schema = group(group(group(leaf)));
    const { refusal } = readForm({
      wire: 'form',
      title: '',
      message: '',
      submit: '',
      schema,
      values: undefined,
    } as never);
    expect(refusal).toBe('too-large');
    expect(reads).toBeLessThan(10_000);
    expect(() => formOf({ a: { type: 'object', properties: {} } })).toThrow('no form');
  });
});
