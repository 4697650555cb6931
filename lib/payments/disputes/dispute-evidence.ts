import { createHash } from 'node:crypto';
import type { Call } from '../../platform/context';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import type { Part } from '../../protocol/a2a/core/model';
import { MAX_TRANSCRIPT_LENGTH } from '../limits';
import { paymentsPort } from '../ports';
import type { DisputeEvidence } from '../schema-disputes';
import { findAcceptance } from '../store/earnings/acceptance-rows';
import { findReceipts } from '../store/order-details';
import { readableDispute } from './read-disputes';

type Line = DisputeEvidence['transcript'][number];

/**
 * Returns what Parley knows about a disputed sale, for its parties and moderators: the receipt, the acceptance terms, and
 * the messages and artifacts of the task, as Parley stored them.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` (also for disputes of others);
 *   `sign_in_again` for a moderator
 */
export async function getDisputeEvidence({ ctx, input }: Call<{ id: string }>): Promise<DisputeEvidence> {
  const { dispute } = await readableDispute(ctx, input.id);
  const { userId: principal, taskId, saleKind, saleId } = dispute;
  const receipts = saleKind === 'order' ? await findReceipts(saleId) : [];
  const terms = (await findAcceptance(saleKind, saleId))?.terms ?? null;
  const { transcript, complete } = await readTranscript({ principal, taskId }, MAX_TRANSCRIPT_LENGTH);
  const sha256 = createHash('sha256').update(JSON.stringify(transcript)).digest('hex');
  return {
    receipt: receipts.find(({ kind }) => kind === 'parley')?.token ?? null,
    terms,
    transcript,
    complete,
    sha256,
  };
}

/** Returns the messages and artifacts of a task, as Parley stored them, up to a number of characters. */
export async function readTranscript(
  { principal, taskId }: { principal: string; taskId: string },
  maxLength: number,
): Promise<Pick<DisputeEvidence, 'transcript' | 'complete'>> {
  const transcript: Line[] = [];
  let length = 0;
  let complete = true;
  for await (const { event } of paymentsPort.operations().readTaskEvents({ principal, id: taskId })) {
    const line = toLine(event);
    length += line ? JSON.stringify(line).length : 0;
    complete = length <= maxLength;
    if (!complete) break;
    if (line) transcript.push(line);
  }
  return { transcript, complete };
}

/** Returns an event of a task as a line of a transcript; null for a status without words that ends nothing. */
function toLine(event: TaskEvent): Line | null {
  switch (event.type) {
    case 'message':
      return line('buyer', { kind: 'message', parts: event.message.parts });
    case 'reply':
      return line('agent', { kind: 'message', parts: event.message.parts });
    case 'artifact':
      return line('agent', { kind: 'artifact', name: event.artifact.name ?? null, parts: event.artifact.parts });
    case 'status': {
      const { state, message } = event.status;
      return line('agent', { kind: 'status', state, parts: message?.parts ?? [] });
    }
  }
}

function line(
  from: Line['from'],
  {
    parts,
    kind,
    name = null,
    state = null,
  }: Pick<Line, 'kind'> & Partial<Pick<Line, 'name' | 'state'>> & { parts: Part[] },
): Line {
  return { from, kind, name, state, parts: parts.map(toPart) };
}

/** Files are named, and their content is left out. */
function toPart(part: Part): Line['parts'][number] {
  if (part.kind === 'text') return { text: part.text, file: null };
  if (part.kind === 'data') return { text: JSON.stringify(part.data), file: null };
  return { text: part.kind === 'uri' ? part.uri : null, file: part.filename ?? part.mediaType ?? 'file' };
}
