import ipaddr from 'ipaddr.js';
import { env } from '../runtime/env';
import { once } from '../runtime/once';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

const trustedProxies = once((): Range[] =>
  env().TRUSTED_PROXIES.map((text) => (text.includes('/') ? ipaddr.parseCIDR(text) : toHostRange(text))),
);

function toHostRange(text: string): Range {
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function isTrusted(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return trustedProxies().some(
    ([range, bits]) => range.kind() === address.kind() && address.match([range, bits] as never),
  );
}

/**
 * Returns the key of an address for rate limits: an IPv4 address, or the /64 network of an IPv6 address, because one
 * customer is assigned a whole /64 (RFC 6177) and can use any address in it.
 */
export function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString();
}

/**
 * Returns the caller's address: the address of the socket, or, if that is a trusted proxy (`TRUSTED_PROXIES`), the last
 * address in `X-Forwarded-For` that is not a trusted proxy, so that callers cannot forge it.
 */
export function clientAddress(socketAddress: string, forwardedFor: string | null): string {
  if (!forwardedFor || !isTrusted(socketAddress)) return socketAddress;
  const hops = forwardedFor.split(',').map((hop) => hop.trim());
  const firstUntrusted = hops.reverse().find((hop) => !isTrusted(hop));
  return firstUntrusted !== undefined && ipaddr.isValid(firstUntrusted) ? firstUntrusted : socketAddress;
}
