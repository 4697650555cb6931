import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toActionPart } from '@/lib/protocol/a2ui/actions/action-part';
import { actionOf } from '@/lib/protocol/a2ui/actions/surface-action';
import { noSurfaces, placePart } from '@/lib/protocol/a2ui/messages/place-surfaces';
import type { Surface } from '@/lib/protocol/a2ui/messages/surface';
import { Budget } from '@/lib/protocol/a2ui/values/budget';
import { evaluate } from '@/lib/protocol/a2ui/values/evaluate';
import { formatDate } from '@/lib/protocol/a2ui/values/format-date';
import { buildView } from '@/lib/protocol/a2ui/view/build-view';
import { allNodes, faultsBefore, imagesIn, textWithin } from '@/lib/protocol/a2ui/view/inspect-view';
import { withEntries, withEntry } from '@/lib/protocol/a2ui/view/person-entries';
import type { ViewNode } from '@/lib/protocol/a2ui/view/surface-view';
import type { JsonObject, JsonValue } from '@/lib/protocol/json';
import { MAX_A2UI_DEPTH, MAX_A2UI_NODES } from '@/lib/protocol/limits';

const here = { locale: 'en-US', timeZone: 'UTC' };

function surfaceOf(components: JsonObject[], dataModel: JsonObject = {}, more: JsonObject = {}): Surface {
  const data = { version: 'v1.0', createSurface: { surfaceId: 's', components, dataModel, ...more } };
  const found = placePart(noSurfaces, { turn: 't', position: 'p', data }).active.get('s');
  if (!found) throw new Error('no surface');
  return found.surface;
}

function view(components: JsonObject[], dataModel: JsonObject = {}): { root: ViewNode; isCut: boolean } {
  const surface = surfaceOf(components, dataModel);
  const { root, isCut } = buildView(surface, surface.data, here);
  if (!root) throw new Error('no root');
  return { root, isCut };
}

const value = (expression: JsonValue, data: JsonValue = {}, more = {}) =>
  evaluate(expression, { data, base: [], index: null, budget: new Budget(), ...here, ...more });
const format = (text: string, data: JsonValue = {}) => value({ call: 'formatString', args: { value: text } }, data);

describe('values', () => {
  test('are literals, paths and functions, relative to the element of a template', () => {
    const data = { user: { 'a/b': 'x' }, list: [{ n: 1 }, { n: 2 }] };
    expect(value('text')).toBe('text');
    expect(value({ path: '/user/a~1b' }, data)).toBe('x');
    expect(value({ path: 'n' }, data, { base: ['list', '1'] })).toBe(2);
    expect(value({ path: '/missing/x' }, data)).toBeUndefined();
    expect(value({ path: '/list/length' }, data)).toBeUndefined();
    expect(value({ path: '/user/constructor' }, data)).toBeUndefined();
    expect(value({ call: '@index', args: { offset: 1 } }, data, { index: 4 })).toBe(5);
  });

  test('are put into texts', () => {
    const data = { name: 'Ada', n: 3, price: 1234.5, day: '2026-03-01', list: [1] };
    expect(format(`Hello \${/name}, \${/n} of \${/list}`, data)).toBe('Hello Ada, 3 of [1]');
    expect(format(`\${formatCurrency(value: \${/price}, currency: 'EUR')}`, data)).toBe('€1,234.50');
    expect(format(`\${formatDate(value: \${/day}, format: 'EEE, d MMM yyyy')}`, data)).toBe('Sun, 1 Mar 2026');
    expect(format(`\${pluralize(value: \${/n}, one: 'seat', other: 'seats')}`, data)).toBe('seats');
    expect(format(`\\\${/name} \${unknown(x: 1)}\${/none}!`, data)).toBe(`\${/name} !`);
    expect(format(`open \${/name`, data)).toBe(`open \${/name`);
  });

  test.each([
    ['2026-03-01T18:05:09', "HH:mm:ss 'h' h:mm a", '18:05:09 h 6:05 PM'],
    ['18:05', 'H:mm', '18:05'],
    ['2026-12-24', 'EEEE MMMM dd yy', 'Thursday December 24 26'],
    ['not a date', 'yyyy', 'not a date'],
  ])('the date %s as %s is %s', (text, pattern, shown) => {
    expect(formatDate(text, pattern, here)).toBe(shown);
  });

  test('of checks are those of the catalog; a pattern that is slow to run is not run', () => {
    const check = (call: string, args: JsonObject) => value({ call, args });
    expect(check('required', { value: '' })).toBe(false);
    expect(check('email', { value: 'ada@example.com' })).toBe(true);
    expect(check('email', { value: 'ada' })).toBe(false);
    expect(check('length', { value: 'abc', min: 4 })).toBe(false);
    expect(check('numeric', { value: 12, max: 10 })).toBe(false);
    expect(check('regex', { value: 'ab1', pattern: '^[a-z]+$' })).toBe(false);
    expect(check('regex', { value: `${'a'.repeat(200)}!`, pattern: '^(a+)+$' })).toBe(true);
    expect(check('and', { values: [true, { path: '/no' }] })).toBe(false);
    expect(check('or', { values: [false, true] })).toBe(true);
    expect(check('not', { value: false })).toBe(true);
    expect(check('constructor', {})).toBeUndefined();
  });

  test('of any JSON and any text are found without an error', () => {
    const deep = Array.from({ length: 60 }).reduce<JsonValue>(
      (inner) => ({ call: 'not', args: { value: inner } }),
      true,
    );
    expect(() => value(deep)).not.toThrow();
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: fc.constantFrom(...`\${}()/\\'",:ab1@ `) }), (json, text) => {
        value(json as JsonValue, json as JsonValue);
        expect(typeof format(text)).toBe('string');
      }),
      { numRuns: 500 },
    );
  });
});

