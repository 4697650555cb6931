import { findAgentById } from '../catalog';
import { findActiveSession, findUser } from '../identity';
import { findActiveAccessToken } from './access-token';
import { findDelegation } from './delegation';
import { findActiveApp } from './find-active-app';
import { findScopes } from './grants';
import { mayCall } from './policy';
import { PROBE_CLIENT } from './probe-client';

/**
 * Who stands behind a credential, when it is good at `now` and they are not suspended; else null. Knows sessions
 * (`ses_…`), access tokens (`pat_…`), secrets of apps (`sec_…`), delegations (`dlg_…`), and people (`usr_…`) and apps
 * (`app_…`) themselves, and Parley's own probes. Answers from memory that notices empty.
 */
export async function isCredentialActive(credentialId: string, now: Date): Promise<{ principal: string } | null> {
  switch (credentialId.slice(0, 3)) {
    case 'ses':
      return toPrincipal(await findActiveSession(credentialId, now));
    case 'pat':
      return findActivePerson((await findActiveAccessToken(credentialId, now))?.userId);
    case 'usr':
      return findActivePerson(credentialId);
    case 'sec':
    case 'app': {
      const app = await findActiveApp(credentialId, now);
      return app && { principal: app.appId };
    }
    case 'prb':
      return credentialId === PROBE_CLIENT.principal ? { principal: credentialId } : null;
    case 'dlg':
      return findActiveDelegation(credentialId, now);
    default:
      return null;
  }
}

function toPrincipal(session: { userId: string } | null): { principal: string } | null {
  return session && { principal: session.userId };
}

async function findActivePerson(userId: string | undefined): Promise<{ principal: string } | null> {
  const user = userId === undefined ? null : await findUser(userId);
  return user && !user.suspended ? { principal: user.id } : null;
}

/** Good while what was exchanged is, the acting agent is up and its app's secret good, and the person lets it act. */
async function findActiveDelegation(id: string, now: Date): Promise<{ principal: string } | null> {
  const delegation = await findDelegation(id);
  if (!delegation || delegation.hasEnded) return null;
  const parent = await isCredentialActive(delegation.parentId, now);
  if (!parent) return null;
  const [agent, app] = [await findAgentById(delegation.agentId), await findActiveApp(delegation.secretId, now)];
  if (!agent || !app || agent.appId !== app.appId || !mayCall(parent.principal, agent)) return null;
  const scopes = await findScopes({ ...parent, credentialId: delegation.parentId, agent });
  return scopes.includes('delegate') ? parent : null;
}
