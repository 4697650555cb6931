import { authorize } from '../../identity';
import { consume } from '../../limits';
import type { Ctx } from '../../platform/context';
import { hasCode, ParleyError } from '../../platform/errors';
import { checkExternalUrl } from '../../platform/http-client/external-urls';
import { readCatalog } from '../../protocol/catalogs/read-catalog';
import { previewAgent } from '../agents/lint-card';
import { type OwnsApp, registerAgent } from '../agents/register-agent';
import { toExternalUrl } from '../cards/card-location';
import { cardInvalid } from '../errors';
import { IMPORT_CONCURRENCY, IMPORT_TIMEOUT_MS, MAX_IMPORT_ENTRIES, MAX_IMPORT_PAGES } from '../limits';
import { IMPORT_LIMIT } from '../rate-limits';
import type {
  ImportCheckInput,
  ImportList,
  ImportListInput,
  ImportOutcome,
  ImportOutcomes,
  ImportProblem,
  ImportSource,
  ImportVerdict,
  ImportVerdicts,
} from '../schema-imports';
import { catalogUnreadable, collectEntries, fetchDocument, readDocument, type Source } from './collect-entries';

/**
 * Reads a list of agents: its entries with the URLs to check and list, and the errors of all other entries. Fetches the
 * list, its next pages and the lists in it, but no cards.
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

/** Reads the list at a URL, and its next pages until there are enough entries. */
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
    // A page that references itself would be read repeatedly.
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

/** Returns the URLs that may serve a list: the URL itself, and the usual paths of sites and registries. */
function candidatesOf(url: URL): string[] {
  const { origin, pathname, search, href } = checkExternalUrl(url.href);
  if (search !== '' || pathname.endsWith('.json')) return [href];
  const base = `${origin}${pathname.replace(/\/+$/, '')}`;
  if (pathname !== '/') return [href, `${base}/agents`, `${base}/v0.1/servers`];
  return [`${base}/.well-known/ard.json`, `${base}/.well-known/ai-catalog.json`, `${base}/v0.1/servers`, href];
}

/**
 * Returns the result that listing each agent would have, by the same checks as for a single agent. Stores nothing.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function checkImport({ ctx, input }: { ctx: Ctx; input: ImportCheckInput }): Promise<ImportVerdicts> {
  authorize(ctx.actor, { scope: 'agents:write' });
  return { results: await eachInTurn(input.agents, ({ url }) => checkOne(ctx, url)) };
}

async function checkOne(ctx: Ctx, url: string): Promise<ImportVerdict> {
  const nothing = { url, agent: null, otherOrigin: null, looksLike: null, warnings: 0 };
  try {
    const { card, faults, warnings, slug, looksLike, isListed, otherOrigin } = await previewAgent({
      ctx,
      input: { url },
    });
    if (!card) return { ...nothing, verdict: 'refused', problem: toProblem(cardInvalid(faults)) };
    const { name, description, skills } = card;
    return {
      url,
      verdict: isListed ? 'listed' : otherOrigin ? 'confirm' : 'ready',
      agent: { name, description, slug: isListed ? slug : null, skills: skills.length },
      ...{ otherOrigin, looksLike, warnings: warnings.length, problem: null },
    };
  } catch (error) {
    return { ...nothing, verdict: 'refused', problem: toProblem(error) };
  }
}

/**
 * Lists each agent as `registerAgent` does, independently of the others. Agents that the caller has already listed stay
 * unchanged, so that a repeated call has no effect.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listImport({
  ctx,
  input,
  ownsApp,
}: {
  ctx: Ctx;
  input: ImportListInput;
  ownsApp: OwnsApp;
}): Promise<ImportOutcomes> {
  authorize(ctx.actor, { scope: 'agents:write' });
  const { agents, visibility, tags } = input;
  async function listOne({ url, confirmOrigin }: ImportListInput['agents'][number]): Promise<ImportOutcome> {
    try {
      const registration = { url, confirmOrigin, visibility, tags };
      const { agent, changed } = await registerAgent({ ctx, input: registration, ownsApp, keepsListed: true });
      const { slug, name } = agent;
      return { url, outcome: changed ? 'listed' : 'unchanged', agent: { slug, name }, problem: null };
    } catch (error) {
      return { url, outcome: 'refused', agent: null, problem: toProblem(error) };
    }
  }
  return { results: await eachInTurn(agents, listOne) };
}

/**
 * Converts an error to a problem of the import.
 * @throws errors that the caller cannot resolve
 */
function toProblem(error: unknown): ImportProblem {
  if (!(error instanceof ParleyError)) throw error;
  return { code: error.code, message: error.message };
}

/** Returns the results in the order of the items. At most {@link IMPORT_CONCURRENCY} items are processed at a time. */
async function eachInTurn<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  async function take(): Promise<void> {
    for (const [index, item] of queue) results[index] = await work(item);
  }
  await Promise.all(Array.from({ length: IMPORT_CONCURRENCY }, take));
  return results;
}