const root = (children: JsonValue) => ({ id: 'root', component: 'Column', children });

describe('a view', () => {
  test('contains every component of the catalog with its values', () => {
    const { root: found } = view(
      [
        root(['text', 'image', 'icon', 'video', 'tabs', 'modal', 'field', 'check', 'choice', 'slider', 'date', 'gone']),
        { id: 'text', component: 'Text', text: 'Hi', variant: 'h2' },
        { id: 'image', component: 'Image', url: 'https://example.com/a.png', description: 'A' },
        { id: 'icon', component: 'Icon', name: 'star' },
        { id: 'video', component: 'Video', url: 'https://example.com/v' },
        { id: 'tabs', component: 'Tabs', tabs: [{ title: 'One', child: 'text' }] },
        { id: 'modal', component: 'Modal', trigger: 'text', content: 'icon' },
        { id: 'field', component: 'TextField', label: 'Name', value: { path: '/name' }, variant: 'longText' },
        { id: 'check', component: 'CheckBox', label: 'Yes', value: { path: '/yes' } },
        {
          ...{ id: 'choice', component: 'ChoicePicker', value: { path: '/chosen' }, displayStyle: 'chips' },
          options: [
            { label: 'A', value: 'a' },
            { label: 'B', value: 'b' },
            { label: 'again', value: 'a' },
          ],
        },
        { id: 'slider', component: 'Slider', value: { path: '/n' }, min: 1, max: 9 },
        { id: 'date', component: 'DateTimeInput', value: { path: '/at' }, enableDate: true, enableTime: true },
      ],
      { name: 'Ada', yes: true, chosen: ['b'], n: 12, at: '2026-03-01T18:00:00Z' },
    );
    const [, text, image, icon, video, tabs, , modal, , , field, check, choice, slider, date, gone] = allNodes(found);
    expect(text).toMatchObject({ kind: 'text', text: 'Hi', style: 'h2' });
    expect(image).toMatchObject({ kind: 'image', alt: 'A', size: 'mediumFeature' });
    expect(icon).toMatchObject({ kind: 'icon', icon: 'star' });
    expect(video).toMatchObject({ kind: 'media', type: 'video' });
    expect(tabs).toMatchObject({ kind: 'tabs', tabs: [{ title: 'One' }] });
    expect(modal).toMatchObject({ kind: 'modal' });
    expect(field).toMatchObject({ kind: 'text-field', value: 'Ada', path: ['name'], variant: 'longText' });
    expect(check).toMatchObject({ kind: 'check-box', value: true });
    expect(choice).toMatchObject({
      kind: 'choice',
      value: ['b'],
      isChips: true,
      options: [{ label: 'A' }, { label: 'B' }],
    });
    expect(slider).toMatchObject({ kind: 'slider', value: 9, min: 1, max: 9 });
    expect(date).toMatchObject({ kind: 'date-time', type: 'datetime-local', value: '2026-03-01T18:00' });
    expect(gone).toMatchObject({ kind: 'missing' });
    expect(imagesIn(found)).toBe(1);
  });

  test('repeats a template for each element, with its own paths', () => {
    const { root: found } = view(
      [root({ componentId: 'item', path: '/list' }), { id: 'item', component: 'Text', text: { path: 'name' } }],
      { list: [{ name: 'a' }, { name: 'b' }] },
    );
    expect(textWithin(found)).toBe('a b');
    expect(allNodes(found).map(({ base }) => base)).toEqual([[], ['list', '0'], ['list', '1']]);
  });

  test('of an unknown component shows its texts and children, but no address, style or code', () => {
    const props = {
      title: 'Map',
      html: '<b>',
      script: 'alert(1)',
      url: 'https://evil.example',
      style: 'x',
      child: 'in',
    };
    const { root: found } = view([
      { id: 'root', component: 'GoogleMap', ...props },
      { id: 'in', component: 'Text', text: 'inside' },
    ]);
    expect(found).toMatchObject({ kind: 'unknown', type: 'GoogleMap', texts: ['Map'] });
    expect(textWithin(found)).toBe('inside');
  });

  test('never contains a field for a secret', () => {
    const { root: found } = view([{ id: 'root', component: 'TextField', label: 'Password', variant: 'obscured' }]);
    expect(found.kind).toBe('secret');
  });

  test('ends at a cycle, at the deepest level, and at the largest number of components', () => {
    const cyclic = view([root(['a']), { id: 'a', component: 'Card', child: 'root' }]);
    expect(allNodes(cyclic.root).map(({ kind }) => kind)).toEqual(['column', 'card', 'cut']);
    expect(cyclic.isCut).toBe(true);
    const chain = Array.from({ length: 200 }, (_, index) => ({
      id: index === 0 ? 'root' : `c${index}`,
      component: 'Card',
      child: `c${index + 1}`,
    }));
    expect(allNodes(view(chain).root).length).toBe(MAX_A2UI_DEPTH + 1);
    const wide = Array.from({ length: 40 }, (_, index) => ({
      id: index === 0 ? 'root' : `c${index}`,
      component: 'Column',
      children: Array.from({ length: 40 }, () => `c${index + 1}`),
    }));
    const bomb = view(wide);
    expect(allNodes(bomb.root).length).toBeLessThanOrEqual(MAX_A2UI_NODES + MAX_A2UI_DEPTH);
    expect(bomb.isCut).toBe(true);
    const list = Array.from({ length: 5_000 }, (_, n) => ({ n }));
    const template = view([root({ componentId: 'x', path: '/list' }), { id: 'x', component: 'Text', text: 'x' }], {
      list,
    });
    expect(allNodes(template.root).length).toBeLessThanOrEqual(MAX_A2UI_NODES + 2);
  });

  test('of any components is built without an error', () => {
    const id = fc.constantFrom('root', 'a', 'b', 'c');
    const type = fc.constantFrom(
      'Text',
      'Row',
      'Card',
      'Tabs',
      'Modal',
      'Button',
      'ChoicePicker',
      'Slider',
      'DateTimeInput',
      'X',
    );
    const names = fc.constantFrom(
      'children',
      'child',
      'text',
      'value',
      'options',
      'tabs',
      'action',
      'checks',
      'max',
      'trigger',
    );
    const prop = fc.oneof(
      fc.jsonValue(),
      id,
      fc.array(id),
      fc.constant({ path: '/a' }),
      fc.constant({ componentId: 'a', path: '/' }),
    );
    const component = fc
      .tuple(id, type, fc.dictionary(names, prop))
      .map(([name, kind, props]) => ({ ...props, id: name, component: kind }) as JsonObject);
    fc.assert(
      fc.property(fc.array(component, { maxLength: 12 }), fc.jsonValue(), (components, data) => {
        const surface = surfaceOf(components);
        const { root: found } = buildView(surface, data as JsonValue, here);
        if (found) expect(allNodes(found).length).toBeLessThan(3 * MAX_A2UI_NODES);
      }),
      { numRuns: 300 },
    );
  });
});

