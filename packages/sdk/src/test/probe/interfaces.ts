import { type JsonObject, objectsOf } from '../json-value.js';

/** One URL at which an agent can be called, as its card says. */
export interface CardInterface {
  url: unknown;
  binding: unknown;
  protocolVersion: unknown;
  /** Sent with each request, if the card has one. */
  tenant?: string;
}

/** An interface that this package can call. */
export interface ProbeInterface {
  url: string;
  binding: 'JSONRPC' | 'HTTP+JSON';
  /** The version that is spoken: 0.3 for all 0.x, 1.0 for all 1.x. */
  version: '0.3' | '1.0';
  tenant?: string;
  /** The output modes of the card, which 0.3 requires in requests. */
  outputModes: string[];
}

/** Returns true for a card in the form of A2A 1.0 (section 4.4.1); earlier cards have a single `url`. */
export function isCardOfV1(card: JsonObject): boolean {
  return 'supportedInterfaces' in card || !('url' in card);
}

/** Returns the interfaces of a card, the preferred one first. */
export function interfacesOf(card: JsonObject): CardInterface[] {
  if (isCardOfV1(card)) {
    return objectsOf(card.supportedInterfaces).map(({ url, protocolBinding: binding, protocolVersion, tenant }) => ({
      ...{ url, binding, protocolVersion },
      ...(typeof tenant === 'string' && tenant !== '' && { tenant }),
    }));
  }
  const { url, preferredTransport = 'JSONRPC', additionalInterfaces, protocolVersion = '0.3.0' } = card;
  const main = { url, binding: preferredTransport, protocolVersion };
  const others = objectsOf(additionalInterfaces).map((other) => ({
    url: other.url,
    binding: other.transport,
    protocolVersion,
  }));
  return [main, ...others.filter((other) => other.url !== url || other.binding !== preferredTransport)];
}

/** Returns the interface if this package can call it, otherwise null: gRPC, HTTP+JSON of 0.3, and unknown ones. */
export function toProbeInterface(
  { url, binding, protocolVersion, tenant }: CardInterface,
  card: JsonObject,
): ProbeInterface | null {
  if (!isHttpUrl(url) || typeof protocolVersion !== 'string') return null;
  const version = /^1\.\d/.test(protocolVersion) ? '1.0' : /^0\.[23]/.test(protocolVersion) ? '0.3' : null;
  if (version === null || (binding !== 'JSONRPC' && binding !== 'HTTP+JSON')) return null;
  if (binding === 'HTTP+JSON' && version === '0.3') return null;
  const modes = Array.isArray(card.defaultOutputModes) ? card.defaultOutputModes : [];
  const outputModes = modes.filter((mode) => typeof mode === 'string');
  return { url, binding, version, outputModes, ...(tenant !== undefined && { tenant }) };
}

/** Returns true for an absolute URL of http or https. */
export function isHttpUrl(url: unknown): url is string {
  return typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** Returns a name of the interface for reports, such as `A2A 1.0 over HTTP+JSON`. */
export function nameOf({ version, binding }: ProbeInterface): string {
  return `A2A ${version} over ${binding === 'JSONRPC' ? 'JSON-RPC' : 'HTTP+JSON'}`;
}
