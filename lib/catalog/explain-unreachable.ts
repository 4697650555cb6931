import { type ConnectionFailure, connectionFailureOf } from '../platform/connection-failure';
import { asParleyError, type ParleyError } from '../platform/errors';
import { cardUnreachable } from './errors';

/**
 * Why no answer came from the address of a card, as the person who lists the agent should read it: refused, no such name, no
 * route, a bad certificate, no TLS, no HTTP, silence and a broken connection are different mistakes. Calls through the gateway
 * keep one text for all of these (SSRF-5); whoever lists an agent may only reach what may be called.
 */
export function explainUnreachable(cardUrl: string, error: unknown, timeoutMs: number): ParleyError {
  const known = asParleyError(error);
  if (known?.code === 'url_refused') return known;
  if (known?.code === 'agent_misbehaved') return cardUnreachable(`${cardUrl}: ${known.message}`, known);
  const failure = connectionFailureOf(error);
  if (failure) return cardUnreachable(messages[failure](new URL(cardUrl)), error);
  if (known?.code === 'agent_timeout' || isTimeout(error)) {
    const text = `${cardUrl} sent no complete answer within ${timeoutMs / 1000} s. Check that the agent answers GET there.`;
    return cardUnreachable(text, error);
  }
  return cardUnreachable(`The connection to ${new URL(cardUrl).host} failed. Check the address.`, error);
}

function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'TimeoutError' || error.name === 'AbortError' || isTimeout(error.cause);
}

const messages: Record<ConnectionFailure, (url: URL) => string> = {
  refused: ({ host, href }) =>
    `Connection refused: nothing listens at ${host}. Start the agent, or correct the port of ${href}.`,
  'name-not-found': ({ hostname }) => `The name "${hostname}" does not exist in DNS. Check its spelling.`,
  'name-lookup-failed': ({ hostname }) =>
    `The name "${hostname}" could not be looked up in DNS. Try again in a moment.`,
  'no-route': ({ host }) => `There is no route to ${host}. Check that the address is reachable from the Internet.`,
  'connect-timeout': ({ host }) =>
    `Connecting to ${host} timed out. Check that the server runs and that no firewall drops connections.`,
  certificate: ({ host }) =>
    `The TLS certificate of ${host} is not valid for this name, has expired, or is not signed by a known authority. Renew or correct the certificate.`,
  tls: ({ host, href }) =>
    `${host} does not speak TLS as expected. Check the port, or write ${href.replace(/^https:/, 'http:')} if the server speaks plain HTTP.`,
  'not-http': ({ host, protocol }) =>
    `${host} answered with something that is not HTTP. Check the port${protocol === 'http:' ? ', or write https:// if the server speaks TLS' : ''}.`,
  closed: ({ host }) =>
    `${host} closed the connection before the answer was complete. Check the port and the log of the agent.`,
};