const button = (context: JsonObject, more: JsonObject = {}) => ({
  ...{ id: 'go', component: 'Button', child: 'label', action: { event: { name: 'book', context } }, ...more },
});

describe('an action', () => {
  const components = [
    root(['name', 'go']),
    {
      id: 'name',
      component: 'TextField',
      label: 'Name',
      value: { path: '/name' },
      checks: [{ call: 'required', message: 'Your name?' }],
    },
    button({ name: { path: '/name' }, fixed: 1 }),
    { id: 'label', component: 'Text', text: 'Book' },
  ];

  test('reports the values at the time of the press, and the data only if the agent asked for it', () => {
    for (const sendDataModel of [false, true]) {
      const surface = surfaceOf(components, { name: 'A' }, { sendDataModel });
      const data = withEntries(surface, withEntry([], { path: ['name'], value: 'Ada', since: surface.writes.length }));
      const now = new Date('2026-03-01T10:00:00Z');
      const action = actionOf({ surface, node: { id: 'go', base: [], index: null }, data, label: 'Book', now }, here);
      expect(action?.message).toEqual({
        version: 'v1.0',
        action: {
          ...{ name: 'book', surfaceId: 's', sourceComponentId: 'go', timestamp: '2026-03-01T10:00:00.000Z' },
          context: { name: 'Ada', fixed: 1 },
        },
      });
      expect(action?.metadata).toEqual(
        sendDataModel ? { a2uiRendererDataModel: { version: 'v1.0', surfaces: { s: { name: 'Ada' } } } } : undefined,
      );
    }
  });

  test('waits for the checks of the values that it sends, and of its button', () => {
    const surface = surfaceOf(components);
    const { root: found } = buildView(surface, surface.data, here);
    const go = found && allNodes(found).find((node) => node.id === 'go');
    if (!found || go?.kind !== 'button') throw new Error('no button');
    expect(faultsBefore(found, go, surface.components)).toBe(1);
    const filled = buildView(surface, { name: 'Ada' }, here).root;
    expect(filled && faultsBefore(filled, go, surface.components)).toBe(0);
  });

  test('keeps what the person entered until the agent writes the same location', () => {
    const entry = { path: ['name'], value: 'Ada', since: 0 };
    expect(withEntries({ data: { name: '' }, writes: [['other']] }, [entry])).toEqual({ name: 'Ada' });
    expect(withEntries({ data: { name: '' }, writes: [['name']] }, [entry])).toEqual({ name: '' });
    expect(withEntries({ data: { name: '' }, writes: [[]] }, [entry])).toEqual({ name: '' });
  });

  test('that is a message of the protocol becomes a part; another one, and a payment, do not', () => {
    const action = { name: 'a', surfaceId: 's', sourceComponentId: 'c', timestamp: 't', context: {} };
    const part = toActionPart({ label: 'Go', message: { version: 'v1.0', action, extra: 1 } });
    expect(part).toMatchObject({ part: { data: [{ version: 'v1.0', action }], mediaType: 'application/a2ui+json' } });
    expect(toActionPart({ label: 'Go', message: { userAction: action } })).toMatchObject({
      part: { data: { userAction: action } },
    });
    expect(toActionPart({ label: '', message: { version: 'v1.0', createSurface: {} } })).toMatchObject({
      fault: expect.stringContaining('expected'),
    });
    const payment = { 'ap2.mandates.PaymentMandate': { payment_mandate_contents: {} } };
    for (const context of [payment, { deep: [{ deeper: payment }] }]) {
      const message = { version: 'v1.0', action: { ...action, context } };
      expect(toActionPart({ label: '', message })).toMatchObject({ fault: expect.stringContaining('payment') });
    }
    const huge = { version: 'v1.0', action: { ...action, context: { a: 'x'.repeat(70_000) } } };
    expect(toActionPart({ label: '', message: huge })).toMatchObject({ fault: expect.stringContaining('too large') });
  });
});
