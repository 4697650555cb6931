export type Parameters<Name extends string> =
  | { kind: 'read'; values: Partial<Record<Name, string>> }
  | { kind: 'repeated'; name: Name };

/**
 * Reads the parameters that an endpoint knows from a form or query text (RFC 6749 §3.2): one without a value counts as
 * absent, one given twice is a fault, unknown ones are ignored.
 */
export function readParameters<Name extends string>(text: string, names: readonly Name[]): Parameters<Name> {
  const form = new URLSearchParams(text);
  const values: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const [value, ...more] = form.getAll(name);
    if (more.length > 0) return { kind: 'repeated', name };
    if (value) values[name] = value;
  }
  return { kind: 'read', values };
}
