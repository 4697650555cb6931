import { findAgentById } from '../catalog';
import { findActiveAccessToken } from './access-token';
import { findDelegation } from './delegation';
import type { CredentialView } from './schema';

/** By what a person knows one of their credentials that is good at `now`. Whose it is must be known. */
export async function describeCredential(credentialId: string, now: Date): Promise<CredentialView> {
  switch (credentialId.slice(0, 3)) {
    case 'ses':
      return { kind: 'session', name: null };
    case 'pat': {
      const token = await findActiveAccessToken(credentialId, now);
      const kind = token?.generation === null ? 'access-token' : 'device';
      return { kind: token ? kind : 'unknown', name: token?.name ?? null };
    }
    case 'dlg': {
      const delegation = await findDelegation(credentialId);
      const agent = delegation && (await findAgentById(delegation.agentId));
      return { kind: 'agent', name: agent?.name ?? null };
    }
    default:
      return { kind: 'unknown', name: null };
  }
}
