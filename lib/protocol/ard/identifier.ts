/** Media type of an ARD entry whose artifact is an A2A agent card (ARD §3.3). */
export const A2A_CARD_TYPE = 'application/a2a-agent-card+json';
/** Media type of an ARD entry that describes a registry (ARD §5.3). */
export const REGISTRY_TYPE = 'application/ai-registry+json';

/** The pattern of the identifiers in ARD's schemas (ARD Appendix C). */
const identifierPattern = /^urn:air:[a-zA-Z0-9.-]+(?::[a-zA-Z0-9._-]+)+$/;

/** True for a syntactically valid identifier of an entry. */
export function isIdentifier(text: string): boolean {
  return identifierPattern.test(text);
}

/** The identifier of a resource in one of a publisher's namespaces. */
export function identifierOf(publisher: string, namespace: string, name: string): string {
  return `urn:air:${publisher}:${namespace}:${name}`;
}

/** The name in an identifier of that publisher and namespace, or null. Compared case-sensitively (ARD §5.3.4). */
export function nameIn(identifier: string, publisher: string, namespace: string): string | null {
  const prefix = identifierOf(publisher, namespace, '');
  return identifier.startsWith(prefix) ? identifier.slice(prefix.length) : null;
}

/**
 * The publisher in identifiers of a server: its host name. ARD requires a domain name that is unique in DNS. A server
 * on the local machine uses `agent.localhost`, which is meaningless on other machines; null for other hosts without a
 * domain.
 */
export function publisherOf(origin: string): string | null {
  const host = new URL(origin).hostname.replace(/\.$/, '');
  if (host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host)) return 'agent.localhost';
  const isName = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/.test(host);
  return isName ? host : null;
}
