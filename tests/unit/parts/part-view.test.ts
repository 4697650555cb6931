import { createTranslator } from 'next-intl';
import { describe, expect, test } from 'vitest';
import { escapeInvisible, toDisplayedJson } from '@/components/chat/parts/json-card';
import { type PartView, toPartView } from '@/components/chat/parts/part-view';
import { bytesOf, decodeBase64, readFile, readImage, safeFileName } from '@/components/chat/parts/read-file';
import { readSteps } from '@/components/chat/parts/steps-card';
import { timeLeft } from '@/components/payments/offers/offer-expiry';
import { revealInvisible, splitInvisible } from '@/components/ui/display/untrusted-text';
import type { Part } from '@/lib/protocol/a2a/core/model';
import type { JsonValue } from '@/lib/protocol/json';
import { texts } from '@/lib/texts/en';

function base64(bytes: Uint8Array | string): string {
  return Buffer.from(bytes).toString('base64');
}

function dataView(data: JsonValue, metadata?: Record<string, string>): PartView {
  return toPartView({ kind: 'data', data, metadata });
}

/** The first bytes of an image of 3 × 2 pixels in each format. */
const pictures = {
  'image/png': '89504e470d0a1a0a0000000d49484452000000030000000208060000009d74661a',
  'image/gif': '474946383961030002008000000000000000',
  'image/jpeg': 'ffd8ffe000104a46494600010100000100010000ffc0001108000200030301220002110103110100',
  'image/webp': '524946461a000000574542505650384c0d0000002f0240000000070810fdcf0088',
} as const;

describe('the view of a part', () => {
  test.each<[string, Part, string]>([
    ['text', { kind: 'text', text: 'a' }, 'markdown'],
    ['Markdown', { kind: 'text', text: 'a', mediaType: 'text/markdown; charset=utf-8' }, 'markdown'],
    ['plain text', { kind: 'text', text: 'a', mediaType: 'text/plain' }, 'plain'],
    ['HTML source', { kind: 'text', text: '<b>', mediaType: 'text/html' }, 'plain'],
    ['bytes', { kind: 'bytes', bytes: 'YQ==', filename: 'a.txt' }, 'file'],
    ['an address', { kind: 'uri', uri: 'https://a.example/f' }, 'link-file'],
    ['a cart', { kind: 'data', data: { 'ap2.mandates.CartMandate': {} } }, 'cart'],
    ['a payment', { kind: 'data', data: { 'ap2.mandates.PaymentMandate': {} } }, 'payment-mandate'],
    ['an intent', { kind: 'data', data: { 'ap2.mandates.IntentMandate': {} } }, 'intent'],
    ['a checkout', { kind: 'data', data: { 'ap2.checkout': {} } }, 'cart'],
    ['payment methods', { kind: 'data', data: { 'payment_request.PaymentMethodData': {} } }, 'method-data'],
    ['an address', { kind: 'data', data: { 'contact_picker.ContactAddress': {} } }, 'address'],
    ['a challenge', { kind: 'data', data: { challenge: { type: 'otp' } } }, 'challenge'],
    ['x402', { kind: 'data', data: {}, metadata: { 'x402.payment.required': { accepts: [] } } }, 'x402'],
    ['a receipt', { kind: 'data', data: { orderId: 'ORD-1', total: 14.95 } }, 'receipt'],
    ['only risk data', { kind: 'data', data: { risk_data: 'x' } }, 'hidden'],
    ['other data', { kind: 'data', data: { a: 1 } }, 'json'],
    ['null', { kind: 'data', data: null }, 'json'],
  ])('has the expected kind for %s', (_what, part, kind) => {
    expect(toPartView(part).kind).toBe(kind);
  });

  test.each([
    ['https://files.example/a.pdf', 'files.example'],
    ['http://files.example/a.pdf', null],
    ['https://parley.example@files.example/', null],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['file:///etc/passwd', null],
    ['/relative', null],
    ['', null],
  ])('XSS-1: links the file %j only to a valid host: %j', (uri, host) => {
    const view = toPartView({ kind: 'uri', uri });
    expect(view).toMatchObject({ kind: 'link-file', uri });
    expect(view.kind === 'link-file' && (view.link?.host ?? null)).toBe(host);
  });
});

