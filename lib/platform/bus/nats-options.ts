import { readFileSync } from 'node:fs';
import { credsAuthenticator, type NodeConnectionOptions } from '@nats-io/transport-node';
import { row, text } from '../db/rows';
import { NATS_CONNECT_TIMEOUT_MS, NATS_DEFAULT_PORT, NATS_PING_INTERVAL_MS, NATS_UNANSWERED_PINGS } from '../limits';
import { sha256 } from '../secrets/crypto';
import { nodeId } from './state';

/** The addresses of the servers of one purpose, and the path of a credentials file. */
export interface NatsSettings {
  urls: string[];
  credentials: string | undefined;
}

/** Returns the addresses of the servers without credentials, for logs. Empty if there are none. */
export function natsServers({ urls }: NatsSettings): string[] {
  return urls.map((url) => {
    const { hostname, port } = new URL(url);
    return `${hostname}:${port || NATS_DEFAULT_PORT}`;
  });
}

/**
 * Returns the options of a connection, read again for each: a credentials file may have been replaced. A lost
 * connection is not resumed by the client.
 */
export function natsOptions(settings: NatsSettings): NodeConnectionOptions {
  const urls = settings.urls.map((url) => new URL(url));
  return {
    servers: natsServers(settings),
    ...credentialsOf(urls),
    ...(settings.credentials && { authenticator: credsAuthenticator(readFileSync(settings.credentials)) }),
    ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
    name: `parley ${nodeId()}`,
    noEcho: true,
    reconnect: false,
    ignoreClusterUpdates: true,
    timeout: NATS_CONNECT_TIMEOUT_MS,
    pingInterval: NATS_PING_INTERVAL_MS,
    maxPingOut: NATS_UNANSWERED_PINGS,
  };
}

/** Returns the credentials for URLs: `user:password@`, or a token: `token@`. */
function credentialsOf(urls: URL[]): Pick<NodeConnectionOptions, 'user' | 'pass' | 'token'> {
  const url = urls.find(({ username }) => username !== '');
  if (!url) return {};
  const user = decodeURIComponent(url.username);
  return url.password ? { user, pass: decodeURIComponent(url.password) } : { token: user };
}

const identityRow = row({ identity: text() });

/**
 * Reads the id of the database, which allows the nodes of several Parley deployments to share a NATS server. The same
 * on all nodes.
 */
export async function readDatabaseId(): Promise<string> {
  const found = await identityRow.queryFirst(
    'platform-database-id',
    `SELECT concat_ws(' ', (SELECT id FROM _prisma_migrations ORDER BY started_at, id LIMIT 1), d.oid, d.datname) AS identity
     FROM pg_database d WHERE d.datname = current_database()`,
  );
  if (!found) throw new Error('the database does not name itself');
  return sha256(found.identity).slice(0, 16);
}
