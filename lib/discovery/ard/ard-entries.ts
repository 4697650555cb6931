import { env } from '../../platform/runtime/env';
import { truncate } from '../../protocol/a2a/cards/clean-text';
import {
  A2A_CARD_TYPE,
  type ArdEntry,
  identifierOf,
  nameIn,
  publisherOf,
  REGISTRY_TYPE,
} from '../../protocol/ard/entries';
import type { TermValues } from '../../protocol/ard/filters';
import { MAX_ARD_DESCRIPTION, MAX_ARD_QUERIES, MAX_ARD_QUERY_LENGTH } from '../limits';
import type { ArdRow } from '../store/registry-rows';

const AGENTS = 'agent';
const REGISTRIES = 'registry';
const REGISTRY_NAME = 'parley';
/** Minimum and maximum number of example queries in an entry. ARD expects two to five. */
const MIN_QUERIES = 2;

/**
 * Returns the publisher of all entries; null if APP_URL has no domain name, in which case Parley publishes no entries.
 */
export function ownPublisher(): string | null {
  return publisherOf(env().APP_URL);
}

/** Returns the base URL of Parley's registry (ARD §5.3). */
export function registryUrl(): string {
  return `${env().APP_URL}/api/ard`;
}

/** The resource that an identifier of the publisher denotes. */
type Resource = { kind: 'agent'; slug: string } | { kind: 'registry' };

/** Returns the resource that an identifier denotes; null for identifiers of other publishers. */
export function resourceOf(identifier: string, publisher: string): Resource | null {
  if (nameIn(identifier, publisher, REGISTRIES) === REGISTRY_NAME) return { kind: 'registry' };
  const slug = nameIn(identifier, publisher, AGENTS);
  return slug === null ? null : { kind: 'agent', slug };
}

/** Returns false if no agent of this Parley deployment can have these values. */
export function mayMatch({ type, publisher }: TermValues, own: string): boolean {
  return (type?.includes(A2A_CARD_TYPE) ?? true) && (publisher?.includes(own) ?? true);
}

/** Returns the entry of an agent. */
export function toArdEntry(row: ArdRow, publisher: string): ArdEntry {
  const queries = queriesOf(row);
  return {
    identifier: identifierOf(publisher, AGENTS, row.slug),
    displayName: row.name,
    type: A2A_CARD_TYPE,
    mediaType: A2A_CARD_TYPE,
    url: `${env().APP_URL}/agents/${row.slug}/.well-known/agent-card.json`,
    description: truncate(row.description, MAX_ARD_DESCRIPTION),
    tags: row.tags,
    capabilities: row.skillNames,
    ...(queries.length > 0 && { representativeQueries: queries }),
    version: row.version,
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * Returns the example queries of an entry, those of different skills first. The name of a skill replaces a missing
 * second query.
 */
function queriesOf({ firstExamples, moreExamples, skillNames }: ArdRow): string[] {
  const examples = distinct([...(firstExamples ?? []), ...(moreExamples ?? [])]).slice(0, MAX_ARD_QUERIES);
  if (examples.length === 0 || examples.length >= MIN_QUERIES) return examples;
  return distinct([...examples, ...skillNames]).slice(0, MIN_QUERIES);
}

function distinct(texts: unknown[]): string[] {
  const written = texts.map((text) => (typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : ''));
  return [...new Set(written.filter(Boolean).map((text) => truncate(text, MAX_ARD_QUERY_LENGTH)))];
}

/**
 * Returns the entry of Parley's own registry. `url` is its base URL, to which clients append `/search` and
 * `/agents/{identifier}`.
 */
export function registryEntry(publisher: string): ArdEntry {
  return {
    identifier: identifierOf(publisher, REGISTRIES, REGISTRY_NAME),
    displayName: 'Parley',
    type: REGISTRY_TYPE,
    mediaType: REGISTRY_TYPE,
    url: registryUrl(),
    description: 'Searches all public agents listed on this Parley. Every result links to an A2A agent card.',
    tags: ['a2a', 'agents', 'marketplace'],
    capabilities: ['search', 'retrieve', 'list'],
    representativeQueries: [
      'find an agent that analyzes a spreadsheet',
      'which agent can order food for delivery',
      'an agent that translates documents',
    ],
    version: '0.91',
  };
}
