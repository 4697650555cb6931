import type { AgentRecord } from '../../catalog';
import type { CallerActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { HubError } from '../../protocol/hub/errors';
import { OAuthError } from '../../protocol/oauth/authorization-server';
import { isCredentialActive } from '../access-tokens/credentials';
import type { TokenGrant } from '../agent-tokens/issue-token';
import { findScopes, hiringSetting } from '../oauth/grants';
import { findActingClient } from './acting-client';
import { type Delegator, delegableScopes, delegate } from './delegate';
import { delegationKeyOf } from './delegation';
import { credentialOfTask } from './upstream-token';

/** An agent that acts for the caller of one of its tasks, without a token exchange. */
interface Delegated {
  task: { principal: string; credentialId: string };
  /** The agent that works on the task. */
  agent: AgentRecord;
  /** The credential of the agent: a secret of its app, or an access token of a user who serves it. */
  actingId: string;
  /** The agent to call. The caller has checked that the principal may call it. */
  target: AgentRecord;
}

/**
 * The caller identity of the agent at `target`, equal to that of a token exchange of the task's upstream token with all
 * its scopes.
 * @throws {HubError} `no_person` for a task of an app, `hiring_refused`, `caller_ended`
 * @throws {ParleyError} `invalid_target` for an agent that already acts in the chain, or too many of them
 */
export async function delegatedCaller(input: Delegated, now: Date): Promise<CallerActor> {
  const { task, agent, actingId, target } = input;
  const { principal } = task;
  if (!principal.startsWith('usr_')) {
    throw new HubError('no_person', 'The caller of this run is an app. Agents can only act for users.');
  }
  const credentialId = await credentialOfTask(task, now);
  const active = await isCredentialActive(credentialId, now);
  const client = await findActingClient(actingId, agent, now);
  if (active?.principal !== principal || !client) throw callerEnded();
  const { clientId } = client;
  const grant = await delegateAll({ agent, principal, credentialId, actingId, clientId }, target, now);
  const delegation = await delegationKeyOf(grant.credentialId);
  // A delegation without a row must not count as the user.
  if (delegation === undefined) throw callerEnded();
  const { scopes } = grant;
  return {
    kind: 'caller',
    principal,
    credentialId: grant.credentialId,
    delegation,
    agentId: target.id,
    clientId,
    scopes,
  };
}

function callerEnded(): HubError {
  return new HubError('caller_ended', 'The token or session of the caller of this run has expired or was revoked.');
}

async function delegateAll(delegator: Delegator, target: AgentRecord, now: Date): Promise<TokenGrant> {
  const { principal, credentialId, agent } = delegator;
  if ((await hiringSetting({ principal, credentialId, agentId: agent.id })) === 'never') {
    const text = 'The user does not allow this agent to act for them. They can change this in their settings.';
    throw new HubError('hiring_refused', text);
  }
  try {
    const scopes = delegableScopes(await findScopes(delegator));
    return await delegate(delegator, { target, scopes }, now);
  } catch (error) {
    throw error instanceof OAuthError ? new ParleyError('invalid_target', error.message) : error;
  }
}
