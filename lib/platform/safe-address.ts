import ipaddr from 'ipaddr.js';

/** Networks that carry an IPv4 address inside an IPv6 one, with the place of that address. */
const ipv4Embeddings: { range: [ipaddr.IPv6, number]; offset: number }[] = [
  { range: cidr('::/96'), offset: 12 },
  { range: cidr('64:ff9b::/96'), offset: 12 },
  { range: cidr('64:ff9b:1::/48'), offset: 12 },
  { range: cidr('::ffff:0:0:0/96'), offset: 12 },
  { range: cidr('2002::/16'), offset: 2 },
];

/** Addresses that look public and serve a cloud's metadata. */
const metadataAddresses = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']);

function cidr(text: string): [ipaddr.IPv6, number] {
  return ipaddr.parseCIDR(text) as [ipaddr.IPv6, number];
}

/** True when the address is global unicast after all IPv4-in-IPv6 wrappings are undone (SSRF-4). */
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
    // ::/96 has no global meaning at all (RFC 4291 §2.5.5.1); the others are as public as what they carry.
    return offset !== 12 || !address.match(cidr('::/96')) ? isPublicAddress(inner.join('.')) : false;
  }
  return address.range() === 'unicast' && address.match(cidr('2000::/3'));
}