describe('the view of tables, charts and steps', () => {
  const table = {
    kind: 'table',
    columns: [{ key: 'a', label: 'A', type: 'text' }, { key: 'n' }, 'b'],
    rows: [{ a: 'x', n: 1234.5, b: null }, ['y', 2, true]],
  };
  const chart = {
    kind: 'chart',
    type: 'bar',
    title: 'T',
    x: { label: 'City', values: ['Rome', 7] },
    series: [{ name: 'S', values: [1, null] }, { values: [2] }],
  };

  test('accepts table rows as objects or as lists', () => {
    expect(dataView(table)).toEqual({
      kind: 'table',
      table: {
        title: null,
        columns: [
          { label: 'A', numeric: false },
          { label: 'n', numeric: true },
          { label: 'b', numeric: false },
        ],
        rows: [
          ['x', 1234.5, ''],
          ['y', 2, 'true'],
        ],
      },
    });
  });

  test('shows a chart’s missing values as gaps', () => {
    expect(dataView(chart)).toEqual({
      kind: 'chart',
      chart: {
        type: 'bar',
        title: 'T',
        xLabel: 'City',
        labels: ['Rome', '7'],
        series: [
          { name: 'S', values: [1, null] },
          { name: null, values: [2, null] },
        ],
      },
    });
  });

  test('accepts steps as text or with a state, and treats an unknown state as pending', () => {
    const steps = ['Read', { text: 'Draw', state: 'active' }, { text: 'Write', state: 'soon' }];
    expect(readSteps({ kind: 'steps', title: 'Plan', steps })).toEqual({
      title: 'Plan',
      steps: [
        { text: 'Read', state: 'pending' },
        { text: 'Draw', state: 'active' },
        { text: 'Write', state: 'pending' },
      ],
    });
  });

  test.each<[string, JsonValue]>([
    ['a plan without steps', { kind: 'steps', steps: [] }],
    ['a step without a text', { kind: 'steps', steps: ['Read', {}] }],
    ['101 steps', { kind: 'steps', steps: Array.from({ length: 101 }, () => 'Read') }],
  ])('reads no steps from %s', (_what, data) => {
    expect(readSteps(data)).toBeNull();
  });

  test('accepts the hint in the metadata', () => {
    expect(dataView({ ...table, kind: 'x' }, { 'parley.view': 'table' }).kind).toBe('table');
    expect(dataView({ ...chart, kind: 'x' }, { 'parley.view': 'chart' }).kind).toBe('chart');
  });

  test.each<[string, JsonValue]>([
    ['a table without rows', { kind: 'table', columns: ['a'] }],
    ['a table without columns', { kind: 'table', columns: [], rows: [] }],
    ['a column without a name', { kind: 'table', columns: [{}], rows: [] }],
    ['a pie chart', { ...chart, type: 'pie' }],
    ['a value out of range', { ...chart, series: [{ values: [1e300] }] }],
    ['more values than labels', { ...chart, series: [{ values: [1, 2, 3] }] }],
    ['no labels', { ...chart, x: { values: [] } }],
    ['too many labels', { ...chart, x: { values: Array.from({ length: 501 }, () => 'a') } }],
    ['seven series', { ...chart, series: Array.from({ length: 7 }, () => ({ values: [1] })) }],
    ['a list', [1, 2]],
  ])('shows %s as data', (_what, data) => {
    expect(dataView(data)).toEqual({ kind: 'json', value: data });
  });

  test('leaves a column empty if it is named like an Object.prototype member', () => {
    const view = dataView({ kind: 'table', columns: ['constructor', '__proto__'], rows: [{}] });
    expect(view.kind === 'table' && view.table.rows).toEqual([['', '']]);
  });
});

