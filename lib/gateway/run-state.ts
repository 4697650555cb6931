import type { AgentRecord } from '../catalog';
import type { StopSignal } from '../platform/abort';
import { errorFields, log } from '../platform/log';
import type { Trace } from '../platform/trace';
import type { TaskEvent } from '../protocol/a2a/core/events';
import type { ExtensionUse } from '../protocol/a2a/core/extensions';
import { isInterrupted, type Message, type Task } from '../protocol/a2a/core/model';
import type { AgentItem } from '../protocol/a2a/dialects';
import type { JsonObject } from '../protocol/json';
import { completedOffers, type SaidSource, tellOffers } from './heard-offers';
import { withCancelReason } from './live-tasks';
import type { Normaliser } from './normalise';
import { refersToTasks, toCallerReferences } from './references';
import type { RunEar } from './run-ear';
import type { TaskRecord } from './store/records';
import type { TaskWriter } from './task-writer';
import { callAgent } from './upstream/call-agent';

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
  sendKey?: string;
  /** For whoever began it and waits for what comes. */
  ear?: RunEar;
}

/** What the parts of a run share. */
export interface RunState {
  run: Run;
  normaliser: Normaliser;
  writer: TaskWriter;
  signal: StopSignal;
  token: () => string | Promise<string>;
  /** The send may have reached the agent, although its connection broke. */
  mayHaveArrived?: boolean;
  /** The rest of a stream whose agent asked something and has not closed it: it may go on by itself. */
  rest?: AsyncIterator<AgentItem[]>;
}

type Request = Parameters<typeof callAgent>[0]['request'];

/** Reads one call of the agent to its end or the end of the turn. What a stream may say after a question is left in `state.rest`. */
export async function readAll(state: RunState, request: Request): Promise<void> {
  const { run, normaliser, signal } = state;
  const { agent, requestId, trace } = run;
  const extensions = extensionsOfCall(run, request);
  const token = await state.token();
  const wireOf = wireOfRun(run.record);
  const batches = await callAgent({ agent, request, extensions, requestId, token, trace, signal, wireOf });
  if (Array.isArray(batches)) {
    for (const batch of batches) {
      const taken = takeBatch(state, batch);
      if (taken instanceof Promise ? await taken : taken) break;
    }
  } else await readStream(state, batches[Symbol.asyncIterator]());
  if (!normaliser.over) await write(state, normaliser.finish(new Date()));
}

/** The agent's answer to the send decides what is active; later calls ask for the same, and their answers are not looked at. */
export function extensionsOfCall({ extensions }: Pick<Run, 'extensions'>, request: Request): ExtensionUse | undefined {
  return extensions && 'taskId' in request ? { requested: extensions.requested, activated: [] } : extensions;
}

/** How long a message that may be the whole answer is held back while its stream stays open, milliseconds. */
const holdMs = 2_000;

/** Reads to the end of the turn. What may follow a question stays open, for whoever reads on. */
async function readStream(state: RunState, batches: AsyncIterator<AgentItem[]>): Promise<void> {
  let isOpen = true;
  try {
    for (;;) {
      const coming = batches.next();
      const { done, value } = state.normaliser.holdsMessage ? await showHeld(state, coming) : await coming;
      isOpen = !done;
      if (done) return;
      const taken = takeBatch(state, value);
      if (!(taken instanceof Promise ? await taken : taken)) continue;
      if (isInterrupted(state.run.task.status.state) && !state.writer.overtaken) {
        state.rest = batches;
        isOpen = false;
      }
      return;
    }
  } finally {
    if (isOpen) await batches.return?.();
  }
}

/** What comes next; a message that is held back is shown when that takes long. */
async function showHeld<Next>(state: RunState, coming: Promise<Next>): Promise<Next> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, holdMs, 'late');
  });
  const first = await Promise.race([coming, late]).finally(() => clearTimeout(timer));
  if (first === 'late') await write(state, state.normaliser.release(new Date()));
  return coming;
}

/** Takes what the agent said, and answers whether that was the end of the turn. A promise only when it has to be waited for. */
export function takeBatch(state: RunState, batch: AgentItem[]): boolean | Promise<boolean> {
  if (!batch.some(refersToTasks)) return takeItems(state, batch);
  return toCallerReferences(batch, state.run.record).then((items) => takeItems(state, items));
}

function takeItems(state: RunState, batch: AgentItem[]): boolean | Promise<boolean> {
  const { normaliser, writer } = state;
  const now = new Date();
  const written = write(
    state,
    batch.flatMap((item) => normaliser.accept(item, now)),
  );
  const isOver = (): boolean => normaliser.over || writer.overtaken;
  return written ? written.then(isOver) : isOver();
}

/** What goes over the wire is kept of what people ask in the chat; programs see their own end of it. */
export function wireOfRun({ id, clientId }: Pick<TaskRecord, 'id' | 'clientId'>): { taskId: string } | undefined {
  return clientId === 'parley-web' ? { taskId: id } : undefined;
}

/**
 * Hands events to the writer, and tells what they say about paying once they are on disk. A promise only when something has to be
 * waited for.
 * @throws (in either way) what {@link TaskWriter.write} throws
 */
export function write(state: RunState, events: TaskEvent[]): Promise<void> | undefined {
  const { run, writer, normaliser } = state;
  if (events[0]) run.ear?.hear(events[0]);
  const offers = completedOffers(run.task, events);
  const room = writer.write(withCancelReason(run.record.id, events), normaliser);
  return offers.length > 0 ? tellOnceWritten(state, offers, room) : room;
}

async function tellOnceWritten(
  { run, writer }: RunState,
  offers: SaidSource[],
  room: Promise<void> | undefined,
): Promise<void> {
  await room;
  await writer.settled();
  if (writer.overtaken) return;
  // What fails here is told again when the person opens their orders.
  await tellOffers(run.record, offers).catch((error: unknown) =>
    log.warn('offers.not_noted', { taskId: run.record.id, ...errorFields(error) }),
  );
}
