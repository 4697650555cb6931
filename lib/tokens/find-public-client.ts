import type { PublicClientActor } from '../platform/context';

/** Parley's own client of that name, or null. */
export function findPublicClient(clientId: string): PublicClientActor | null {
  return clientId === 'parley-cli' || clientId === 'parley-web' ? { kind: 'public-client', clientId } : null;
}
