import { type Endpoint, endpoint } from '../../http/endpoint';
import { registryErrorOf } from '../../http/errors/error-formats';
import { cachedJsonRoute } from '../../http/routes/cached-document';
import { parseInput } from '../../http/routes/json-route';
import { firstValues } from '../../http/routes/query';
import { mcpServerQuerySchema } from '../../protocol/mcp/server-registry';
import { getMcpServer, listMcpServers } from '..';

/** The MCP registry API v0.1, whose OpenAPI document its authors publish. The base URL of the registry is Parley's. */
export const mcpRegistryEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v0.1/servers',
    serve: cachedJsonRoute((_params, { url }) => {
      const input = parseInput(mcpServerQuerySchema, firstValues(new URL(url).searchParams));
      return listMcpServers({ ctx: { now: new Date() }, input });
    }, registryErrorOf),
  }),
  endpoint({
    method: 'GET',
    path: '/v0.1/servers/:name/versions',
    serve: cachedJsonRoute(async ({ name = '' }) => {
      const servers = [await getMcpServer({ input: { name, version: 'latest' } })];
      return { servers, metadata: { count: servers.length } };
    }, registryErrorOf),
  }),
  endpoint({
    method: 'GET',
    path: '/v0.1/servers/:name/versions/:version',
    serve: cachedJsonRoute(
      ({ name = '', version = '' }) => getMcpServer({ input: { name, version } }),
      registryErrorOf,
    ),
  }),
];
