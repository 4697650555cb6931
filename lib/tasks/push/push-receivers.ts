import { findAgentById } from '../../catalog';
import { isCallable } from '../../catalog/schema';
import { authorize } from '../../identity';
import { subscribe } from '../../platform/bus';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { isUuid } from '../../platform/ids';
import { errorFields, log } from '../../platform/runtime/log';
import { describeCredential, findActiveCredential, isCallerActive } from '../../tokens';
import { MAX_PUSH_RECEIVERS } from '../limits';
import type { PushReceiver } from '../schema';
import { deletePushConfigsOf, deleteReceiver, findReceivers } from '../store/push/push-config-rows';

/**
 * Lists the webhooks of the user's tasks, created with any credential or by a delegated agent, without their secrets.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listPushReceivers({ ctx }: { ctx: Ctx }): Promise<{ items: PushReceiver[] }> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:read' });
  const found = await findReceivers(userId, MAX_PUSH_RECEIVERS);
  const items = await Promise.all(
    found.map(
      async ({
        taskId,
        id,
        url,
        ended,
        createdAt,
        lastStatus,
        attempts,
        failingSince,
        ...caller
      }): Promise<PushReceiver[]> => {
        if (!(await isCallerActive(caller, ctx.now))) return [];
        const agent = await findAgentById(caller.agentId);
        return [
          {
            id: `${taskId}.${Buffer.from(id).toString('base64url')}`,
            host: new URL(url).host,
            taskId,
            agent: agent && { slug: agent.slug, name: agent.name },
            credential: await describeCredential(caller.credentialId, ctx.now),
            createdAt: createdAt.toISOString(),
            isOver: ended,
            lastStatus,
            failing: failingSince && { attempts, since: failingSince.toISOString() },
          },
        ];
      },
    ),
  );
  return { items: items.flat() };
}

/**
 * Deletes one of the user's webhooks.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found`, also for another user's webhook
 */
export async function deletePushReceiver({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<void> {
  const { userId: principal } = authorize(ctx.actor, { scope: 'agents:write' });
  const [taskId = '', name = ''] = input.id.split('.', 2);
  const id = Buffer.from(name, 'base64url').toString('utf8');
  const deleted = isUuid(taskId) && !id.includes('\0') && (await deleteReceiver(principal, { taskId, id }));
  if (!deleted) throw new ParleyError('not_found', 'Webhook not found on your tasks.');
}

/** The credentials to which configurations refer directly. Indirect ones are checked at each delivery. */
const credentialIdPattern = /^(ses|pat|sec|dlg)_/;

/**
 * Deletes push configurations whose credential, user or agent is revoked on any node, so that they stay deleted if the
 * account or agent is restored. Returns a function that unsubscribes.
 */
export function removeConfigsOnRevocation(): () => void {
  const unsubscribes = [
    subscribe('credential', '*', (id) => {
      if (credentialIdPattern.test(id)) runSafely(() => removeOfCredential(id));
    }),
    subscribe('user', '*', (id) => runSafely(() => removeOfUser(id))),
    subscribe('agent', '*', (id) => {
      if (id.startsWith('agt_')) runSafely(() => removeOfAgent(id));
    }),
  ];
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
}

function runSafely(work: () => Promise<void>): void {
  // If the deletion fails, nothing is delivered to the configuration, because each delivery checks its credential.
  work().catch((error) => log.warn('push.receiver_deletion_failed', errorFields(error)));
}

async function removeOfCredential(credentialId: string): Promise<void> {
  if (!(await findActiveCredential(credentialId, new Date()))) await deletePushConfigsOf({ credentialId });
}

async function removeOfUser(userId: string): Promise<void> {
  if (!(await findActiveCredential(userId, new Date()))) await deletePushConfigsOf({ principal: userId });
}

async function removeOfAgent(agentId: string): Promise<void> {
  const agent = await findAgentById(agentId);
  if (!agent || !isCallable(agent.status)) await deletePushConfigsOf({ agentId });
}
