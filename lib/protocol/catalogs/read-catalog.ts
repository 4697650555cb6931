import { isObject, type JsonObject, type JsonValue } from '../json';

/** The formats of agent lists that Parley reads. */
export const catalogFormats = ['ard', 'mcp-registry', 'a2a'] as const;
type CatalogFormat = (typeof catalogFormats)[number];

/** Maximum characters of the cursor of a next page. */
const MAX_PAGE_CURSOR = 2_000;

/** One entry of a list. Its texts are unmodified. */
export interface CatalogEntry {
  identifier: string | null;
  name: string | null;
  content: CatalogContent;
}

/** A parameter and its value with which the same URL returns the next page. */
type NextPage = [parameter: string, value: string];

/** A list of agents, from which at most `limit` entries were read. */
export interface Catalog {
  format: CatalogFormat;
  entries: CatalogEntry[];
  /** The total number of entries in the document. */
  count: number;
  next: NextPage | null;
}

/**
 * Reads a list of agents: an ARD manifest, AI Catalog or ARD list, a list of an MCP registry (v0.1), or A2A cards in an
 * array or an object. Returns null for all other values. Members of the wrong type count as absent.
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

/** Reads a page of an ARD registry, or of a search in another Parley deployment. */
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

/** Reads the cursor, whose length is limited because it becomes part of a URL. */
function cursorOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_PAGE_CURSOR ? value : null;
}

/** The content that an entry of a list refers to. */
export type CatalogContent =
  /** The URL of an agent or of its card. */
  | { kind: 'agent'; url: string }
  /** Another list, by reference or inline. */
  | { kind: 'catalog'; url: string }
  | { kind: 'catalog'; data: JsonObject }
  /** An entry that is not an A2A agent with a URL. */
  | { kind: 'other'; found: string; expected: string };

const cardTypes = ['application/a2a-agent-card+json', 'application/agent-card+json'];
const catalogTypes = ['application/ai-catalog+json', 'application/ard+json'];
/** Descriptions of other types, for display. */
const otherTypes: [RegExp, string][] = [
  [/^application\/ai-registry/, 'a registry'],
  [/^application\/mcp-server/, 'an MCP server'],
  [/skill/, 'a skill'],
];
const A2A_CARD = 'an A2A agent card';
const cardPath = /\/(?:agent-card|agent)\.json(?:\?|$)/;

/** Returns the content of an ARD or AI Catalog entry, whose `type` or `mediaType` is the type of `url` or `data`. */
function contentOfArdEntry(entry: JsonObject): CatalogContent {
  const { url, data } = entry;
  const written = entry.type ?? entry.mediaType;
  const type = typeof written === 'string' ? mediaTypeOf(written) : null;
  if (type === null && written !== undefined)
    return other('a "type" that is not a string', `"type": "${cardTypes[0]}"`);
  if (type !== null && catalogTypes.includes(type)) return contentOfCatalog(url, data);
  if (type !== null && !cardTypes.includes(type)) return other(`${nameOf(type)} (${type})`, A2A_CARD);
  if (typeof url === 'string') {
    const isCard = type !== null || cardPath.test(url);
    return isCard ? { kind: 'agent', url } : other('an entry without "type"', `"type": "${cardTypes[0]}"`);
  }
  if (isObject(data) && (type !== null || looksLikeCard(data))) return contentOfCard(data);
  return other('an entry without "url" and "data"', `the URL of ${A2A_CARD} in "url"`);
}

function contentOfCatalog(url: JsonValue | undefined, data: JsonValue | undefined): CatalogContent {
  if (typeof url === 'string') return { kind: 'catalog', url };
  return isObject(data) ? { kind: 'catalog', data } : other('a catalog without "url" and "data"', 'its URL in "url"');
}

function nameOf(type: string): string {
  return otherTypes.find(([pattern]) => pattern.test(type))?.[1] ?? 'another kind of resource';
}

function mediaTypeOf(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase().slice(0, 100);
}

/** Returns the content of an item in a list of cards: a URL, a card, or a member that is one of these. */
function contentOfItem(item: JsonObject): CatalogContent {
  for (const member of ['cardUrl', 'card_url', 'agentCardUrl', 'agent_card_url', 'wellKnownURI', 'well_known_uri']) {
    const url = item[member];
    if (typeof url === 'string' && url !== '') return { kind: 'agent', url };
  }
  for (const member of ['card', 'agentCard', 'agent_card']) {
    const card = item[member];
    if (typeof card === 'string' && card !== '') return { kind: 'agent', url: card };
    if (isObject(card)) return contentOfCard(card);
  }
  return contentOfCard(item);
}

/**
 * Returns the content of a card in a list. Such a card is not trusted: the agent is read from the URL in the card, as
 * for any registration.
 */
function contentOfCard(card: JsonObject): CatalogContent {
  for (const member of ['supportedInterfaces', 'supported_interfaces', 'interfaces', 'additionalInterfaces']) {
    const interfaces = card[member];
    const urls = Array.isArray(interfaces) ? interfaces.map((each) => (isObject(each) ? each.url : undefined)) : [];
    const url =
      typeof card.url === 'string' && card.url !== '' ? card.url : urls.find((each) => typeof each === 'string');
    if (typeof url === 'string') return { kind: 'agent', url };
  }
  return other('a card without a URL', 'the URL of the agent in "supportedInterfaces" or "url"');
}

/** Maximum depth to which the metadata of a server is searched for a card URL. */
const MAX_META_DEPTH = 5;

/** Returns the content of a server in an MCP registry, which is an agent only if it also references an A2A card. */
function contentOfMcpServer(entry: JsonObject, server: JsonObject): CatalogContent {
  const remotes = Array.isArray(server.remotes) ? server.remotes.filter(isObject) : [];
  for (const { type, transport_type: transport, url } of remotes) {
    if (typeof url !== 'string') continue;
    if (cardPath.test(url) || /^a2a/i.test(String(type ?? transport ?? ''))) return { kind: 'agent', url };
  }
  const url = cardUrlIn(server._meta, MAX_META_DEPTH) ?? cardUrlIn(entry._meta, MAX_META_DEPTH);
  return url === null
    ? other('an MCP server', `${A2A_CARD}; list the server itself by its URL`)
    : { kind: 'agent', url };
}

function cardUrlIn(value: JsonValue | undefined, depth: number): string | null {
  if (typeof value === 'string') return /^https?:/.test(value) && cardPath.test(value) ? value : null;
  if (typeof value !== 'object' || value === null || depth === 0) return null;
  for (const member of Object.values(value)) {
    const found = cardUrlIn(member, depth - 1);
    if (found !== null) return found;
  }
  return null;
}

/** Returns true for an object with a name and another member of an A2A card. */
function looksLikeCard(value: JsonObject): boolean {
  const members = ['supportedInterfaces', 'supported_interfaces', 'skills', 'capabilities'];
  return typeof value.name === 'string' && members.some((member) => value[member] !== undefined);
}

function other(found: string, expected: string): CatalogContent {
  return { kind: 'other', found, expected };
}
