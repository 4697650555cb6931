import { hasCode, ParleyError } from '../../platform/errors';
import { fetchExternalBody } from '../../platform/http-client/safe-fetch';
import { type JsonValue, parseJson } from '../../platform/json';
import { cleanLine, truncate } from '../../protocol/a2a/cards/clean-text';
import { quote } from '../../protocol/a2a/cards/diagnostics';
import {
  type Catalog,
  type CatalogContent,
  type CatalogEntry,
  readCatalog,
} from '../../protocol/catalogs/read-catalog';
import { locateCard } from '../cards/card-location';
import { explainUnreachable } from '../cards/fetch-card';
import {
  IMPORT_DOCUMENT_TIMEOUT_MS,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_ENTRIES,
  MAX_IMPORT_MEMBERS,
  MAX_IMPORT_NAME,
  MAX_NESTED_CATALOGS,
} from '../limits';
import type { ImportEntry, ImportProblem } from '../schema-imports';

/** A list, and the URL from which it was read. */
export interface Source {
  catalog: Catalog;
  /** Null for a document that was part of the request. */
  url: string | null;
}

interface Collected {
  entries: ImportEntry[];
  /** The number of entries that were not read. */
  omitted: number;
}

interface Progress extends Collected {
  signal: AbortSignal;
  /** The number of each entry, by its URL. */
  numbers: Map<string, number>;
  /** The URLs of the lists that were read, so that lists that contain each other do not cause a loop. */
  visited: Set<string>;
  fetched: number;
}

/** Returns the entries of a list and of the lists in it, one level deep, each with its URL or its error. */
export async function collectEntries({ catalog, url }: Source, signal: AbortSignal): Promise<Collected> {
  const visited = new Set(url === null ? [] : [url]);
  const progress: Progress = { entries: [], omitted: 0, signal, numbers: new Map(), visited, fetched: 0 };
  progress.omitted += catalog.count - catalog.entries.length;
  for (const entry of catalog.entries) {
    const { content } = entry;
    if (content.kind === 'catalog') await addNested(entry, content, { progress, base: url });
    else add(entry, { progress, base: url, source: null });
  }
  const { entries, omitted } = progress;
  return { entries, omitted };
}

interface Place {
  progress: Progress;
  /** The URL of the document, for relative references; null for a document that was part of the request. */
  base: string | null;
}

async function addNested(
  entry: CatalogEntry,
  content: Extract<CatalogContent, { kind: 'catalog' }>,
  { progress, base }: Place,
): Promise<void> {
  const nested = await readNested(content, { progress, base });
  if ('code' in nested) {
    push(progress, { ...shown(entry), url: null, source: null, problem: nested });
    return;
  }
  progress.omitted += nested.catalog.count - nested.catalog.entries.length;
  for (const inner of nested.catalog.entries) {
    add(inner, { progress, base: nested.url ?? base, source: nested.url ?? entry.identifier });
  }
}

async function readNested(
  content: Extract<CatalogContent, { kind: 'catalog' }>,
  { progress, base }: Place,
): Promise<Source | ImportProblem> {
  if ('data' in content) return toSource(content.data as JsonValue, null, progress);
  const url = resolve(content.url, base);
  if (url === null) return problemOf(`the URL "${content.url.slice(0, 100)}"`, 'an absolute https URL');
  if (progress.visited.has(url)) return { code: 'duplicate', message: `The list ${url} was already read.` };
  if (progress.fetched >= MAX_NESTED_CATALOGS) {
    return {
      code: 'nested_too_deep',
      message: `This list contains more than ${MAX_NESTED_CATALOGS} lists. Import ${url} separately.`,
    };
  }
  progress.visited.add(url);
  progress.fetched += 1;
  try {
    return toSource(await fetchDocument(url, progress.signal), url, progress);
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return { code: error.code, message: error.message };
  }
}

function toSource(value: JsonValue, url: string | null, { entries }: Progress): Source | ImportProblem {
  const catalog = readCatalog(value, Math.max(0, MAX_IMPORT_ENTRIES - entries.length));
  return catalog ? { catalog, url } : problemOf('a document without a list of agents', 'an AI Catalog');
}

function add(entry: CatalogEntry, place: Place & { source: string | null }): void {
  const source = place.source === null ? null : clean(place.source);
  push(place.progress, { ...shown(entry), source, ...addressOf(entry.content, place) });
}

