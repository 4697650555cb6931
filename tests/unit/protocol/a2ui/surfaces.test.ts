import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noSurfaces, type Placement, placePart, surfacesAt } from '@/lib/protocol/a2ui/messages/place-surfaces';
import { readMessages } from '@/lib/protocol/a2ui/messages/read-messages';
import type { JsonValue } from '@/lib/protocol/json';
import { MAX_A2UI_COMPONENTS, MAX_A2UI_MESSAGES, MAX_A2UI_SURFACES } from '@/lib/protocol/limits';

const create = (surfaceId: string, more = {}) => ({ version: 'v1.0', createSurface: { surfaceId, ...more } });
const update = (surfaceId: string, components: object[]) => ({
  version: 'v1.0',
  updateComponents: { surfaceId, components },
});
const write = (surfaceId: string, path: string, value: JsonValue) => ({
  version: 'v1.0',
  updateDataModel: { surfaceId, path, value },
});
const remove = (surfaceId: string) => ({ version: 'v1.0', deleteSurface: { surfaceId } });
const text = (id: string, words: string) => ({ id, component: 'Text', text: words });

function place(...parts: [turn: string, position: string, data: object][]): Placement {
  return parts.reduce(
    (placement, [turn, position, data]) => placePart(placement, { turn, position, data: data as JsonValue }),
    noSurfaces,
  );
}

function surface(placement: Placement, id = 's') {
  const found = placement.active.get(id);
  if (!found) throw new Error(`no surface ${id}`);
  return found.surface;
}

describe('the messages of a surface', () => {
  test('apply in order, whether they arrive in one part or in many', () => {
    const messages = [
      create('s'),
      update('s', [text('root', 'a')]),
      write('s', '/user/name', 'Ada'),
      write('s', '/list/0', 'x'),
      update('s', [text('root', 'b'), text('more', 'c')]),
      write('s', '/user', null),
    ];
    const together = surface(place(['t', 'p', messages]));
    const apart = surface(place(...messages.map((one) => ['t', 'p', one] as [string, string, object])));
    expect(together).toEqual(apart);
    expect(together.data).toEqual({ list: ['x'] });
    expect([...together.components.values()].map(({ props }) => props.text)).toEqual(['b', 'c']);
  });

  test('of which one is invalid are otherwise applied, and the part is marked', () => {
    const invalid = [
      { version: 'v1.0' },
      { version: 'v7', createSurface: {} },
      'x',
      null,
      { ...create('s'), deleteSurface: {} },
    ];
    const placement = place(['t', 'p', [...invalid, create('s'), update('s', [text('root', 'a')])]]);
    expect(surface(placement).components.size).toBe(1);
    expect([...placement.cut]).toEqual(['p']);
  });

  test('for a surface that does not exist or was deleted change nothing', () => {
    const placement = place(
      ['t', 'p', [update('s', [text('root', 'a')]), write('s', '/a', 1)]],
      ['t', 'p', [create('s'), remove('s'), update('s', [text('root', 'late')]), write('s', '/a', 1)]],
    );
    expect(surface(placement)).toMatchObject({ isDeleted: true, data: {} });
    expect(surface(placement).components.size).toBe(0);
  });

  test('create a surface once; the same id in a later turn is another surface, and the first stays as it was', () => {
    const placement = place(
      ['1', 'p1', [create('s'), update('s', [text('root', 'first')]), create('s')]],
      ['2', 'p2', [create('s'), update('s', [text('root', 'second')])]],
    );
    const [first] = surfacesAt(placement, 'p1');
    const [second] = surfacesAt(placement, 'p2');
    expect(first?.surface.components.get('root')?.props.text).toBe('first');
    expect(second?.surface.components.get('root')?.props.text).toBe('second');
    expect(first?.key).not.toBe(second?.key);
  });

  test('move a surface to the turn that changes it, and leave a note where it was', () => {
    const placement = place(
      ['1', 'p1', [create('s'), update('s', [text('root', 'a')])]],
      ['2', 'p2', write('s', '/a', 1)],
      ['2', 'p3', write('s', '/b', 2)],
    );
    expect(surfacesAt(placement, 'p1')).toEqual([]);
    expect(surfacesAt(placement, 'p2')).toHaveLength(1);
    expect(surfacesAt(placement, 'p3')).toEqual([]);
    expect([...placement.moved]).toEqual(['p1']);
  });

  test('of the deletion leave the surface where it was', () => {
    const placement = place(['1', 'p1', [create('s')]], ['2', 'p2', remove('s')]);
    expect(surfacesAt(placement, 'p1')[0]?.surface.isDeleted).toBe(true);
  });

  test('of 1.0 may bring components and data with the creation, with or without marks', () => {
    const components = [{ id: 'root', component: 'Text', text: { '@path': '/a' }, '@accessibility': { label: 'A' } }];
    const marked = { version: '1.0', createSurface: { surfaceId: 's', components, dataModel: { a: 1 } } };
    const { components: read, data, wireVersion } = surface(place(['t', 'p', marked]));
    expect(read.get('root')?.props).toEqual({ text: { path: '/a' }, accessibility: { label: 'A' } });
    expect({ data, wireVersion }).toEqual({ data: { a: 1 }, wireVersion: '1.0' });
  });

  test('of 0.9 remove a value by omitting it; null is a value', () => {
    const v9 = (body: object) => ({ version: 'v0.9', updateDataModel: { surfaceId: 's', ...body } });
    const messages = [
      { version: 'v0.9.1', createSurface: { surfaceId: 's', catalogId: 'c' } },
      v9({ value: { a: 1, b: 2 } }),
      v9({ path: '/a' }),
      v9({ path: '/b', value: null }),
    ];
    expect(surface(place(['t', 'p', messages])).data).toEqual({ b: null });
  });

  test('of 0.8 are read as those of later versions, and shown once rendering begins', () => {
    const messages = [
      {
        surfaceUpdate: {
          surfaceId: 's',
          components: [
            { id: 'top', component: { Column: { children: { explicitList: ['name', 'go'] } } } },
            {
              id: 'name',
              weight: 2,
              component: { TextField: { label: { literalString: 'Name' }, text: { path: '/n' } } },
            },
            {
              id: 'go',
              component: {
                Button: {
                  child: 'label',
                  primary: true,
                  action: { name: 'go', context: [{ key: 'n', value: { path: '/n' } }] },
                },
              },
            },
          ],
        },
      },
      {
        dataModelUpdate: {
          surfaceId: 's',
          contents: [
            { key: 'n', valueString: 'Ada' },
            { key: 'm', valueMap: [{ key: 'x', valueNumber: 1 }] },
          ],
        },
      },
    ];
    const before = place(['t', 'p', messages]);
    expect(surfacesAt(before, 'p')).toEqual([]);
    const after = surface(
      placePart(before, { turn: 't', position: 'p', data: { beginRendering: { surfaceId: 's', root: 'top' } } }),
    );
    expect(after).toMatchObject({ root: 'top', isShown: true, data: { n: 'Ada', m: { x: 1 } }, version: '0.8' });
    expect(after.components.get('top')?.props).toEqual({ children: ['name', 'go'] });
    expect(after.components.get('name')?.props).toMatchObject({ label: 'Name', value: { path: '/n' }, weight: 2 });
    expect(after.components.get('go')?.props).toMatchObject({
      ...{ variant: 'primary', child: 'label' },
      action: { event: { name: 'go', context: { n: { path: '/n' } } } },
    });
  });
});

