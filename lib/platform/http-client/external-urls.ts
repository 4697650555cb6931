import ipaddr from 'ipaddr.js';
import { ParleyError } from '../errors';
import { env } from '../runtime/env';
import { once } from '../runtime/once';

const allowedPorts = new Set(['', '443', '8443', '4443', '9443']);

/** Allows an origin (the demo agents' own), as `AGENT_URL_ALLOW` does. */
export function allowOrigin(origin: string): void {
  allowedOrigins().add(origin);
}

const allowedOrigins = once((): Set<string> => new Set(env().AGENT_URL_ALLOW));

/** Returns true if the operator has exempted the URL's origin from the rules. */
export function isExempt(url: URL): boolean {
  return allowedOrigins().has(url.origin) || allowedOrigins().has(`${url.protocol}//${url.hostname}:*`);
}

/**
 * Checks an untrusted URL before any request: it must use https and an allowed port, have neither credentials nor a
 * fragment, and not refer to Parley itself. Resolved addresses are checked when connecting.
 * @throws {ParleyError} `url_refused`, with the rule and `AGENT_URL_ALLOW`
 */
export function checkExternalUrl(text: string): URL {
  if (!URL.canParse(text)) throw urlRefused(`"${text.slice(0, 200)}" is not an absolute URL`);
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw urlRefused(`its scheme is ${url.protocol}`);
  if (url.username || url.password) throw urlRefused('it contains a user name or password');
  if (url.hash) throw urlRefused('it has a fragment');
  if (isOwnUrl(url)) throw urlRefused('it is the URL of Parley itself');
  if (isExempt(url)) return url;
  if (url.protocol !== 'https:') throw urlRefused('it is not https');
  if (!allowedPorts.has(url.port)) throw urlRefused(`its port is ${url.port}`);
  if (/^[\d.]+$|^\[/.test(url.hostname) && !isPublicAddress(url.hostname))
    throw urlRefused('its IP address is not public');
  return url;
}

const ownUrl = once(() => new URL(env().APP_URL));

// Compares with the hosts of APP_URL and GRPC_URL, also with a trailing dot, and the loopback names with the server's
// ports.
function isOwnUrl(url: URL): boolean {
  const own = ownUrl();
  const { PORT, GRPC_PORT, GRPC_URL } = env();
  const host = url.hostname.replace(/\.$/, '');
  if (host === own.hostname && url.port === own.port) return true;
  if (`${host}:${url.port || (url.protocol === 'https:' ? 443 : 80)}` === GRPC_URL) return true;
  return /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(host) && [PORT, GRPC_PORT].map(String).includes(url.port);
}

/** Returns the error for a URL that the rules refuse. */
export function urlRefused(why: string): ParleyError {
  return new ParleyError(
    'url_refused',
    `This URL cannot be used: ${why}. Expected an https URL on the public Internet; the operator can exempt an origin with AGENT_URL_ALLOW.`,
  );
}

/** IPv6 networks that embed an IPv4 address, each with the offset of that address in bytes. */
const ipv4Embeddings: { range: [ipaddr.IPv6, number]; offset: number }[] = [
  { range: cidr('::/96'), offset: 12 },
  { range: cidr('64:ff9b::/96'), offset: 12 },
  { range: cidr('64:ff9b:1::/48'), offset: 12 },
  { range: cidr('::ffff:0:0:0/96'), offset: 12 },
  { range: cidr('2002::/16'), offset: 2 },
];

/** Cloud metadata addresses in public ranges. */
const metadataAddresses = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']);

function cidr(text: string): [ipaddr.IPv6, number] {
  return ipaddr.parseCIDR(text) as [ipaddr.IPv6, number];
}

/** Returns true if the address is global unicast, including an IPv4 address embedded in it. */
export function isPublicAddress(text: string): boolean {
  const bare = text.replace(/^\[|\]$/g, '');
  if (!ipaddr.isValid(bare) || metadataAddresses.has(bare)) return false;
  const address = ipaddr.process(bare);
  if (metadataAddresses.has(address.toString())) return false;
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  return isPublicIpv6(address as ipaddr.IPv6);
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  for (const { range, offset } of ipv4Embeddings) {
    if (!address.match(range)) continue;
    const inner = address.toByteArray().slice(offset, offset + 4);
    // ::/96 is never global (RFC 4291 §2.5.5.1); the others are as public as the embedded address.
    return offset !== 12 || !address.match(cidr('::/96')) ? isPublicAddress(inner.join('.')) : false;
  }
  return address.range() === 'unicast' && address.match(cidr('2000::/3'));
}
