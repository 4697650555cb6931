import { newId } from '../../platform/ids';
import type { McpAuthorization } from '../cards/mcp-card';
import type { CredentialInput } from '../schema';
import { openAgentCredential } from './agent-credential';
import { getOauthToken } from './oauth-token';

const nothing: McpAuthorization = { headers: {}, query: null };

/**
 * Returns how a credential is presented to a server whose tools Parley reads.
 * @throws {ParleyError} the errors of fetching an OAuth token
 */
export async function presentCredential(
  credential: CredentialInput | undefined,
  { now, key = newId('req') }: { now: Date; key?: string },
): Promise<McpAuthorization> {
  if (!credential) return nothing;
  switch (credential.kind) {
    case 'bearer':
      return { headers: { authorization: `Bearer ${credential.token}` }, query: null };
    case 'api-key': {
      const { in: place, name, value } = credential;
      if (place === 'query') return { headers: {}, query: [name, value] };
      return { headers: { [name.toLowerCase()]: value }, query: null };
    }
    case 'oauth-client-credentials':
      return { headers: { authorization: `Bearer ${await getOauthToken({ key, credential, now })}` }, query: null };
  }
}

/** Returns how the stored credential of a listed agent is presented. */
export async function presentStoredCredential(agentId: string, now: Date): Promise<McpAuthorization> {
  const stored = await openAgentCredential(agentId);
  return presentCredential(stored?.credential, { now, ...(stored && { key: `${agentId} ${stored.setAt.getTime()}` }) });
}
