import { randomUUID } from 'node:crypto';
import { type AgentRecord, findAgent, registerAgent } from '../../catalog';
import type { RegisterInput } from '../../catalog/schema-registration';
import type { Ctx, UserActor } from '../../platform/context';
import { hasCode, ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { errorFields, log } from '../../platform/runtime/log';
import { HubError } from '../../protocol/hub/errors';
import type { RegisterParams } from '../../protocol/hub/society';
import { mayServe } from '../../tokens';
import type { RunChannel } from '../channel';
import { authenticateWorker, findServingUser, type WorkerAuthorization } from '../connections/authenticate-worker';
import { openSession } from '../connections/connect-worker';
import type { Connected } from '../connections/connection';
import { SOCIETY_CAPACITY } from '../limits';

// Society AI's clients stop permanently if the text contains one of these words, and retry otherwise.
const OWNED_BY_ANOTHER = 'owned by another user';
const ID_MISMATCH = 'Routing id mismatch';

/**
 * Registers a client for the agent that it specifies. If the name is unused, lists the agent for the token's owner.
 * Returns the connected worker, or the reason for a refusal as text.
 */
export async function registerClient(
  channel: RunChannel,
  params: RegisterParams,
  now: Date,
): Promise<Connected | string> {
  try {
    const authorization = await authorize(params, now);
    const { framework, framework_version, adapter_version } = params;
    const version = [framework, framework_version, adapter_version].filter(Boolean).join(' ').slice(0, 100);
    const { id: agentId } = authorization.agent;
    const identity = { agentId, workerId: randomUUID(), capacity: SOCIETY_CAPACITY, redelivers: false };
    const { session } = await openSession(channel, identity, { version, runs: [], now });
    return { session, authorization };
  } catch (error) {
    if (error instanceof HubError) return error.message;
    if (error instanceof ParleyError) return error.message;
    log.error('hub.register_failed', errorFields(error));
    return 'Something went wrong on our side. Try again.';
  }
}

/**
 * Returns the authorization for the agent that the client specifies, which is listed if the name is unused.
 * @throws {HubError} `invalid_token`, `not_your_agent`, `suspended`
 * @throws {ParleyError} `rate_limited`, `conflict`
 */
async function authorize(params: RegisterParams, now: Date): Promise<WorkerAuthorization> {
  const { agent_name: slug } = params;
  const token = params.auth_token ?? '';
  try {
    return await authenticateWorker(token, { slug, now });
  } catch (error) {
    if (!(error instanceof HubError) || error.reason !== 'not_your_agent') throw error;
  }
  const user = await findServingUser(token, now);
  const agent = await findAgent(slug);
  if (agent) throw new HubError('not_your_agent', refusalOf(agent, user));
  if (!user) throw new HubError('not_your_agent', `${ID_MISMATCH}: the token is for another agent than "${slug}".`);
  await listFor(user, params, now);
  return authenticateWorker(token, { slug, now });
}

/** Returns the reason why the token may not serve a listed agent. */
function refusalOf(agent: AgentRecord, user: UserActor | null): string {
  const { slug } = agent;
  if (user && !mayServe(user.userId, agent)) return `The name "${slug}" is ${OWNED_BY_ANOTHER}. Choose another one.`;
  if (!user) return `${ID_MISMATCH}: the token is for another agent than "${slug}".`;
  return `${ID_MISMATCH}: the agent "${slug}" is listed with its own URL.`;
}

/**
 * Lists an agent. The scope `agents:serve` of the connection is sufficient for an unused name.
 * @throws {HubError} `not_your_agent` for an invalid name
 * @throws {ParleyError} `rate_limited`, `conflict`
 */
async function listFor(user: UserActor, { agent_name: slug, visibility }: RegisterParams, now: Date): Promise<void> {
  const actor: UserActor = {
    ...user,
    credential: { kind: 'access-token', id: user.credential.id, scopes: ['agents:write'] },
  };
  const input: RegisterInput = { hub: true, slug, visibility: visibility === 'public' ? 'public' : 'private' };
  const ctx: Ctx = { actor, requestId: newId('req'), signal: new AbortController().signal, now };
  try {
    await registerAgent({ ctx, input, ownsApp: () => Promise.resolve(false) });
  } catch (error) {
    if (!hasCode(error, 'invalid_request')) throw error;
    throw new HubError('not_your_agent', `${ID_MISMATCH}: ${error.message}`);
  }
}
