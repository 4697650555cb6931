export type ParsedParameters<Name extends string> =
  | { kind: 'read'; values: Partial<Record<Name, string>> }
  | { kind: 'repeated'; name: Name };

/**
 * Reads the parameters that an endpoint knows from a form or query text (RFC 6749 §3.2): one without a value counts as
 * absent, one given twice is a fault, unknown ones are ignored.
 */
export function readParameters<Name extends string>(text: string, names: readonly Name[]): ParsedParameters<Name> {
  const found = new Map<Name, string>();
  for (const [key, value] of pairsOf(text)) {
    const name = names.find((known) => known === key);
    if (name === undefined) continue;
    if (found.has(name)) return { kind: 'repeated', name };
    found.set(name, value);
  }
  const values: Partial<Record<Name, string>> = {};
  for (const [name, value] of found) if (value) values[name] = value;
  return { kind: 'read', values };
}

/** The pairs of a form. Most have nothing to decode, and decoding a long token costs as much as checking it. */
function pairsOf(text: string): Iterable<[string, string]> {
  if (/[%+]|^\?/.test(text)) return new URLSearchParams(text);
  return text.split('&').filter(Boolean).map(splitPair);
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}
