import { onConnectionGap, subscribe } from '../../platform/bus';
import { ParleyError } from '../../platform/errors';
import { createWakeup } from '../../platform/runtime/abort';
import { APPROVAL_POLL_MS, APPROVAL_RETRY_AFTER_SECONDS } from '../limits';
import { type ApprovalRecord, findDecision } from '../store/chain-approvals';

/**
 * Waits for the decision about a call, for at most APPROVAL_POLL_MS, because the call may no longer require one after
 * that.
 * @throws {ParleyError} `approval_denied`; `approval_pending` at `deadline` (monotonic, milliseconds), and when the
 * sender disconnects
 */
export async function waitForApproval(
  { id, rootTaskId }: ApprovalRecord,
  { signal, deadline }: { signal: AbortSignal; deadline: number },
): Promise<void> {
  const wakeup = createWakeup();
  const unsubscribes = [subscribe('chain', rootTaskId, wakeup.notify), onConnectionGap(wakeup.notify)];
  signal.addEventListener('abort', wakeup.notify, { once: true });
  // Set by the timer instead of compared with the clock: a timer may fire a millisecond early.
  let isPollDue = false;
  const timer = setTimeout(
    () => {
      isPollDue = true;
      wakeup.notify();
    },
    Math.min(APPROVAL_POLL_MS, deadline - performance.now()),
  );
  try {
    for (;;) {
      const woken = wakeup.arm();
      const decision = await findDecision(rootTaskId, id);
      if (decision === 'denied') throw approvalDenied();
      if (signal.aborted || (decision === null && performance.now() >= deadline)) throw approvalPending(id);
      if (decision !== null || isPollDue) return;
      await woken;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', wakeup.notify);
    for (const unsubscribe of unsubscribes) unsubscribe();
  }
}

export function approvalDenied(): ParleyError {
  return new ParleyError('approval_denied', 'The user did not allow this call. Continue without it.');
}

function approvalPending(id: string): ParleyError {
  const text = 'The user was asked to allow this call and has not decided yet. Send the same message again later.';
  const data = { approval_id: id };
  return new ParleyError('approval_pending', text, { data, retryAfter: APPROVAL_RETRY_AFTER_SECONDS });
}
