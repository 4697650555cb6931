import type { CallerActor, Ctx } from '../../platform/context';
import type { MessageSource } from '../../protocol/a2a/core/message-origin';
import type { Message, Task } from '../../protocol/a2a/core/model';
import { ownerOf } from '../authorization';
import type { Turn } from '../log/turn';
import { savePushConfig } from '../push/push-configs';
import { deriveIdempotencyKey } from '../runs/idempotency';
import type { QueuedSend, Run, RunSource } from '../runs/run-source';
import type { SendInput } from '../runs/send-input';
import { scopeKey } from '../store/idempotency-keys';
import type { TaskRecord } from '../store/records';

/**
 * The turn, and the run to start; null when the same send started the turn earlier, `waits` when its agent begins the
 * run.
 */
export type StartedTurn = { turn: Turn; run: Run | null | 'waits' };

/** A permitted send. */
export interface TurnCall {
  ctx: Ctx;
  caller: CallerActor;
  input: SendInput;
  /** The message with the agent's ids for referenced tasks. */
  agentMessage: Message;
  source: MessageSource;
  /** Set for an agent whose runs may wait until it is online. */
  queued: QueuedSend | null;
  runSource: RunSource;
}

/** Saved before the run starts, so that no event is missed. */
export async function saveRequestedPush(
  { now }: Ctx,
  caller: CallerActor,
  { input, record }: { input: SendInput; record: TaskRecord },
): Promise<void> {
  const { push } = input.request.configuration;
  if (push) await savePushConfig(record, { target: push, dialect: input.pushDialect ?? '1.0', caller, now });
}

/** The run of a turn, once it is written. */
export function toRun(
  { ctx, caller, input, agentMessage, queued, runSource }: TurnCall,
  record: TaskRecord,
  task: Task,
): Run | 'waits' {
  const { agent, request, extensions } = input;
  const { requestId, trace } = ctx;
  if (queued) return queued.source ? { record, agent, task, requestId, trace, source: queued.source } : 'waits';
  const { configuration, metadata } = request;
  const send = { message: agentMessage, acceptedOutputModes: configuration.acceptedOutputModes, metadata };
  const key = deriveIdempotencyKey(input)?.key;
  const idempotencyKey = key === undefined ? undefined : scopeKey(ownerOf(caller).delegation, key);
  return { record, agent, task, requestId, trace, send, extensions, idempotencyKey, source: runSource };
}
