import { afterEach, describe, expect, test, vi } from 'vitest';
import { noSurfaces, placePart } from '@/lib/protocol/a2ui/messages/place-surfaces';
import { Budget } from '@/lib/protocol/a2ui/values/budget';
import { evaluate } from '@/lib/protocol/a2ui/values/evaluate';
import { formatDate } from '@/lib/protocol/a2ui/values/format-date';
import { buildView } from '@/lib/protocol/a2ui/view/build-view';
import type { JsonObject } from '@/lib/protocol/json';
import { MAX_A2UI_CHARACTERS, MAX_A2UI_DATE_SYMBOLS, MAX_A2UI_SIZE, MAX_A2UI_WORK } from '@/lib/protocol/limits';

const here = { locale: 'en-US', timeZone: 'UTC' };

/** Builds a list of 900 elements, each displayed by one component. */
function view(item: JsonObject, dataModel: JsonObject = {}) {
  const components = [
    { id: 'root', component: 'Column', children: { componentId: 'item', path: '/list' } },
    { id: 'item', ...item },
  ];
  const list = Array.from({ length: 900 }, () => 0);
  const createSurface = { surfaceId: 's', components, dataModel: { list, ...dataModel } };
  const placed = placePart(noSurfaces, { turn: 't', position: 'p', data: { version: 'v1.0', createSurface } });
  const surface = placed.active.get('s')?.surface;
  if (!surface) throw new Error('no surface');
  return buildView(surface, surface.data, here);
}

const format = (text: string): unknown =>
  evaluate(
    { call: 'formatString', args: { value: text } },
    { data: {}, base: [], index: null, budget: new Budget(), ...here },
  );

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the cost of a view', () => {
  test('of dates with long patterns is limited, and their formatters are made once', () => {
    const parts = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    const text = `\${formatDate(value:'2026-03-01',format:'${'dM'.repeat(150)}')}`.repeat(50);
    expect(view({ component: 'Text', text: { call: 'formatString', args: { value: text } } }).isCut).toBe(true);
    expect(parts.mock.calls.length).toBeLessThanOrEqual((MAX_A2UI_WORK / 300) * MAX_A2UI_DATE_SYMBOLS);
    expect(new Set(parts.mock.contexts).size).toBe(2);
  });

  test('of texts of large data is limited', () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    const text = `\${length(value: \${/big}, min: 1)}`.repeat(100);
    const big = Array.from({ length: 100_000 }, () => 0);
    expect(view({ component: 'Text', text: { call: 'formatString', args: { value: text } } }, { big }).isCut).toBe(
      true,
    );
    const written = stringify.mock.results.filter(({ value }) => String(value).length > 100_000);
    expect(written.length).toBeGreaterThan(0);
    expect(written.length).toBeLessThanOrEqual(2 * (MAX_A2UI_CHARACTERS / 200_000 + 2));
    expect(JSON.stringify(big).length).toBeLessThan(MAX_A2UI_SIZE);
  });

  test('of choices, and of values without a function, is limited', () => {
    const options = Array.from({ length: 1_000 }, (_, index) => ({ label: { path: '/list/0' }, value: `${index}` }));
    expect(view({ component: 'ChoicePicker', options, value: [] }).isCut).toBe(true);
    const title = Array.from({ length: 1_000 }, () => ({ path: '/list/0' }));
    expect(view({ component: 'Unknown', title }).isCut).toBe(true);
  });

  test('that is usual is within the limits', () => {
    const text = `\${formatDate(value: '2026-03-01', format: 'EEE, d MMM yyyy')} \${formatNumber(value: 3)}`;
    expect(view({ component: 'Text', text: { call: 'formatString', args: { value: text } } }).isCut).toBe(false);
  });

  test('a pattern of a date has at most twenty symbols', () => {
    expect(formatDate('2026-03-01', 'd.'.repeat(30), here)).toBe('1.'.repeat(20) + '.'.repeat(10));
  });
});

describe('an expression', () => {
  test.each([
    ['calls', `\${${'not('.repeat(3_900)}`, ')'.repeat(3_900)],
    ['calls without an end', `\${${'a('.repeat(9_900)}`, ''],
    ['named arguments', `\${${'not(value:'.repeat(1_700)}`, ')'.repeat(1_700)],
  ])('that nests %s too deeply is empty', (_name, open, close) => {
    expect(format(`a${open}true${close}}b`)).toBe('ab');
  });

  test('that nests calls and braces too deeply is read without an error', () => {
    expect(typeof format(`\${${`not(\${`.repeat(2_000)}true${'})'.repeat(2_000)}}`)).toBe('string');
  });

  test('may nest calls up to the limit', () => {
    expect(format(`\${${'not('.repeat(8)}true${')'.repeat(8)}}`)).toBe('true');
  });
});
