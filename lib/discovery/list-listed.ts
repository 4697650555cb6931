import { countListed, type ListedAgent, selectListed } from './store/listed';

/** Agents in one part of the sitemap; a part may hold 50,000 (sitemaps.org). */
const perPart = 10_000;

/** How many parts the list of all agents that everybody can find has: one at least. */
export async function countParts(): Promise<number> {
  return Math.max(1, Math.ceil((await countListed()) / perPart));
}

/** One part of that list, from 1 on; empty beyond the last. */
export async function listListed({ input }: { input: { part: number } }): Promise<ListedAgent[]> {
  return selectListed({ offset: (input.part - 1) * perPart, limit: perPart });
}
