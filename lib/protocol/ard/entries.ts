import { z } from 'zod';

/** Members of an entry in results, of which only the identifier is required (ARD §5.3.2). */
const fields = {
  identifier: z.string(),
  displayName: z.string(),
  type: z.string().describe('Media type of the document at `url`'),
  mediaType: z.string().describe('The same value under its AI Catalog name'),
  url: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  capabilities: z.array(z.string()).describe('Names of skills'),
  version: z.string(),
  updatedAt: z.iso.datetime().optional(),
};

/** A complete entry (ARD §4.2). */
export const ardEntrySchema = z.object({
  ...fields,
  representativeQueries: z
    .array(z.string())
    .optional()
    .describe('Example prompts of the agent; omitted if its card has none'),
});
export type ArdEntry = z.infer<typeof ardEntrySchema>;

const ardResultSchema = z.object({
  ...fields,
  score: z.int().min(0).max(100).describe('Relevance, not trust'),
  fit: z
    .enum(['fits', 'might_fit', 'closest'])
    .optional()
    .describe('Whether the agent fits, might fit, or is only one of the closest; a member that only Parley has'),
  source: z.string().describe('The registry with the complete entry'),
});

/** Response of `POST /search`. */
export const ardResultsSchema = z.object({
  results: z.array(ardResultSchema),
  referrals: z.array(ardEntrySchema).optional().describe('With `"federation": "referrals"`; always empty on Parley'),
  pageToken: z.string().optional().describe('Token for the next page; omitted on the last page'),
});
export type ArdResults = z.infer<typeof ardResultsSchema>;

/** Response of `GET /agents`. */
export const ardListSchema = z.object({
  items: z.array(ardEntrySchema),
  pageToken: z.string().optional().describe('Token for the next page; omitted on the last page'),
});
export type ArdList = z.infer<typeof ardListSchema>;

/** The document at `/.well-known/ard.json` (ARD §5.1), which is also an AI Catalog. */
export interface ArdManifest {
  specVersion: string;
  host: { displayName: string };
  entries: ArdEntry[];
}

const MAX_TEXT = 2_000;
const MAX_TOKEN = 4_000;
const MAX_FILTER_VALUES = 50;
const MAX_VALUE = 200;
const MAX_PAGE_SIZE = 100;

const value = z.string().max(MAX_VALUE, `expected at most ${MAX_VALUE} characters`);
const values = z.array(value).min(1, 'expected at least one value').max(MAX_FILTER_VALUES);

/** Body of `POST /search` (ARD §5.3.1, §5.3.2). */
export const ardSearchSchema = z.strictObject({
  query: z.strictObject({
    '@context': z.unknown().optional().describe('Defines the prefixes of `filter`; contexts are not loaded from URLs'),
    text: z.string().trim().min(1, 'expected a description of what the agent should do').max(MAX_TEXT),
    filter: z
      .record(z.string(), z.union([value, values]))
      .optional()
      .describe('By `type`, `publisher`, `tags` or `capabilities`'),
  }),
  federation: z.enum(['auto', 'referrals', 'none']).default('auto').describe('Parley does not query other registries'),
  pageSize: z.int().min(1).max(MAX_PAGE_SIZE).default(10),
  pageToken: z.string().max(MAX_TOKEN).optional(),
});
export type ArdSearch = z.infer<typeof ardSearchSchema>;

/** Query of `GET /agents` (ARD §5.3.5). */
export const ardListQuerySchema = z.object({
  filter: z
    .string()
    .max(MAX_TEXT)
    .optional()
    .describe("Such as `displayName = 'Weather' AND createdAfter = '2026-01-01'`"),
  orderBy: z.string().max(MAX_VALUE).optional().describe('`createdAt DESC` or `displayName`'),
  pageSize: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(20),
  pageToken: z.string().max(MAX_TOKEN).optional(),
});
export type ArdListQuery = z.infer<typeof ardListQuerySchema>;

/** Media type of an ARD entry whose artifact is an A2A agent card (ARD §3.3). */
export const A2A_CARD_TYPE = 'application/a2a-agent-card+json';
/** Media type of an ARD entry that describes a registry (ARD §5.3). */
export const REGISTRY_TYPE = 'application/ai-registry+json';

/** The pattern of the identifiers in ARD's schemas (ARD Appendix C). */
const identifierPattern = /^urn:air:[a-zA-Z0-9.-]+(?::[a-zA-Z0-9._-]+)+$/;

/** Returns true for a syntactically valid identifier of an entry. */
export function isIdentifier(text: string): boolean {
  return identifierPattern.test(text);
}

/** Returns the identifier of a resource in one of a publisher's namespaces. */
export function identifierOf(publisher: string, namespace: string, name: string): string {
  return `urn:air:${publisher}:${namespace}:${name}`;
}

/**
 * Returns the name in an identifier of this publisher and namespace, or null. The comparison is case-sensitive (ARD
 * §5.3.4).
 */
export function nameIn(identifier: string, publisher: string, namespace: string): string | null {
  const prefix = identifierOf(publisher, namespace, '');
  return identifier.startsWith(prefix) ? identifier.slice(prefix.length) : null;
}

/**
 * Returns the publisher in identifiers of a server, which is its host name, because ARD requires a domain name that is
 * unique in DNS. For a server on the local machine it is `agent.localhost`, which is meaningless on other machines.
 * Returns null for other hosts without a domain.
 */
export function publisherOf(origin: string): string | null {
  const host = new URL(origin).hostname.replace(/\.$/, '');
  if (host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host)) return 'agent.localhost';
  const isName = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/.test(host);
  return isName ? host : null;
}
