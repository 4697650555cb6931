import { z } from 'zod';
import { authorize } from '../../identity';
import type { Call } from '../../platform/context';
import { cursorText, cursorTime, defineCursor, readPages } from '../../platform/db/cursor';
import { viewOfAcceptance } from '../acceptance/acceptance-rules';
import { MAX_APPROVAL_ID_LENGTH, MAX_PAGE_SIZE } from '../limits';
import type { ChargeRefundRecord } from '../record';
import type { AcceptanceView } from '../schema-disputes';
import type { TaskChargeFilter, TaskCharges, TaskChargeView } from '../schema-plans';
import { agentIdOfFilter, toAgentName } from '../sellers/agent-names';
import { findAcceptances } from '../store/earnings/acceptance-rows';
import { findChargeRefunds } from '../store/plans/charge-refund-rows';
import { findCharges, type TaskChargeRecord } from '../store/plans/task-charges';

const chargeCursor = defineCursor({
  list: 'task-charges',
  position: z.object({ authorizedAt: cursorTime, id: cursorText(MAX_APPROVAL_ID_LENGTH) }),
});

/**
 * Lists what the user's tasks and messages cost by price plans, newest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `invalid_request`
 */
export async function listTaskCharges({ ctx, input }: Call<TaskChargeFilter>): Promise<TaskCharges> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  const { task = null, agent, cursor, limit } = input;
  const agentId = (await agentIdOfFilter(agent)) ?? null;
  const last = cursor === undefined ? null : chargeCursor.decode(cursor);
  const after = last && { at: last.authorizedAt, id: last.id };
  const found = await findCharges({ userId, taskId: task, agentId, after, limit: limit + 1 });
  const { rows, nextCursor } = chargeCursor.pageOf(found, limit);
  const ids = rows.map(({ id }) => id);
  const refunds = await findChargeRefunds(ids);
  const acceptances = await findAcceptances(ids);
  const viewOf = (charge: TaskChargeRecord): Promise<TaskChargeView> =>
    toView(charge, {
      refunds: refunds.filter(({ chargeId }) => chargeId === charge.id),
      acceptance: viewOfAcceptance(acceptances.get(charge.id), ctx.now),
    });
  return { items: await Promise.all(rows.map(viewOf)), nextCursor };
}

/** Streams all charges of the user, newest first. */
export function readTaskCharges({ ctx }: Pick<Call<void>, 'ctx'>): AsyncGenerator<TaskChargeView> {
  return readPages((page) => listTaskCharges({ ctx, input: page }), MAX_PAGE_SIZE);
}

async function toView(
  charge: TaskChargeRecord,
  { refunds, acceptance }: { refunds: ChargeRefundRecord[]; acceptance: AcceptanceView | null },
): Promise<TaskChargeView> {
  const { id, agentId, taskId, plan, test, currency, units, state, reason, authorizedAt, settledAt } = charge;
  return {
    ...{ id, taskId, plan, test, units, state, reason },
    agent: await toAgentName(agentId),
    authorized: { currency, minor: charge.authorized },
    captured: { currency, minor: charge.captured },
    refunded: { currency, minor: refunds.reduce((sum, { amount }) => sum + amount, 0) },
    refunds: refunds.map((refund) => ({
      id: refund.id,
      amount: refund.amount,
      reason: refund.reason,
      at: refund.createdAt.toISOString(),
    })),
    authorizedAt: authorizedAt.toISOString(),
    settledAt: settledAt?.toISOString() ?? null,
    acceptance,
  };
}
