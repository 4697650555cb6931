import { authorize } from '../../identity';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { applyEvent } from '../../protocol/a2a/core/events';
import { addChange } from '../../protocol/a2a/core/task-changes';
import { toPushBody } from '../../protocol/a2a/dialects';
import { DEAD_LETTER_PAGE_SIZE, MAX_DEAD_LETTERS, MAX_FAILING_RECEIVERS, MAX_RECOVERED_PUSHES } from '../limits';
import type { RecoveryResult, ResendResult } from '../schema';
import {
  type DeadLetter,
  deleteDeadLetter,
  type FailingPush,
  findDeadLetter,
  findDeadLetters,
  findDeadLettersBetween,
  findFailingPushes,
  type ResendableDeadLetter,
  recordAttempt,
} from '../store/push/push-deliveries';
import { loadTaskAt, sendPush } from './deliver-pushes';

/**
 * Returns the latest dead letters of the user, at most {@link DEAD_LETTER_PAGE_SIZE}, newest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listDeadLetters({ ctx }: { ctx: Ctx }): Promise<{ items: DeadLetter[] }> {
  return { items: await findDeadLetters(authorize(ctx.actor, { scope: 'agents:read' }).userId, DEAD_LETTER_PAGE_SIZE) };
}

/**
 * Returns all stored dead letters of the user, newest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listAllDeadLetters({ ctx }: { ctx: Ctx }): Promise<DeadLetter[]> {
  return findDeadLetters(authorize(ctx.actor, { scope: 'agents:read' }).userId, MAX_DEAD_LETTERS);
}

/**
 * Resends one of the user's dead letters with the same delivery id, and deletes it when it is accepted.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` for an unknown dead letter or another
 *   user's, and if its configuration was deleted or has another URL
 */
export async function resendPush({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<ResendResult> {
  const { userId: principal } = authorize(ctx.actor, { scope: 'agents:write' });
  const letter = await findDeadLetter(principal, input.id);
  if (!letter) {
    throw new ParleyError(
      'not_found',
      'Failed delivery not found. It has been delivered since, or its webhook was deleted or has a new URL.',
    );
  }
  return resend(ctx, principal, letter);
}

/**
 * Resends at most MAX_RECOVERED_PUSHES of the user's dead letters from a period, oldest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function recoverPushes({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { from: Date; to: Date };
}): Promise<RecoveryResult> {
  const { userId: principal } = authorize(ctx.actor, { scope: 'agents:write' });
  const letters = await findDeadLettersBetween(principal, { ...input, limit: MAX_RECOVERED_PUSHES + 1 });
  let taken = 0;
  const batch = letters.slice(0, MAX_RECOVERED_PUSHES);
  for (const letter of batch) if ((await resend(ctx, principal, letter)).taken) taken++;
  return { taken, failed: batch.length - taken, more: letters.length > MAX_RECOVERED_PUSHES };
}

/**
 * Lists the user's webhooks whose last push failed, longest failing first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listFailingPushes({ ctx }: { ctx: Ctx }): Promise<FailingPush[]> {
  return findFailingPushes(authorize(ctx.actor, { scope: 'agents:read' }).userId, MAX_FAILING_RECEIVERS);
}

async function resend(ctx: Ctx, principal: string, letter: ResendableDeadLetter): Promise<ResendResult> {
  const { taskId, agentId, configId, seq, url, dialect, secrets } = letter;
  const { task, events, changes } = await loadTaskAt({ principal, agentId, taskId, sentSeq: seq - 1 });
  const event = events.find((stored) => stored.seq === seq)?.event;
  if (event) applyEvent(task, event);
  const push = event && toPushBody(dialect, { seq, event: addChange(changes, seq, event) }, task);
  if (!push) throw new ParleyError('not_found', 'The event of this delivery is no longer stored.');
  const sent = { seq, contentType: push.contentType, body: JSON.stringify(push.body) };
  const outcome = await sendPush({ taskId, id: configId, url, secrets }, sent, { now: ctx.now, signal: ctx.signal });
  if (outcome.kind === 'delivered') {
    await deleteDeadLetter(principal, letter.id);
    return { taken: true };
  }
  const { reason, httpStatus, answer } = outcome;
  await recordAttempt(principal, { id: letter.id, reason, httpStatus, answer, at: letter.at });
  return { taken: false, httpStatus, answer };
}
