import { z } from 'zod';
import { findAgentById } from '../catalog';
import {
  authorize,
  consumeChange,
  describeUserAgent,
  endSessionsAfterUndo,
  findUndoableChange,
  type GuardChange,
  limitLinkAttempts,
  linkExpired,
  restoreSignIn,
} from '../identity';
import { type AuditRecord, appendAudit, changeUndone, listAudit } from '../observability';
import { restorePaymentGuard } from '../payments';
import type { Call, Ctx } from '../platform/context';
import { defineCursor, unknownCursor } from '../platform/db/cursor';
import { inTransaction, type Tx } from '../platform/db/tx';
import { revokeUndoneToken } from '../tokens';
import { ACTIVITY_PAGE_SIZE } from './limits';
import type { ActivityPage, ActivityTopic, ActivityView } from './schema';

const activityCursor = defineCursor({
  list: 'activity',
  position: z.object({ seq: z.int().positive() }),
  refuse: unknownCursor,
});

/** The first parts of the names of the events in each topic. */
const eventsOfTopic: Record<ActivityTopic, string[]> = {
  'sign-in': ['session', 'password', 'token', 'device', 'guard', 'recovery'],
  permissions: ['grant', 'connection'],
  agents: ['agent', 'app', 'secret', 'team', 'merchant'],
  payments: ['payment', 'passkey'],
  moderation: ['moderation', 'client'],
  data: ['account'],
};

/**
 * Returns the audit log of the user's account, or of one topic of it, newest first. `cursor` is the `nextCursor` of the
 * previous page.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `invalid_request` for an invalid cursor
 */
export async function listActivity({
  ctx,
  input,
}: Call<{ cursor?: string | null; topic?: ActivityTopic | undefined }>): Promise<ActivityPage> {
  const { userId } = authorize(ctx.actor, 'session');
  const before = input.cursor ? activityCursor.decode(input.cursor).seq : null;
  const objects = input.topic ? eventsOfTopic[input.topic] : null;
  const found = await listAudit(userId, { before, objects, limit: ACTIVITY_PAGE_SIZE + 1 });
  const { rows, nextCursor } = activityCursor.pageOf(found, ACTIVITY_PAGE_SIZE);
  return { items: await Promise.all(rows.map(toActivityView)), nextCursor };
}

/** Returns an audit log entry for the user whom it concerns. */
export async function toActivityView(entry: AuditRecord): Promise<ActivityView> {
  const { seq, at, event, object, detail, actor, address, userAgent } = entry;
  const agent = object.startsWith('agt_') ? await findAgentById(object) : null;
  return {
    id: seq,
    at: at.toISOString(),
    event,
    object,
    agent: agent && { slug: agent.slug, name: agent.name },
    detail,
    by: actor,
    place: address === null ? null : { device: describeUserAgent(userAgent ?? ''), address },
  };
}

/**
 * Undoes a change of a sign-in method or payment guard, once, with the link in its email: restores the previous state,
 * and marks later changes of the same setting as undone. Undoing a change of a sign-in method or passkey ends all
 * sessions except the caller's. Requires no authorization.
 * @throws {ParleyError} `not_found` for a link that is unknown, used or older than 7 days; `rate_limited`
 */
export async function undoChange({
  ctx,
  input: { token, address },
}: Call<{ token: string; address: string }>): Promise<void> {
  const refundAttempt = await limitLinkAttempts(token, address);
  const change = await findUndoableChange({ ctx, input: { token } });
  if (!change) throw linkExpired();
  await inTransaction(async (tx) => {
    if (!(await consumeChange(tx, change, ctx.now))) throw linkExpired();
    await restore(tx, ctx, change);
    await endSessionsAfterUndo(tx, ctx, change);
    await appendAudit(tx, changeUndone(ctx, change));
  });
  await refundAttempt();
}

async function restore(tx: Tx, ctx: Ctx, change: GuardChange): Promise<void> {
  switch (change.kind) {
    case 'passkey.add':
    case 'passkey.remove':
    case 'password.change':
    case 'password.reset':
    case 'recovery.request':
    case 'recovery.complete':
      return restoreSignIn(tx, change);
    case 'token.create': {
      // In a separate transaction, before this transaction writes to the audit log.
      const { id } = change.before as { id: string };
      return revokeUndoneToken({ ctx, input: { id, userId: change.userId } });
    }
    default:
      return restorePaymentGuard(tx, { ...change, kind: change.kind }, ctx.now);
  }
}
