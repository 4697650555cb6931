import type { TaskEvent } from '../../protocol/a2a/core/events';
import { isInterrupted } from '../../protocol/a2a/core/model';
import type { AgentItem } from '../../protocol/a2a/dialects';
import type { ExtensionUse } from '../../protocol/extensions';
import { withCancelReason } from '../active/run-handle';
import { callAgent } from '../agent-client/call-agent';
import { HELD_MESSAGE_MS } from '../limits';
import { emitPaymentEvents, extractPaymentParts } from '../log/payment-events';
import { hasTaskReferences, toCallerReferences } from '../log/upstream-task-ids';
import type { PaymentSource } from '../ports';
import type { TaskRecord, TaskRef } from '../store/records';
import type { Run, RunState } from './run-source';

type Request = Parameters<typeof callAgent>[0]['request'];

/**
 * Reads one call to its end or the end of the turn. Items that may follow a question stay in `state.trailingBatches`.
 */
export async function executeCall(state: RunState, request: Request): Promise<void> {
  const { run, normalizer, signal } = state;
  const { agent, requestId, trace } = run;
  const extensions = extensionsForCall(run, request);
  const token = await state.token();
  const httpTraceOf = httpTraceOfRun(run.record);
  const taskId = run.record.id;
  const batches = await callAgent({ agent, request, extensions, requestId, token, trace, taskId, signal, httpTraceOf });
  if (Array.isArray(batches)) {
    for (const batch of batches) {
      const turnEnded = ingestBatch(state, batch);
      if (turnEnded instanceof Promise ? await turnEnded : turnEnded) break;
    }
  } else await readStream(state, batches[Symbol.asyncIterator]());
  if (!normalizer.turnEnded) await write(state, normalizer.finish(new Date()));
}

/**
 * Returns the extensions that a call requests. The response to the send determines the active ones. Later calls request
 * the same extensions, and their responses are ignored.
 */
export function extensionsForCall({ extensions }: Pick<Run, 'extensions'>, request: Request): ExtensionUse | undefined {
  return extensions && 'taskId' in request ? { requested: extensions.requested, activated: [] } : extensions;
}

/**
 * Returns the task whose HTTP trace is recorded; undefined unless it is from the chat, because programs can record
 * their own traffic.
 */
export function httpTraceOfRun({
  principal,
  id,
  clientId,
}: TaskRef & Pick<TaskRecord, 'clientId'>): TaskRef | undefined {
  return clientId === 'parley-web' ? { principal, id } : undefined;
}

/** Reads to the end of the turn. After a question, the stream stays open in `state.trailingBatches`. */
export async function readStream(state: RunState, batches: AsyncIterator<AgentItem[]>): Promise<void> {
  let isOpen = true;
  try {
    for (;;) {
      const nextBatch = batches.next();
      const { done, value } = state.normalizer.hasPendingMessage
        ? await nextOrFlush(state, nextBatch)
        : await nextBatch;
      isOpen = !done;
      if (done) return;
      const turnEnded = ingestBatch(state, value);
      if (!(turnEnded instanceof Promise ? await turnEnded : turnEnded)) continue;
      if (isInterrupted(state.run.task.status.state) && !state.writer.superseded) {
        state.trailingBatches = batches;
        isOpen = false;
      }
      return;
    }
  } finally {
    if (isOpen) await batches.return?.();
  }
}

/** Returns the next batch. Flushes a held message if that takes too long. */
async function nextOrFlush<Next>(state: RunState, nextBatch: Promise<Next>): Promise<Next> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, HELD_MESSAGE_MS, 'late');
  });
  const first = await Promise.race([nextBatch, late]).finally(() => clearTimeout(timer));
  if (first === 'late') await write(state, state.normalizer.flushPendingMessage(new Date()));
  return nextBatch;
}

/** Processes a batch and returns true if it ended the turn. Returns a promise only if it must wait. */
export function ingestBatch(state: RunState, batch: AgentItem[]): boolean | Promise<boolean> {
  const items = withCallerReferences(state, batch);
  return items instanceof Promise
    ? items.then((translated) => ingestItems(state, translated))
    : ingestItems(state, items);
}

/** Returns the items with the caller's ids in their references to tasks. Returns a promise only if it must wait. */
export function withCallerReferences({ run }: RunState, items: AgentItem[]): AgentItem[] | Promise<AgentItem[]> {
  return items.some(hasTaskReferences) ? toCallerReferences(items, run.record) : items;
}

/**
 * Passes the items' events to the writer and returns true if they ended the turn. Returns a promise only if it must
 * wait. With `holdsNothing`, a message at the end is written too, although more items may follow it.
 */
export function ingestItems(
  state: RunState,
  items: AgentItem[],
  { holdsNothing = false } = {},
): boolean | Promise<boolean> {
  const { normalizer, writer } = state;
  const now = new Date();
  const events = items.flatMap((item) => normalizer.accept(item, now));
  if (holdsNothing && !normalizer.turnEnded) events.push(...normalizer.flushPendingMessage(now));
  const written = write(state, events);
  const isTurnEnded = (): boolean => normalizer.turnEnded || writer.superseded;
  return written ? written.then(isTurnEnded) : isTurnEnded();
}

/**
 * Passes events to the writer, and emits their payment events when they are persisted. Returns a promise only if it
 * must wait.
 * @throws (synchronously or by rejection) the errors of {@link TaskWriter.write}
 */
export function write(state: RunState, events: TaskEvent[]): Promise<void> | undefined {
  const { run, handle, writer, normalizer } = state;
  if (events[0]) handle.emit(events[0]);
  const sources = extractPaymentParts(run.task, events);
  const written = handle.cancelReason ? withCancelReason(events, handle.cancelReason) : events;
  const backpressure = writer.write(written, normalizer, { toDatabase: sources.length > 0 });
  return sources.length > 0 ? emitOncePersisted(state, sources, backpressure) : backpressure;
}

async function emitOncePersisted(
  { run, writer }: RunState,
  sources: PaymentSource[],
  backpressure: Promise<void> | undefined,
): Promise<void> {
  await backpressure;
  await writer.drained();
  if (writer.superseded) return;
  await emitPaymentEvents(run.record, writer.lastSeq, sources);
}
