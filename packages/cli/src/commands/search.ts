import type { Session } from '../session.js';
import { plainLine } from '../terminal.js';

export interface SearchOptions {
  limit: number;
  tag?: string[];
  json?: boolean;
}

interface Page {
  items: { slug: string; name: string; description: string; tags: string[]; badges: string[] }[];
  total: number;
  nextCursor: string | null;
}

/** Prints the matching agents, best first. */
export async function search(session: Session, query: string, { limit, tag = [], json }: SearchOptions): Promise<void> {
  const { terminal } = session;
  const asked = new URLSearchParams([['q', query], ['limit', String(limit)], ...tag.map((name) => ['tag', name])]);
  const page = await session.callOpenly<Page>(`/api/agents?${asked}`);
  if (json) {
    terminal.print(JSON.stringify(page));
    return;
  }
  const width = Math.max(0, ...page.items.map(({ slug }) => slug.length));
  for (const { slug, name, description } of page.items) {
    terminal.print(`${terminal.paint('bold', slug.padEnd(width))}  ${plainLine(name)}: ${plainLine(description)}`);
  }
  if (page.items.length === 0) terminal.say('No agent matches. Try fewer or other words.');
  else if (page.total > page.items.length) terminal.say(`${page.items.length} of ${page.total}; more with --limit.`);
}
