import { readFileSync } from 'node:fs';
import { credsAuthenticator, type NodeConnectionOptions } from '@nats-io/transport-node';
import { NATS_CONNECT_TIMEOUT_MS, NATS_DEFAULT_PORT, NATS_PING_INTERVAL_MS, NATS_UNANSWERED_PINGS } from '../limits';
import { env } from '../runtime/env';
import { nodeId } from './state';

/** The addresses of the NATS servers, without credentials, for logs. Empty when it is not configured. */
export function natsServers(): string[] {
  return env().NOTICES_URL.map((url) => {
    const { hostname, port } = new URL(url);
    return `${hostname}:${port || NATS_DEFAULT_PORT}`;
  });
}

/**
 * The options of a connection, read again for each: a credentials file may have been replaced. A lost connection is not
 * resumed by the client.
 */
export function natsOptions(): NodeConnectionOptions {
  const { NOTICES_URL, NOTICES_CREDENTIALS } = env();
  const urls = NOTICES_URL.map((url) => new URL(url));
  return {
    servers: natsServers(),
    ...credentialsOf(urls),
    ...(NOTICES_CREDENTIALS && { authenticator: credsAuthenticator(readFileSync(NOTICES_CREDENTIALS)) }),
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

/** `user:password@`, or a token: `token@`. */
function credentialsOf(urls: URL[]): Pick<NodeConnectionOptions, 'user' | 'pass' | 'token'> {
  const url = urls.find(({ username }) => username !== '');
  if (!url) return {};
  const user = decodeURIComponent(url.username);
  return url.password ? { user, pass: decodeURIComponent(url.password) } : { token: user };
}