describe('the view of a file', () => {
  test('keeps the bytes, in one chunk or many, in base64 or base64url', () => {
    const bytes = Uint8Array.from({ length: 1_000 }, (_, index) => (index * 37) % 256);
    const whole = Buffer.from(bytes);
    const pieces = [
      whole.subarray(0, 1).toString('base64'),
      whole.subarray(1, 500).toString('base64url'),
      whole.subarray(500).toString('base64'),
    ];
    const file = readFile({ filename: 'a.bin', pieces });
    expect(file.size).toBe(1_000);
    expect(Buffer.from(bytesOf(file)).equals(whole)).toBe(true);
  });

  test.each(['a', 'ab=c', 'YQ=', 'a b c d e', 'ä', '====', 'YQ==YQ=='])(
    'treats %j as base64 only if it decodes',
    (text) => {
      const file = readFile({ pieces: [text] });
      if (decodeBase64(text) === null) expect(file.size).toBeNull();
      else expect(bytesOf(file)).toHaveLength(file.size ?? -1);
    },
  );

  test.each(Object.entries(pictures))('recognizes an image by its bytes: %s', (mediaType, hex) => {
    const facts = { mediaType, width: 3, height: 2 };
    expect(readImage(Buffer.from(hex, 'hex'))).toEqual(facts);
    const claimed = readFile({ filename: 'x.html', mediaType: 'text/html', pieces: [base64(Buffer.from(hex, 'hex'))] });
    expect(claimed.image).toEqual(facts);
  });

  test.each<[string, string]>([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['SVG after a GIF signature', 'GIF<svg onload=alert(1)>'],
    ['HTML', '<!DOCTYPE html><script>alert(1)</script>'],
    ['PDF', '%PDF-1.7'],
    ['BMP', 'BM000000000000000000000000'],
    ['ICO', '\u0000\u0000\u0001\u0000'],
    ['a truncated PNG', '\x89PNG'],
    ['nothing', ''],
  ])('XSS-1: never renders %s, whatever its declared type', (_what, content) => {
    expect(readFile({ mediaType: 'image/png', pieces: [base64(content)] }).image).toBeNull();
  });

  test('does not render an image that would exhaust memory', () => {
    const bomb = Buffer.from(pictures['image/png'], 'hex');
    bomb.writeUInt32BE(100_000, 16);
    bomb.writeUInt32BE(100_000, 20);
    expect(readImage(bomb)).toBeNull();
  });

  test('reads a truncated image without an error', () => {
    for (const hex of Object.values(pictures)) {
      const bytes = Buffer.from(hex, 'hex');
      for (let end = 0; end <= bytes.length; end++) expect(() => readImage(bytes.subarray(0, end))).not.toThrow();
    }
  });

  test.each([
    ['report.md', 'report.md'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['C:\\x\\y.exe', 'C__x_y.exe'],
    ['.bashrc', 'bashrc'],
    ['evil\u202efdp.exe', 'evilfdp.exe'],
    ['a\u0000b\nc.txt', 'ab c.txt'],
    ['', 'file'],
    ['...', 'file'],
    ['x'.repeat(300), 'x'.repeat(120)],
  ])('XSS-3: saves %j as %j', (name, saved) => {
    expect(safeFileName(name)).toBe(saved);
  });
});

describe('XSS-3: text with invisible characters', () => {
  test.each([
    ['invoice\u202egpj.exe', 'invoice‹U+202E›gpj.exe'],
    ['pay\u200bpal', 'pay‹U+200B›pal'],
    ['a\u2066b\u2069c', 'a‹U+2066›b‹U+2069›c'],
    ['a\u0000b\u001b[31m', 'a‹U+0000›b‹U+001B›[31m'],
    ['pay\u200dpal', 'pay‹U+200D›pal'],
    ['a\u{e0041}b', 'a‹U+E0041›b'],
    ['\ufeffname', '‹U+FEFF›name'],
    ['👩‍💻 family', '👩‍💻 family'],
    ['می‌خواهم', 'می‌خواهم'],
    ['שלום', 'שלום'],
    ['Zoë', 'Zoë'],
  ])('shows each invisible character by its code: %j', (name, marked) => {
    expect(revealInvisible(name)).toBe(marked);
  });

  test('is split without losing any part', () => {
    const name = 'a\u202eb\u200bc';
    expect(splitInvisible(name)).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'hidden', code: 'U+202E' },
      { kind: 'text', text: 'b' },
      { kind: 'hidden', code: 'U+200B' },
      { kind: 'text', text: 'c' },
    ]);
  });

  test('shows invisible characters as escapes in JSON, which remains equivalent', () => {
    const value = { 'k\u202e': ['a\u200bb', 'c\nd', 'e"f', '\u{e0041}'] };
    const json = JSON.stringify(value, null, 2);
    expect(JSON.parse(escapeInvisible(json))).toEqual(JSON.parse(json));
    expect(toDisplayedJson(JSON.parse(json))).toEqual({
      'k\\u202e': ['a\\u200bb', 'c\\nd', 'e\\"f', '\\udb40\\udc41'],
    });
  });

  test('can have a member called __proto__, which is treated like any other', () => {
    const shown = toDisplayedJson(JSON.parse('{"__proto__": {"polluted": true}}'));
    expect(Object.keys(shown as object)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(shown)).toBe(Object.prototype);
  });
});

describe('the remaining time', () => {
  const t = createTranslator({ locale: 'en', messages: texts, namespace: 'payments.timeLeft' });

  test.each([
    [900, '1 second'],
    [59_000, '59 seconds'],
    [60_000, '1 minute'],
    [872_000, '14 minutes'],
    [3_900_000, '1 hour 5 minutes'],
    [90_000_000, '1 day 1 hour'],
    [273_600_000, '3 days 4 hours'],
  ])('for %d ms is %s', (ms, text) => {
    expect(timeLeft(ms, t)).toBe(text);
  });
});
