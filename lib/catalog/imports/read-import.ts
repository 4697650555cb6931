import { authorize } from '../../identity';
import { consume } from '../../limits';
import type { Ctx } from '../../platform/context';
import { hasCode } from '../../platform/errors';
import { checkExternalUrl } from '../../platform/http-client/safe-fetch';
import { readCatalog } from '../../protocol/catalogs/read-catalog';
import { toExternalUrl } from '../cards/card-location';
import { IMPORT_TIMEOUT_MS, MAX_IMPORT_ENTRIES, MAX_IMPORT_PAGES } from '../limits';
import { IMPORT_LIMIT } from '../rate-limits';
import type { ImportList, ImportSource } from '../schema-imports';
import { collectEntries, type Source } from './collect-entries';
import { catalogUnreadable, fetchDocument, readDocument } from './fetch-document';

/**
 * Reads a list of agents: its entries with the addresses to check and list, and the errors of the others. Fetches the
 * list, its next pages and lists in it, but no card.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`, `url_refused`, `catalog_unreadable`
 */
export async function readImport({ ctx, input }: { ctx: Ctx; input: ImportSource }): Promise<ImportList> {
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  const url = input.url === undefined ? null : toExternalUrl(input.url);
  await consume(IMPORT_LIMIT, user.userId, ctx.now);
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(IMPORT_TIMEOUT_MS)]);
  const source = url === null ? readText(input.text ?? '') : await readPages(url, signal);
  const { entries, omitted } = await collectEntries(source, signal);
  return { source: source.url, format: source.catalog.format, entries, omitted };
}

function readText(text: string): Source {
  const catalog = readCatalog(readDocument(text), MAX_IMPORT_ENTRIES);
  if (!catalog) throw catalogUnreadable(notACatalog('The text'));
  return { catalog, url: null };
}

function notACatalog(what: string): string {
  return `${what} is JSON without a list of agents; expected an ARD manifest ("entries"), an MCP registry list ("servers"), or A2A cards ("agents" or an array).`;
}

/** The list at an address, with its next pages until there are enough entries. */
async function readPages(url: URL, signal: AbortSignal): Promise<Source> {
  const first = await readFirst(url, signal);
  const catalog = { ...first.catalog, entries: [...first.catalog.entries] };
  for (let page = 1; page < MAX_IMPORT_PAGES && catalog.next && catalog.entries.length < MAX_IMPORT_ENTRIES; page++) {
    const next = new URL(first.url);
    next.searchParams.set(...catalog.next);
    const more = readCatalog(await fetchDocument(next.href, signal), MAX_IMPORT_ENTRIES - catalog.entries.length);
    if (!more || more.entries.length === 0) break;
    catalog.entries.push(...more.entries);
    catalog.count += more.count;
    // A page that names itself would be read again and again.
    catalog.next = more.next?.[1] === catalog.next[1] ? null : more.next;
  }
  return { catalog, url: first.url };
}

async function readFirst(url: URL, signal: AbortSignal): Promise<Source & { url: string }> {
  const outcomes: string[] = [];
  for (const candidate of candidatesOf(url)) {
    try {
      const catalog = readCatalog(await fetchDocument(candidate, signal), MAX_IMPORT_ENTRIES);
      if (catalog) return { catalog, url: candidate };
      outcomes.push(notACatalog(candidate));
    } catch (error) {
      if (signal.aborted || !hasCode(error, 'catalog_unreadable')) throw error;
      outcomes.push((error as Error).message);
    }
  }
  throw catalogUnreadable(outcomes.join(' '));
}

/** The URLs that may have a list: the address itself, and the usual paths of sites and registries. */
function candidatesOf(url: URL): string[] {
  const { origin, pathname, search, href } = checkExternalUrl(url.href);
  if (search !== '' || pathname.endsWith('.json')) return [href];
  const base = `${origin}${pathname.replace(/\/+$/, '')}`;
  if (pathname !== '/') return [href, `${base}/agents`, `${base}/v0.1/servers`];
  return [`${base}/.well-known/ard.json`, `${base}/.well-known/ai-catalog.json`, `${base}/v0.1/servers`, href];
}
