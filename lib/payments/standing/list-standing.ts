import { authorize, proveChange, recordChange } from '../../identity';
import { appendAudit, standingChanged } from '../../observability';
import type { Ctx } from '../../platform/context';
import { inTransaction, lockName } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { toAgentName } from '../orders/order-view';
import type { SetPaused, SetStopped, StandingApprovalView, StandingList } from '../schema-standing';
import { findAutomaticEmails } from '../store/spending-alerts';
import { findTimeZone } from '../store/spending-limits';
import {
  findStandingApprovals,
  findStoppedAt,
  type StandingRecord,
  saveStoppedAt,
  updateStanding,
} from '../store/standing-approvals';
import { findStandingUse } from '../store/standing-use';
import { readStandingText } from './text';

/**
 * The user's standing approvals with their use, newest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listStandingApprovals({ ctx }: { ctx: Ctx }): Promise<StandingList> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  const timeZone = (await findTimeZone(userId)) ?? 'UTC';
  const items: StandingApprovalView[] = [];
  for (const record of await findStandingApprovals(userId))
    items.push(await toView(record, { timeZone, now: ctx.now }));
  const [stoppedAt, emails] = await Promise.all([findStoppedAt(userId), findAutomaticEmails(userId)]);
  return { stopped: stoppedAt !== null, emails, items };
}

/**
 * Pauses a standing approval, or resumes it, which is a guarded change.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens; `passkey_required`, `passkey_refused`,
 *   `sign_in_again`; `not_found`
 */
export async function pauseStanding({
  ctx,
  input: { id, paused, assertion },
}: {
  ctx: Ctx;
  input: SetPaused & { id: string };
}): Promise<StandingList> {
  if (!paused) await proveChange(ctx, { guard: 'standing.resume', detail: { id } }, assertion);
  return change(ctx, id, paused ? 'paused' : 'resumed');
}

/**
 * Revokes a standing approval permanently. The next cart on any node is not paid.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens; `not_found`
 */
export function revokeStanding({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<StandingList> {
  return change(ctx, input.id, 'revoked');
}

/**
 * Stops all automatic payments immediately, or allows them again, which is a guarded change.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens; `passkey_required`, `passkey_refused`,
 * `sign_in_again`
 */
export async function stopStanding({
  ctx,
  input: { stopped, assertion },
}: {
  ctx: Ctx;
  input: SetStopped;
}): Promise<StandingList> {
  const { userId } = authorize(ctx.actor, 'session');
  if (!stopped) await proveChange(ctx, { guard: 'standing.allow', detail: {} }, assertion);
  await inTransaction(async (tx) => {
    await lockName(tx, `spending ${userId}`);
    const since = await findStoppedAt(userId, tx);
    await saveStoppedAt(tx, userId, stopped ? ctx.now : null);
    if (!stopped && since !== null) {
      const before = { stoppedAt: since.toISOString() };
      await recordChange(tx, ctx, {
        userId,
        kind: 'standing.allow',
        subject: 'automatic payments',
        detail: '',
        before,
      });
    }
    await appendAudit(tx, standingChanged(ctx, { userId, id: null, change: stopped ? 'stopped' : 'allowed' }));
  });
  return listStandingApprovals({ ctx });
}

async function change(ctx: Ctx, id: string, how: 'paused' | 'resumed' | 'revoked'): Promise<StandingList> {
  const { userId } = authorize(ctx.actor, 'session');
  const update = how === 'revoked' ? { revokedAt: ctx.now } : { pausedAt: how === 'paused' ? ctx.now : null };
  await inTransaction(async (tx) => {
    // A payment that has begun under the lock finishes first.
    await lockName(tx, `spending ${userId}`);
    const known = (await findStandingApprovals(userId, tx)).find((own) => own.id === id);
    if (!/^\w+$/.test(id) || !(await updateStanding(tx, { userId, id }, update))) {
      throw new ParleyError('not_found', 'There is no standing approval with this id.');
    }
    if (how === 'resumed' && known?.pausedAt) {
      const before = { id, pausedAt: known.pausedAt.toISOString() };
      await recordChange(tx, ctx, { userId, kind: 'standing.resume', subject: `standing ${id}`, detail: '', before });
    }
    await appendAudit(tx, standingChanged(ctx, { userId, id, change: how }));
  });
  return listStandingApprovals({ ctx });
}

/** True when it is revoked or has expired. */
export function isEnded({ revokedAt, expiresAt }: StandingRecord, now: Date): boolean {
  return revokedAt !== null || expiresAt <= now;
}

async function toView(record: StandingRecord, at: { timeZone: string; now: Date }): Promise<StandingApprovalView> {
  const { id, agentId, currency, createdAt, expiresAt } = record;
  const { payee, terms, items } = readStandingText(record.text);
  const use = await findStandingUse({ id, frequency: terms.frequency }, at);
  return {
    ...{ id, agent: await toAgentName(agentId), payee, currency, terms, items: items?.acceptable ?? null },
    state: stateOf(record, at.now),
    usedTotal: use.total,
    usedThisMonth: use.month,
    uses: use.uses,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

function stateOf({ revokedAt, pausedAt, expiresAt }: StandingRecord, now: Date): StandingApprovalView['state'] {
  if (revokedAt) return 'revoked';
  if (expiresAt <= now) return 'expired';
  return pausedAt ? 'paused' : 'active';
}
