import { isObject, type JsonObject, type JsonValue } from '../json';
import {
  type CatalogContent,
  contentOfArdEntry,
  contentOfItem,
  contentOfMcpServer,
  looksLikeCard,
} from './entry-content';

/** The formats of lists of agents that Parley reads. */
export const catalogFormats = ['ard', 'mcp-registry', 'a2a'] as const;
export type CatalogFormat = (typeof catalogFormats)[number];

/** Maximum characters of the cursor of a next page. */
const MAX_PAGE_CURSOR = 2_000;

/** One entry of a list. Its texts are unchanged. */
export interface CatalogEntry {
  identifier: string | null;
  name: string | null;
  content: CatalogContent;
}

/** A parameter and its value, with which the same address returns the next page. */
export type NextPage = [parameter: string, value: string];

/** A list of agents, of which at most `limit` entries were read. */
export interface Catalog {
  format: CatalogFormat;
  entries: CatalogEntry[];
  /** The number of all entries of the document. */
  count: number;
  next: NextPage | null;
}

/**
 * Reads a list of agents: an ARD manifest, AI Catalog or ARD list, a list of an MCP registry (v0.1), or A2A cards in an
 * array or an object. Null when the value is none of these. Members of wrong types count as absent.
 */
export function readCatalog(value: JsonValue, limit: number): Catalog | null {
  if (Array.isArray(value)) return catalogOf('a2a', value, limit);
  if (!isObject(value)) return null;
  if (Array.isArray(value.entries)) return catalogOf('ard', value.entries, limit);
  if (Array.isArray(value.servers))
    return { ...catalogOf('mcp-registry', value.servers, limit), next: nextOfMcp(value) };
  if (Array.isArray(value.items)) return catalogOfItems(value, value.items, limit);
  for (const member of ['agents', 'agentCards', 'agent_cards', 'cards']) {
    const list = value[member];
    if (Array.isArray(list)) return catalogOf('a2a', list, limit);
    if (isObject(list)) return catalogOf('a2a', valuesOf(list), limit);
  }
  return looksLikeCard(value) ? catalogOf('a2a', [value], limit) : null;
}

function valuesOf(object: JsonObject): JsonValue[] {
  return Object.values(object).flatMap((value) => (value === undefined ? [] : [value]));
}

function catalogOf(format: CatalogFormat, list: JsonValue[], limit: number): Catalog {
  const read = { ard: ardEntryOf, 'mcp-registry': mcpEntryOf, a2a: itemOf }[format];
  return { format, entries: list.slice(0, limit).map(read), count: list.length, next: null };
}

/** A page of an ARD registry, or of another Parley's search. */
function catalogOfItems(value: JsonObject, items: JsonValue[], limit: number): Catalog {
  const [first] = items;
  const isArd =
    isObject(first) && typeof first.identifier === 'string' && typeof (first.type ?? first.mediaType) === 'string';
  const [token, cursor] = [cursorOf(value.pageToken), cursorOf(value.nextCursor)];
  const next: NextPage | null = token ? ['pageToken', token] : cursor ? ['cursor', cursor] : null;
  return { ...catalogOf(isArd ? 'ard' : 'a2a', items, limit), next };
}

function nextOfMcp({ metadata }: JsonObject): NextPage | null {
  const cursor = isObject(metadata) ? cursorOf(metadata.nextCursor ?? metadata.next_cursor) : null;
  return cursor === null ? null : ['cursor', cursor];
}

function ardEntryOf(value: JsonValue): CatalogEntry {
  if (!isObject(value)) return notAnObject;
  const name = textOf(value.displayName) ?? textOf(value.name);
  return { identifier: textOf(value.identifier), name, content: contentOfArdEntry(value) };
}

function mcpEntryOf(value: JsonValue): CatalogEntry {
  if (!isObject(value)) return notAnObject;
  const server = isObject(value.server) ? value.server : value;
  const name = textOf(server.name);
  return { identifier: name, name: textOf(server.title) ?? name, content: contentOfMcpServer(value, server) };
}

function itemOf(value: JsonValue): CatalogEntry {
  if (typeof value === 'string') return { identifier: null, name: null, content: { kind: 'agent', url: value } };
  if (!isObject(value)) return notAnObject;
  if (typeof value.identifier === 'string' && (value.type ?? value.mediaType) !== undefined) return ardEntryOf(value);
  const identifier = textOf(value.identifier) ?? textOf(value.id) ?? textOf(value.slug);
  return { identifier, name: textOf(value.name), content: contentOfItem(value) };
}

const notAnObject: CatalogEntry = {
  identifier: null,
  name: null,
  content: { kind: 'other', found: 'an entry that is not an object', expected: 'an object that describes an agent' },
};

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The cursor. It is part of an address, so its length is limited. */
function cursorOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_PAGE_CURSOR ? value : null;
}
