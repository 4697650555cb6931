import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { applyEvent } from '../../protocol/a2a/core/events';
import { toPushBody } from '../../protocol/a2a/dialects';
import {
  deleteDeadLetter,
  type FailingPush,
  findDeadLetter,
  findFailingPushes,
  findLettersOf,
  noteAttempt,
  type SendableLetter,
} from '../store/push-deliveries';
import { loadStory } from './deliver-pushes';
import { sendPush } from './send-push';

const shown = 100;
/** Pushes of one recovery; the answer says whether more are left. */
const mostAtOnce = 100;

/** What became of a push that was sent again. */
export type Resent = { taken: true } | { taken: false; httpStatus: number | null; answer: string };

/**
 * Sends one of the person's pushes again that nobody took, under the same name; when it is taken it is none of them any more.
 * @throws {ParleyError} `unauthenticated`; `not_found` for unknown and foreign ones, and where its configuration is gone or has another address
 */
export async function resendPush({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<Resent> {
  const principal = requireUserId(ctx);
  const letter = await findDeadLetter(principal, input.id);
  if (!letter) {
    throw new ParleyError(
      'not_found',
      'There is no such push: it was taken, or its configuration was deleted or leads elsewhere now.',
    );
  }
  return sendAgain(ctx, principal, letter);
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
  const letters = await findLettersOf(principal, { ...input, limit: mostAtOnce + 1 });
  let taken = 0;
  const now = letters.slice(0, mostAtOnce);
  for (const letter of now) if ((await sendAgain(ctx, principal, letter)).taken) taken++;
  return { taken, failed: now.length - taken, more: letters.length > mostAtOnce };
}

/**
 * The person's receivers that have not taken the last push yet, those that fail longest first.
 * @throws {ParleyError} `unauthenticated`
 */
export async function listFailingPushes({ ctx }: { ctx: Ctx }): Promise<FailingPush[]> {
  return findFailingPushes(requireUserId(ctx), shown);
}

async function sendAgain(ctx: Ctx, principal: string, letter: SendableLetter): Promise<Resent> {
  const { taskId, agentId, configId, seq, url, dialect, secrets } = letter;
  const { task, events } = await loadStory({ principal, agentId, taskId, sentSeq: seq - 1 });
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
  await noteAttempt(principal, { id: letter.id, reason, httpStatus, answer, at: letter.at });
  return { taken: false, httpStatus, answer };
}

function requireUserId({ actor }: Ctx): string {
  if (actor.kind !== 'user') throw new ParleyError('unauthenticated', 'Sign in to see and send your pushes.');
  return actor.userId;
}
