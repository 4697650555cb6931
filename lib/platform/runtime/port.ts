/** Operations of higher domains that a domain calls. */
export interface Port<Operations> {
  /** Sets the operations; the composition root (lib/node/lifecycle.ts) does so before the node starts. */
  connect: (operations: Operations) => void;
  /** @throws {Error} before {@link connect} */
  operations: () => Operations;
}

const unconnected = new Set<string>();

/** Declares the port of a domain. */
export function declarePort<Operations>(domain: string): Port<Operations> {
  let current: Operations | undefined;
  unconnected.add(domain);
  return {
    connect: (operations) => {
      current = operations;
      unconnected.delete(domain);
    },
    operations: () => {
      if (current === undefined) throw new Error(`the port of lib/${domain} is not connected`);
      return current;
    },
  };
}

/**
 * Requires that every declared port is connected.
 * @throws {Error} with the domains whose ports are not connected
 */
export function requirePorts(): void {
  if (unconnected.size === 0) return;
  throw new Error(`lib/node/lifecycle.ts connects no operations to ${[...unconnected].join(', ')}`);
}
