import ipaddr from 'ipaddr.js';
import { env } from './env';
import { processSingleton } from './singleton';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

function trustedProxies(): Range[] {
  return processSingleton('trusted-proxies', () =>
    env().TRUSTED_PROXIES.map((text) => (text.includes('/') ? ipaddr.parseCIDR(text) : toHostRange(text))),
  );
}

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
 * Whom a limit for an address counts: the address, of IPv6 the network of 64 bits that one customer is given as a whole
 * (RFC 6177), and out of which they may take another address for every call.
 */
export function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString();
}

/**
 * The address of the caller: the socket's, unless that is a trusted proxy (`TRUSTED_PROXIES`); then the last address in
 * `X-Forwarded-For` that is not one. Nobody else can choose their address.
 */
export function clientAddress(socketAddress: string, forwardedFor: string | null): string {
  if (!forwardedFor || !isTrusted(socketAddress)) return socketAddress;
  const hops = forwardedFor.split(',').map((hop) => hop.trim());
  const firstUntrusted = hops.reverse().find((hop) => !isTrusted(hop));
  return firstUntrusted !== undefined && ipaddr.isValid(firstUntrusted) ? firstUntrusted : socketAddress;
}
