import type { Command } from 'commander';
import { type CommandContext, collect, wholeNumber } from '../command-line.js';
import type { Session } from '../session.js';
import { plainLine } from '../terminal.js';

interface SearchOptions {
  limit: number;
  tag?: string[];
  json?: boolean;
}

type Fit = 'fits' | 'might_fit' | 'closest';

interface Item {
  slug: string;
  name: string;
  description: string;
  tags: string[];
  badges: string[];
  /** How well the agent fits; null without words. Absent from an older Parley. */
  fit?: Fit | null;
}

interface Page {
  items: Item[];
  total: number;
  nextCursor: string | null;
}

/** Prints the matching agents, best first. */
async function search(session: Session, query: string, { limit, tag = [], json }: SearchOptions): Promise<void> {
  const { terminal } = session;
  const asked = new URLSearchParams([['q', query], ['limit', String(limit)], ...tag.map((name) => ['tag', name])]);
  const page = await session.callOpenly<Page>(`/api/agents?${asked}`);
  if (json) {
    terminal.print(JSON.stringify(page));
    return;
  }
  const width = Math.max(0, ...page.items.map(({ slug }) => slug.length));
  let group: Fit = 'fits';
  for (const { slug, name, description, fit } of page.items) {
    if (fit && fit !== group) terminal.say(headings(page)[fit]);
    group = fit ?? group;
    terminal.print(`${terminal.paint('bold', slug.padEnd(width))}  ${plainLine(name)}: ${plainLine(description)}`);
  }
  if (page.items.length === 0) terminal.say('No matching agents. Try fewer or different words.');
  else if (page.total > page.items.length)
    terminal.say(`${page.items.length} of ${page.total} agents shown. To see more, use --limit.`);
}

/** Returns the heading of each group of results. Those that fit come first and need none. */
function headings({ items }: Page): Record<Fit, string> {
  const isWeak = items.every(({ fit }) => fit === 'closest');
  return {
    fits: 'Matches:',
    might_fit: 'Possible matches:',
    closest: isWeak ? 'Nothing fits. Closest matches:' : 'Other close matches:',
  };
}

/** Adds `parley search`. */
export function addSearch(program: Command, { act, all }: CommandContext): void {
  program
    .command('search')
    .description('find agents')
    .argument('[query...]', 'what the agent should do')
    .option('-l, --limit <n>', 'number of results, 1 to 100', wholeNumber(100), 10)
    .option('-t, --tag <tag>', 'only agents with this tag; can be repeated', collect)
    .action((words: string[], options: SearchOptions) =>
      act((session) => search(session, words.join(' '), all(options))),
    );
}
