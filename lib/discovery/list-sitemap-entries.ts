import { countSitemapEntries, type SitemapEntry, selectSitemapEntries } from './store/sitemap-entries';

/** Agents in one part of the sitemap; a part may hold 50,000 (sitemaps.org). */
const entriesPerPart = 10_000;

/** How many parts the list of all agents that everybody can find has: one at least. */
export async function countSitemapParts(): Promise<number> {
  return Math.max(1, Math.ceil((await countSitemapEntries()) / entriesPerPart));
}

/** One part of that list, from 1 on; empty beyond the last. */
export async function listSitemapEntries({ input }: { input: { part: number } }): Promise<SitemapEntry[]> {
  return selectSitemapEntries({ offset: (input.part - 1) * entriesPerPart, limit: entriesPerPart });
}
