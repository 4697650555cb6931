import { ParleyError } from '../../platform/errors';
import type { McpServerEntry } from '../../protocol/mcp/server-registry';
import { selectMcpServersBySlug } from '../store/mcp-servers';
import { ownServerEntry, serverNamed, toServerEntry } from './server-entries';

/**
 * The entry of a server: it has one version, which `latest` denotes too.
 * @throws {ParleyError} `not_found` for another name or version
 */
export async function getMcpServer({ input }: { input: { name: string; version: string } }): Promise<McpServerEntry> {
  const { name, version } = input;
  const named = serverNamed(name);
  const [row] = named?.kind === 'agent' ? await selectMcpServersBySlug([named.slug]) : [];
  const entry = named?.kind === 'parley' ? ownServerEntry() : row && toServerEntry(row);
  if (!entry) throw new ParleyError('not_found', 'Server not found. Check the name.');
  if (version !== 'latest' && version !== entry.server.version)
    throw new ParleyError('not_found', `Version not found. The latest is ${entry.server.version}.`);
  return entry;
}
