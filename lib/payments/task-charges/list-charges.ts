import { z } from 'zod';
import { findAgent, requireVisible } from '../../catalog';
import { authorize } from '../../identity';
import type { Call } from '../../platform/context';
import { cursorText, cursorTime, defineCursor } from '../../platform/db/cursor';
import { MAX_APPROVAL_ID_LENGTH } from '../limits';
import type { TaskChargeFilter, TaskCharges, TaskChargeView } from '../schema-plans';
import { toAgentName } from '../sellers/agent-names';
import { findCharges, type TaskChargeRecord } from '../store/plans/task-charges';

const chargeCursor = defineCursor({
  list: 'task-charges',
  position: z.object({ authorizedAt: cursorTime, id: cursorText(MAX_APPROVAL_ID_LENGTH) }),
});

/**
 * Lists what the user's tasks and messages cost by price plans, newest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `invalid_request`, `not_found`
 */
export async function listTaskCharges({ ctx, input }: Call<TaskChargeFilter>): Promise<TaskCharges> {
  const user = authorize(ctx.actor, { scope: 'pay' });
  const { userId } = user;
  const { task = null, agent, cursor, limit } = input;
  const agentId = agent === undefined ? null : requireVisible(user, await findAgent(agent)).id;
  const last = cursor === undefined ? null : chargeCursor.decode(cursor);
  const after = last && { at: last.authorizedAt, id: last.id };
  const found = await findCharges({ userId, taskId: task, agentId, after, limit: limit + 1 });
  const { rows, nextCursor } = chargeCursor.pageOf(found, limit);
  return { items: await Promise.all(rows.map(toView)), nextCursor };
}

async function toView(charge: TaskChargeRecord): Promise<TaskChargeView> {
  const { id, agentId, taskId, plan, test, currency, units, state, reason, authorizedAt, settledAt } = charge;
  return {
    ...{ id, taskId, plan, test, units, state, reason },
    agent: await toAgentName(agentId),
    authorized: { currency, minor: charge.authorized },
    captured: { currency, minor: charge.captured },
    authorizedAt: authorizedAt.toISOString(),
    settledAt: settledAt?.toISOString() ?? null,
  };
}
