import { describe, expect, test } from 'vitest';
import { catalogHref, readCatalogQuery, toggled } from '@/components/market/listing/catalog-url';

function paramsOf(href: string): Record<string, string[]> {
  const { searchParams } = new URL(href, 'https://parley.test');
  return Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]));
}

describe('the catalog’s URL', () => {
  test('contains the whole query and parses back to the same query', () => {
    const query = readCatalogQuery({
      q: ' pizza & wine ',
      tag: ['Food', 'food', 'delivery'],
      capability: 'payments',
      sort: 'newest',
      limit: '50',
    });
    expect(query).toMatchObject({ q: 'pizza & wine', tag: ['food', 'delivery'], sort: 'newest', limit: 50 });
    expect(readCatalogQuery(paramsOf(catalogHref(query)))).toEqual(query);
  });

  test('has no parameters for the default catalog', () => {
    expect(catalogHref(readCatalogQuery({}))).toBe('/agents');
  });

  test('returns to the first page if any parameter except the cursor changes', () => {
    const query = readCatalogQuery({ q: 'csv', cursor: 'abc' });
    expect(catalogHref(query, { sort: 'name' })).toBe('/agents?q=csv&sort=name');
    expect(catalogHref(query, { cursor: 'def' })).toBe('/agents?q=csv&cursor=def');
  });

  test('uses defaults for each invalid part', () => {
    const query = readCatalogQuery({
      q: 'x'.repeat(600),
      tag: ['', 'y'.repeat(41), 'kept'],
      capability: ['teleport', 'streaming'],
      sort: 'loudest',
      limit: '-1',
      cursor: 'z'.repeat(5_000),
    });
    expect(query).toEqual({
      q: 'x'.repeat(512),
      tag: ['kept'],
      capability: ['streaming'],
      sort: 'relevance',
      limit: 24,
      cursor: undefined,
    });
  });
});

test('a second click on a catalog filter removes it', () => {
  expect(toggled(['a'], 'b')).toEqual(['a', 'b']);
  expect(toggled(['a', 'b'], 'b')).toEqual(['a']);
});