describe('bad input', () => {
  test('10,000 components, surfaces and messages end at the limits, and the surface says so', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => text(`c${index}`, 'x'));
    const cut = surface(place(['t', 'p', [create('s'), update('s', many)]]));
    expect(cut.components.size).toBe(MAX_A2UI_COMPONENTS);
    expect(cut.isCut).toBe(true);
    const surfaces = Array.from({ length: 400 }, (_, index) => create(`s${index}`));
    expect(place(['t', 'p', surfaces]).active.size).toBe(MAX_A2UI_SURFACES);
    const messages = Array.from({ length: 10_000 }, () => write('s', '/a', 1));
    expect(readMessages(messages).operations).toHaveLength(MAX_A2UI_MESSAGES);
  });

  test('a huge data model, at once or in many writes, is not kept', () => {
    const huge = 'x'.repeat(400_000);
    const once = surface(place(['t', 'p', [create('s'), write('s', '/a', huge), write('s', '/', { huge })]]));
    expect(once).toMatchObject({ data: {}, isCut: true });
    const writes = Array.from({ length: 400 }, (_, index) => write('s', `/k${index}`, 'x'.repeat(4_000)));
    const often = surface(place(['t', 'p', [create('s'), ...writes]]));
    expect(JSON.stringify(often.data).length).toBeLessThan(300_000);
    expect(often.isCut).toBe(true);
  });

  test('a duplicate id replaces the component before it', () => {
    const { components } = surface(
      place(['t', 'p', [create('s'), update('s', [text('root', 'a'), text('root', 'b')])]]),
    );
    expect([...components.values()].map(({ props }) => props.text)).toEqual(['b']);
  });

  test.each([
    '/__proto__/polluted',
    '/constructor/prototype/polluted',
    '/a/__proto__',
    '__proto__/x',
    '/a/prototype/b',
  ])('the path %s is refused, and no prototype changes', (path) => {
    const placement = place(['t', 'p', [create('s'), write('s', path, true)]]);
    expect(surface(placement).data).toEqual({});
    expect([...placement.cut]).toEqual(['p']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('any JSON is read without an error, and a second pass over the same parts gives the same surfaces', () => {
    const member = fc.constantFrom(
      'surfaceId',
      'components',
      'path',
      'value',
      'id',
      'component',
      'root',
      'contents',
      '__proto__',
    );
    const names = fc.constantFrom(
      'createSurface',
      'updateComponents',
      'updateDataModel',
      'deleteSurface',
      'surfaceUpdate',
    );
    const body = fc.dictionary(member, fc.oneof(fc.jsonValue(), fc.constantFrom('s', '/a/b', '/0', 'root')));
    const message = fc
      .tuple(names, body)
      .map(([name, value]) => ({ version: 'v1.0', [name]: { surfaceId: 's', ...value } }));
    const parts = fc.array(fc.array(fc.oneof(message, fc.jsonValue()), { maxLength: 8 }), { maxLength: 6 });
    fc.assert(
      fc.property(parts, (all) => {
        const list = all.map((data, index) => [String(index % 2), String(index), data] as [string, string, object]);
        const [one, other] = [place(...list), place(...list)];
        expect(one).toEqual(other);
        for (const { surface: found } of one.active.values()) expect(found.components.size).toBeLessThanOrEqual(1_000);
      }),
      { numRuns: 300 },
    );
  });
});