function push(progress: Progress, entry: Omit<ImportEntry, 'number'>): void {
  if (progress.entries.length >= MAX_IMPORT_ENTRIES) {
    progress.omitted += 1;
    return;
  }
  const number = progress.entries.length + 1;
  if (entry.url !== null) progress.numbers.set(entry.url, number);
  progress.entries.push({ number, ...entry });
}

function addressOf(content: CatalogContent, { progress, base }: Place): Pick<ImportEntry, 'url' | 'problem'> {
  if (content.kind === 'other') {
    const { code, message } = problemOf(content.found, content.expected);
    return {
      url: null,
      problem: { code, message: `${message} Remove the entry, or ask its publisher for an agent card.` },
    };
  }
  if (content.kind === 'catalog') {
    const message = 'Found a list inside a nested list; expected agents. Import that list separately.';
    return { url: null, problem: { code: 'nested_too_deep', message } };
  }
  const url = resolve(content.url, base);
  if (url === null) {
    return { url: null, problem: problemOf(`the URL "${clean(content.url)}"`, 'an absolute https URL') };
  }
  const earlier = progress.numbers.get(url);
  if (earlier !== undefined) {
    return { url: null, problem: { code: 'duplicate', message: `Entry ${earlier} has the same URL.` } };
  }
  return { url, ...(refusalOf(url) ?? { problem: null }) };
}

/** Returns the reason why a card must not be read from the URL; null if it may be. */
function refusalOf(url: string): { url: null; problem: ImportProblem } | null {
  try {
    locateCard(url);
    return null;
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return { url: null, problem: { code: error.code, message: `${clean(url)}: ${error.message}` } };
  }
}

/** Resolves a reference to an absolute URL; null for an invalid one. */
function resolve(reference: string, base: string | null): string | null {
  const url = URL.parse(reference, base ?? undefined);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

function problemOf(found: string, expected: string): ImportProblem {
  return { code: 'not_an_agent', message: `Found ${clean(found)}; expected ${expected}.` };
}

function shown({ identifier, name }: CatalogEntry): Pick<ImportEntry, 'identifier' | 'name'> {
  return { identifier: identifier && clean(identifier), name: name && clean(name) };
}

/** Returns untrusted text as one line, without invisible characters. */
function clean(text: string): string {
  return truncate(cleanLine(text.slice(0, 10 * MAX_IMPORT_NAME)).toWellFormed(), MAX_IMPORT_NAME);
}

/**
 * Fetches a JSON document from an untrusted URL. Does not follow redirects.
 * @throws {ParleyError} `url_refused`; `catalog_unreadable` with the cause
 */
export async function fetchDocument(url: string, signal: AbortSignal): Promise<JsonValue> {
  const { status, headers, bytes } = await getDocument(url, signal);
  if (status >= 300 && status < 400) {
    const target = headers.location ? ` to ${quote(headers.location)}` : '';
    throw catalogUnreadable(
      `${url} redirects${target} (HTTP ${status}). Redirects are not followed: import that URL instead.`,
    );
  }
  if (status !== 200)
    throw catalogUnreadable(`${url} returned HTTP ${status}; expected 200 and a list of agents in JSON.`);
  return readDocument(bytes.toString('utf8'), url);
}

async function getDocument(url: string, signal: AbortSignal): ReturnType<typeof fetchExternalBody> {
  const limits = { maxBytes: MAX_IMPORT_BYTES, totalMs: IMPORT_DOCUMENT_TIMEOUT_MS };
  const headers = { accept: 'application/json' };
  try {
    return await fetchExternalBody({ url, method: 'GET', headers, signal, ...limits });
  } catch (error) {
    const known = explainUnreachable(url, error, IMPORT_DOCUMENT_TIMEOUT_MS);
    throw known.code === 'url_refused' ? known : catalogUnreadable(known.message, error);
  }
}

/**
 * Parses the text of a document.
 * @throws {ParleyError} `catalog_unreadable` for text that is not JSON
 */
export function readDocument(text: string, url?: string): JsonValue {
  try {
    return parseJson(text.replace(/^\ufeff/, ''), MAX_IMPORT_MEMBERS);
  } catch (error) {
    if (!hasCode(error, 'parse_error')) throw error;
    const reason = error.message.replace(/^The body is not JSON: /, '');
    throw catalogUnreadable(`${url ?? 'The text'} is not JSON: ${reason} Expected a list of agents in JSON.`, error);
  }
}

/** Returns the error for a document that is not a list of agents. */
export function catalogUnreadable(message: string, cause?: unknown): ParleyError {
  return new ParleyError('catalog_unreadable', message, { cause });
}
