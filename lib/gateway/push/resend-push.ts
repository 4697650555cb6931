import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { applyEvent } from '../../protocol/a2a/core/events';
import { toPushBody } from '../../protocol/a2a/dialects';
import {
  deleteDeadLetter,
  type FailingPush,
  findDeadLetter,
  findDeadLettersBetween,
  findFailingPushes,
  type ResendableDeadLetter,
  recordAttempt,
} from '../store/push-deliveries';
import { loadTaskAt } from './deliver-pushes';
import { sendPush } from './send-push';

const maxReceivers = 100;
/** Pushes of one recovery; the answer says whether more are left. */
const maxPerRecovery = 100;

/** What became of a push that was sent again. */
export type ResendResult = { taken: true } | { taken: false; httpStatus: number | null; answer: string };

/**
 * Sends one of the person's pushes again that nobody took, under the same name; when it is taken it is none of them any more.
 * @throws {ParleyError} `unauthenticated`; `not_found` for unknown and foreign ones, and where its configuration is gone or has another address
 */
export async function resendPush({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<ResendResult> {
  const principal = requireUserId(ctx);
  const letter = await findDeadLetter(principal, input.id);
  if (!letter) {
    throw new ParleyError(
      'not_found',
      'There is no such push: it was taken, or its configuration was deleted or leads elsewhere now.',
    );
  }
  return resend(ctx, principal, letter);
}

/**
 * Sends all of the person's pushes again that nobody took in a time, the earliest first, at most a hundred.
 * @throws {ParleyError} `unauthenticated`
 */
export async function recoverPushes({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { from: Date; to: Date };
}): Promise<{ taken: number; failed: number; more: boolean }> {
  const principal = requireUserId(ctx);
  const letters = await findDeadLettersBetween(principal, { ...input, limit: maxPerRecovery + 1 });
  let taken = 0;
  const batch = letters.slice(0, maxPerRecovery);
  for (const letter of batch) if ((await resend(ctx, principal, letter)).taken) taken++;
  return { taken, failed: batch.length - taken, more: letters.length > maxPerRecovery };
}

/**
 * The person's receivers that have not taken the last push yet, those that fail longest first.
 * @throws {ParleyError} `unauthenticated`
 */
export async function listFailingPushes({ ctx }: { ctx: Ctx }): Promise<FailingPush[]> {
  return findFailingPushes(requireUserId(ctx), maxReceivers);
}

async function resend(ctx: Ctx, principal: string, letter: ResendableDeadLetter): Promise<ResendResult> {
  const { taskId, agentId, configId, seq, url, dialect, secrets } = letter;
  const { task, events } = await loadTaskAt({ principal, agentId, taskId, sentSeq: seq - 1 });
  const event = events.find((stored) => stored.seq === seq)?.event;
  if (event) applyEvent(task, event);
  const push = event && toPushBody(dialect, event, task);
  if (!push) throw new ParleyError('not_found', 'The event that this push told of is gone.');
  const sent = { seq, contentType: push.contentType, body: JSON.stringify(push.body) };
  const outcome = await sendPush({ taskId, id: configId, url, secrets }, sent, { now: ctx.now, signal: ctx.signal });
  if (outcome.kind === 'taken') {
    await deleteDeadLetter(principal, letter.id);
    return { taken: true };
  }
  const { reason, httpStatus, answer } = outcome;
  await recordAttempt(principal, { id: letter.id, reason, httpStatus, answer, at: letter.at });
  return { taken: false, httpStatus, answer };
}

function requireUserId({ actor }: Ctx): string {
  if (actor.kind !== 'user') throw new ParleyError('unauthenticated', 'Sign in to see and send your pushes.');
  return actor.userId;
}
