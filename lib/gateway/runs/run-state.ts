import type { AgentRecord } from '../../catalog';
import type { AbortSignalLike } from '../../platform/abort';
import { errorFields, log } from '../../platform/log';
import type { Trace } from '../../platform/trace';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import type { ExtensionUse } from '../../protocol/a2a/core/extensions';
import { isInterrupted, type Message, type Task } from '../../protocol/a2a/core/model';
import type { AgentItem } from '../../protocol/a2a/dialects';
import type { JsonObject } from '../../protocol/json';
import type { TaskRecord } from '../store/records';
import { callAgent } from '../upstream/call-agent';
import { withCancelReason } from './active-runs';
import type { Normalizer } from './normalizer';
import { emitPaymentEvents, extractPaymentParts, type PaymentSource } from './payment-events';
import type { RunHandle } from './run-handle';
import { hasTaskReferences, toCallerReferences } from './task-references';
import type { TaskWriter } from './task-writer';

export interface Run {
  /** The record as written by whoever starts the run: `runNode` is this node, `lastSeq` where its story stands. */
  record: TaskRecord;
  agent: AgentRecord;
  /** The task folded so far; the run keeps it up to date. */
  task: Task;
  requestId: string;
  /** The trace of the request that began the run. */
  trace?: Trace;
  /** What to send; absent when a run is taken up again: then nothing is ever sent a second time. */
  send?: { message: Message; acceptedOutputModes?: string[]; metadata?: JsonObject };
  /** What the send asks the agent to activate. */
  extensions?: ExtensionUse;
  /** Under which the send is stored (within its caller's delegation), so that a repeated one is the same. */
  idempotencyKey?: string;
  /** For whoever began it and waits for what comes. */
  handle?: RunHandle;
}

/** What the parts of a run share. */
export interface RunState {
  run: Run;
  normalizer: Normalizer;
  writer: TaskWriter;
  signal: AbortSignalLike;
  token: () => string | Promise<string>;
  /** The send may have reached the agent, although its connection broke. */
  mayHaveArrived?: boolean;
  /** The rest of a stream whose agent asked something and has not closed it: it may go on by itself. */
  trailingBatches?: AsyncIterator<AgentItem[]>;
}

type Request = Parameters<typeof callAgent>[0]['request'];

/** Reads one call of the agent to its end or the end of the turn. What a stream may say after a question is left in `state.rest`. */
export async function executeCall(state: RunState, request: Request): Promise<void> {
  const { run, normalizer: normaliser, signal } = state;
  const { agent, requestId, trace } = run;
  const extensions = extensionsForCall(run, request);
  const token = await state.token();
  const wireOf = httpTraceOfRun(run.record);
  const batches = await callAgent({ agent, request, extensions, requestId, token, trace, signal, httpTraceOf: wireOf });
  if (Array.isArray(batches)) {
    for (const batch of batches) {
      const turnEnded = ingestBatch(state, batch);
      if (turnEnded instanceof Promise ? await turnEnded : turnEnded) break;
    }
  } else await readStream(state, batches[Symbol.asyncIterator]());
  if (!normaliser.turnEnded) await write(state, normaliser.finish(new Date()));
}

/** The agent's answer to the send decides what is active; later calls ask for the same, and their answers are not looked at. */
export function extensionsForCall({ extensions }: Pick<Run, 'extensions'>, request: Request): ExtensionUse | undefined {
  return extensions && 'taskId' in request ? { requested: extensions.requested, activated: [] } : extensions;
}

/** How long a message that may be the whole answer is held back while its stream stays open, milliseconds. */
const flushDelayMs = 2_000;

/** Reads to the end of the turn. What may follow a question stays open, for whoever reads on. */
async function readStream(state: RunState, batches: AsyncIterator<AgentItem[]>): Promise<void> {
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

/** What comes next; a message that is held back is shown when that takes long. */
async function nextOrFlush<Next>(state: RunState, nextBatch: Promise<Next>): Promise<Next> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, flushDelayMs, 'late');
  });
  const first = await Promise.race([nextBatch, late]).finally(() => clearTimeout(timer));
  if (first === 'late') await write(state, state.normalizer.flushPendingMessage(new Date()));
  return nextBatch;
}

/** Takes what the agent said, and answers whether that was the end of the turn. A promise only when it has to be waited for. */
export function ingestBatch(state: RunState, batch: AgentItem[]): boolean | Promise<boolean> {
  if (!batch.some(hasTaskReferences)) return ingestItems(state, batch);
  return toCallerReferences(batch, state.run.record).then((items) => ingestItems(state, items));
}

function ingestItems(state: RunState, batch: AgentItem[]): boolean | Promise<boolean> {
  const { normalizer: normaliser, writer } = state;
  const now = new Date();
  const written = write(
    state,
    batch.flatMap((item) => normaliser.accept(item, now)),
  );
  const isTurnEnded = (): boolean => normaliser.turnEnded || writer.superseded;
  return written ? written.then(isTurnEnded) : isTurnEnded();
}

/** What goes over the wire is kept of what people ask in the chat; programs see their own end of it. */
export function httpTraceOfRun({ id, clientId }: Pick<TaskRecord, 'id' | 'clientId'>): { taskId: string } | undefined {
  return clientId === 'parley-web' ? { taskId: id } : undefined;
}

/**
 * Hands events to the writer, and tells what they say about paying once they are on disk. A promise only when something has to be
 * waited for.
 * @throws (in either way) what {@link TaskWriter.write} throws
 */
export function write(state: RunState, events: TaskEvent[]): Promise<void> | undefined {
  const { run, writer, normalizer: normaliser } = state;
  if (events[0]) run.handle?.emit(events[0]);
  const sources = extractPaymentParts(run.task, events);
  const backpressure = writer.write(withCancelReason(run.record.id, events), normaliser);
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
  // What fails here is told again when the person opens their orders.
  await emitPaymentEvents(run.record, sources).catch((error: unknown) =>
    log.warn('offers.not_noted', { taskId: run.record.id, ...errorFields(error) }),
  );
}
