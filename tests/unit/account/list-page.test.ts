import { describe, expect, it } from 'vitest';
import { pageOfList } from '@/components/forms/searchable-list';

const items = Array.from({ length: 60 }, (_, at) => `Agent ${at} of ${at % 2 === 0 ? 'Rome' : 'Milan'}`);
const pageFor = ({ q, page }: { q?: string | string[]; page?: string | string[] }) => {
  const query = { 'agents-q': q, 'agents-page': page, 'tokens-q': 'x', 'tokens-page': '2' };
  return pageOfList('/settings/connections#agents', items, { name: 'agents', query, textOf: (item) => item });
};

describe('a page of a settings list', () => {
  it('contains 25 items, and links to the first and the next page', () => {
    const first = pageFor({});
    expect([first.shown.length, first.firstHref, first.nextHref]).toEqual([
      25,
      null,
      '/settings/connections?agents-page=2#agents',
    ]);
    const last = pageFor({ page: '3' });
    expect([last.shown.length, last.firstHref, last.nextHref]).toEqual([10, '/settings/connections#agents', null]);
  });

  it('contains the items that match every search word in any case, and keeps the search in its links', () => {
    const found = pageFor({ q: ' rome AGENT ' });
    expect(found.shown.every((item) => item.endsWith('Rome'))).toBe(true);
    expect(found.nextHref).toBe('/settings/connections?agents-q=rome+AGENT&agents-page=2#agents');
    expect(pageFor({ q: 'Naples' }).shown).toEqual([]);
  });

  it.each(['0', '-1', '4', '1.5', 'x', '1e9', ['1', '2']])('falls back to the first page for the page %j', (page) => {
    expect(pageFor({ page }).shown).toEqual(items.slice(0, 25));
  });

  it('treats the search as plain text, not as a pattern', () => {
    for (const q of ['.*', '%', '\\', '[']) expect(pageFor({ q }).shown, q).toEqual([]);
    expect(pageFor({ q: ['a', 'b'] }).shown).toHaveLength(25);
  });

  it('offers a search if the list has at least eleven items', () => {
    const few = pageOfList('/x', items.slice(0, 10), { name: 'x', query: {}, textOf: String });
    expect([few.searchable, pageFor({}).searchable]).toEqual([false, true]);
  });
});
