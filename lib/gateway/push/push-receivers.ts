import { findAgentById } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { isUuid } from '../../platform/ids';
import { describeCredential, isCallerActive } from '../../tokens';
import type { PushReceiver } from '../schema';
import { deleteReceiver, findReceivers } from '../store/push-configs';

/** Receivers that are shown; those that still get pushes come first. */
const maxReceivers = 200;

/**
 * Where updates of the person's tasks are pushed to, whichever of their credentials, or agent that acts for them, asked for it. The
 * secrets of a receiver are not among it.
 * @throws {ParleyError} `unauthenticated`
 */
export async function listPushReceivers({ ctx }: { ctx: Ctx }): Promise<{ items: PushReceiver[] }> {
  const found = await findReceivers(requireUserId(ctx), maxReceivers);
  const items = await Promise.all(
    found.map(async ({ taskId, id, url, ended, createdAt, ...caller }): Promise<PushReceiver[]> => {
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
        },
      ];
    }),
  );
  return { items: items.flat() };
}

/**
 * Deletes one of the person's push receivers: nothing more is sent to it.
 * @throws {ParleyError} `unauthenticated`; `not_found`, alike for unknown ones and those of others
 */
export async function deletePushReceiver({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<void> {
  const principal = requireUserId(ctx);
  const [taskId = '', name = ''] = input.id.split('.', 2);
  const id = Buffer.from(name, 'base64url').toString('utf8');
  const deleted = isUuid(taskId) && !id.includes('\0') && (await deleteReceiver(principal, { taskId, id }));
  if (!deleted) throw new ParleyError('not_found', 'There is no such push receiver on a task of yours.');
}

function requireUserId({ actor }: Ctx): string {
  if (actor.kind !== 'user') throw new ParleyError('unauthenticated', 'Sign in to see your push receivers.');
  return actor.userId;
}
