import { onConnectionGap, subscribe } from '../../platform/bus';
import { ParleyError } from '../../platform/errors';
import { createWakeup } from '../../platform/runtime/abort';
import { sha256 } from '../../platform/secrets/crypto';
import type { Part } from '../../protocol/a2a/core/model';
import type { JsonObject } from '../../protocol/json';
import { APPROVAL_POLL_MS, APPROVAL_RETRY_AFTER_SECONDS, MAX_APPROVAL_CHARS, MAX_APPROVAL_PARTS } from '../limits';
import type { SendInput } from '../runs/send-input';
import type { StoredSentPart } from '../schema-chains';
import { type ApprovalRecord, findDecision } from '../store/chain-approvals';

/** The metadata member of a message in which an agent states the task that it works on. */
export const PARENT_TASK = 'parley.parentTask';

/**
 * Returns a hash of all content that a send transmits to the called agent, except the message id, which differs in a
 * retry. For a reply, it includes `answeredSeq`, the last event of its task, because the reply answers only that
 * question.
 */
export function hashOfSent({ request, clientTask }: SendInput, answeredSeq: number | null): string {
  const { parts, taskId, contextId, referenceTaskIds, extensions, metadata } = request.message;
  const sent = { parts, taskId, contextId, referenceTaskIds, extensions, metadata, request: request.metadata };
  // A message of a client with its own task ids contains new ids in each retry.
  return sha256(JSON.stringify([clientTask?.bodyHash ?? sent, answeredSeq]));
}

/**
 * Returns the content that a user must see before allowing a send: every part, and the metadata. Files include their
 * bytes, so that the user can open them.
 * @throws {ParleyError} `invalid_params` if it is too long to be displayed
 */
export function viewSent({ request }: SendInput): StoredSentPart[] {
  const details = detailsOf(request);
  const sent = request.message.parts.map(viewPart);
  if (details) sent.push({ kind: 'metadata', ...jsonFacts(details), name: null, mediaType: null });
  const characters = sent.reduce((sum, { text }) => sum + text.length, 0);
  if (sent.length > MAX_APPROVAL_PARTS || characters > MAX_APPROVAL_CHARS) {
    const found = `${sent.length} parts with ${characters} characters of text and data`;
    const expected = `at most ${MAX_APPROVAL_PARTS} parts and ${MAX_APPROVAL_CHARS} characters`;
    const text = `The user must approve this message and sees all of it. Found ${found}, expected ${expected}. Send less, or send it as a file.`;
    throw new ParleyError('invalid_params', text);
  }
  return sent;
}

function viewPart(part: Part): StoredSentPart {
  const named = { name: part.filename ?? null, mediaType: part.mediaType ?? null };
  switch (part.kind) {
    case 'text':
      return { kind: 'text', text: part.text, ...named, bytes: Buffer.byteLength(part.text) };
    case 'bytes':
      return { kind: 'file', text: '', ...named, bytes: Buffer.from(part.bytes, 'base64').length, base64: part.bytes };
    case 'uri':
      return { kind: 'link', text: part.uri, ...named, bytes: null };
    case 'data':
      return { kind: 'data', ...jsonFacts(part.data, part.text), ...named };
  }
}

function jsonFacts(
  data: JsonObject | Extract<Part, { kind: 'data' }>['data'],
  text?: string,
): Pick<StoredSentPart, 'text' | 'bytes'> {
  return { text: text ?? JSON.stringify(data, null, 2), bytes: Buffer.byteLength(text ?? JSON.stringify(data)) };
}

/** Returns the data that the called agent receives in addition to the parts; null if there is none. */
function detailsOf({ message, metadata: request }: SendInput['request']): JsonObject | null {
  const { [PARENT_TASK]: _parent, ...metadata } = message.metadata ?? {};
  const { extensions = [], referenceTaskIds = [] } = message;
  const parts = message.parts.map((part) => part.metadata ?? null);
  const details: JsonObject = {
    ...(Object.keys(metadata).length > 0 ? { message: metadata } : {}),
    ...(parts.some((part) => part !== null) ? { parts } : {}),
    ...(request && Object.keys(request).length > 0 ? { request } : {}),
    ...(extensions.length > 0 ? { extensions } : {}),
    ...(referenceTaskIds.length > 0 ? { referenceTaskIds } : {}),
  };
  return Object.keys(details).length > 0 ? details : null;
}

/**
 * Waits for the decision about a call, for at most APPROVAL_POLL_MS. Afterwards, the call may no longer need approval.
 * @throws {ParleyError} `approval_denied`; `approval_pending` at `deadline` (monotonic, milliseconds), and when the
 *   sender disconnects
 */
export async function waitForApproval(
  { principal, id, rootTaskId }: ApprovalRecord,
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
      const decision = await findDecision({ principal, rootTaskId }, id);
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
