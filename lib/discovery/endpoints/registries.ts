import { type Endpoint, endpoint } from '../../http/endpoint';
import { registryErrorOf } from '../../http/errors/error-formats';
import { etagOf, isNotModified, respond } from '../../http/respond';
import { cachedJsonRoute } from '../../http/routes/cached-document';
import { firstValues, parseInput } from '../../http/routes/json-route';
import { ParleyError } from '../../platform/errors';
import {
  ardEntrySchema,
  ardListQuerySchema,
  ardListSchema,
  ardResultsSchema,
  ardSearchSchema,
} from '../../protocol/ard/entries';
import { mcpServerQuerySchema } from '../../protocol/mcp/server-registry';
import { getArdEntry, getArdManifest, getMcpServer, listArdEntries, listMcpServers, searchArd } from '..';
import { ARD_ENTRY_CACHE_SECONDS } from '../limits';

/** Agentic Resource Discovery v0.91: the manifest (§5.1) and the registry (§5.3). */

const serveManifest = cachedJsonRoute(getArdManifest);

export const ardManifest = endpoint({
  method: 'GET',
  path: '/.well-known/ard.json',
  reads: 'replica',
  serve: serveManifest,
});

/** The ARD manifest at its earlier path, which AI Catalog uses too. */
export const aiCatalog = endpoint({
  method: 'GET',
  path: '/.well-known/ai-catalog.json',
  reads: 'replica',
  serve: serveManifest,
});

export const postArdSearch = endpoint({
  method: 'POST',
  path: '/api/ard/search',
  reads: 'replica',
  auth: 'anyone',
  errorFormat: 'ard',
  body: ardSearchSchema,
  response: ardResultsSchema,
  docs: {
    tag: 'Discovery by ARD',
    summary: 'Search agents by a description of what you need',
    description: 'Agentic Resource Discovery v0.91, section 5.3.2.',
  },
  handle: ({ ctx, input }) => searchArd({ ctx, input }),
});

/** Returns one ARD entry. The response is the same for all callers, so that shared caches may store it. */
export const getOneArdEntry = endpoint({
  method: 'GET',
  path: '/api/ard/agents/:identifier',
  reads: 'replica',
  auth: 'anyone',
  errorFormat: 'ard',
  response: ardEntrySchema,
  errors: ['invalid_request'],
  docs: { tag: 'Discovery by ARD', summary: 'Get an entry by its identifier', description: 'Section 5.3.4.' },
  handle: async ({ params: { identifier = '' }, request }) => {
    const text = JSON.stringify(await getArdEntry({ input: { identifier } }));
    const headers = { etag: etagOf(text), 'cache-control': `public, max-age=${ARD_ENTRY_CACHE_SECONDS}` };
    if (isNotModified(request, headers.etag)) return respond(304, null, headers);
    return respond(200, text, { ...headers, 'content-type': 'application/json' });
  },
});

export const getArdEntries = endpoint({
  method: 'GET',
  path: '/api/ard/agents',
  reads: 'replica',
  auth: 'anyone',
  errorFormat: 'ard',
  hasEtag: true,
  query: ardListQuerySchema,
  response: ardListSchema,
  docs: { tag: 'Discovery by ARD', summary: 'List all entries', description: 'Section 5.3.5.' },
  handle: ({ query }) => listArdEntries({ input: query }),
});

export const postArdExplore = endpoint({
  method: 'POST',
  path: '/api/ard/explore',
  auth: 'anyone',
  errorFormat: 'ard',
  errors: ['not_implemented'],
  docs: {
    tag: 'Discovery by ARD',
    summary: 'Aggregate entries (not implemented: always returns 501)',
    description: 'Section 5.3.3.',
  },
  handle: () => {
    const text = 'This registry does not aggregate entries. Search them with POST /api/ard/search.';
    return Promise.reject(new ParleyError('not_implemented', text));
  },
});

/** The MCP registry API v0.1, whose OpenAPI document its authors publish. The base URL of the registry is Parley's. */
export const mcpRegistryEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v0.1/servers',
    reads: 'replica',
    serve: cachedJsonRoute((_params, { url }) => {
      const input = parseInput(mcpServerQuerySchema, firstValues(new URL(url).searchParams));
      return listMcpServers({ ctx: { now: new Date() }, input });
    }, registryErrorOf),
  }),
  endpoint({
    method: 'GET',
    path: '/v0.1/servers/:name/versions',
    reads: 'replica',
    serve: cachedJsonRoute(async ({ name = '' }) => {
      const servers = [await getMcpServer({ input: { name, version: 'latest' } })];
      return { servers, metadata: { count: servers.length } };
    }, registryErrorOf),
  }),
  endpoint({
    method: 'GET',
    path: '/v0.1/servers/:name/versions/:version',
    reads: 'replica',
    serve: cachedJsonRoute(
      ({ name = '', version = '' }) => getMcpServer({ input: { name, version } }),
      registryErrorOf,
    ),
  }),
];
