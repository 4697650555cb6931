import type { AgentRecord } from '../catalog';
import type { StopSignal } from '../platform/abort';
import { errorFields, log } from '../platform/log';
import type { Trace } from '../platform/trace';
import type { TaskEvent } from '../protocol/a2a/core/events';
import type { Message, Task } from '../protocol/a2a/core/model';
import type { JsonObject } from '../protocol/json';
import { completedOffers, tellOffers } from './heard-offers';
import { withCancelReason } from './live-tasks';
import type { Normaliser } from './normalise';
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
}

type Request = Parameters<typeof callAgent>[0]['request'];

/** Reads one call of the agent to its end or the end of the turn. */
export async function readAll(state: RunState, request: Request): Promise<void> {
  const { run, normaliser, signal } = state;
  const { agent, requestId, trace } = run;
  const token = await state.token();
  const wireOf = wireOfRun(run.record);
  const items = await callAgent({ agent, request, requestId, token, trace, signal, wireOf });
  for await (const batch of items) {
    const now = new Date();
    await write(
      state,
      batch.flatMap((item) => normaliser.accept(item, now)),
    );
    if (normaliser.over || state.writer.overtaken) break;
  }
  if (!normaliser.over) await write(state, normaliser.finish(new Date()));
}

/** What goes over the wire is kept of what people ask in the chat; programs see their own end of it. */
export function wireOfRun({ id, clientId }: Pick<TaskRecord, 'id' | 'clientId'>): { taskId: string } | undefined {
  return clientId === 'parley-web' ? { taskId: id } : undefined;
}

/** Hands events to the writer, and tells what they say about paying once they are on disk. */
export async function write({ run, writer, normaliser }: RunState, events: TaskEvent[]): Promise<void> {
  if (events[0]) run.ear?.hear(events[0]);
  const offers = completedOffers(run.task, events);
  const room = writer.write(withCancelReason(run.record.id, events), normaliser.upstreamTaskId);
  if (room) await room;
  if (offers.length === 0) return;
  await writer.settled();
  if (writer.overtaken) return;
  // What fails here is told again when the person opens their orders.
  await tellOffers(run.record, offers).catch((error: unknown) =>
    log.warn('offers.not_noted', { taskId: run.record.id, ...errorFields(error) }),
  );
}
