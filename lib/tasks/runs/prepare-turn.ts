import type { CallerActor, Ctx } from '../../platform/context';
import type { MessageSource } from '../../protocol/a2a/core/message-origin';
import type { Message, Task } from '../../protocol/a2a/core/model';
import { ownerOf } from '../authorization';
import { savePushConfig } from '../push/push-configs';
import type { QueuedSend } from '../sources/hub/queue-run';
import { scopeKey } from '../store/idempotency-keys';
import type { TaskRecord } from '../store/records';
import { deriveIdempotencyKey } from './idempotency';
import type { Run } from './run-state';
import type { SendInput, Turn } from './turn';

/** The turn, and the run to start, which is null if the same send started the turn earlier. */
export type StartedTurn = { turn: Turn; run: Run | null };

/** A permitted send. */
export interface TurnCall {
  ctx: Ctx;
  caller: CallerActor;
  input: SendInput;
  /** The message with the agent's ids for referenced tasks. */
  agentMessage: Message;
  source: MessageSource;
  /** Set for an agent that connects to Parley, whose run waits for a worker. */
  queued: QueuedSend | null;
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

/** Returns the run of a turn that calls the agent or has an assigned worker. */
export function toRun({ ctx, caller, input, agentMessage, queued }: TurnCall, record: TaskRecord, task: Task): Run {
  const { agent, request, extensions } = input;
  const { requestId, trace } = ctx;
  if (queued) return { record, agent, task, requestId, trace, hub: queued.hubRun };
  const { configuration, metadata } = request;
  const send = { message: agentMessage, acceptedOutputModes: configuration.acceptedOutputModes, metadata };
  const key = deriveIdempotencyKey(input)?.key;
  const idempotencyKey = key === undefined ? undefined : scopeKey(ownerOf(caller).delegation, key);
  return { record, agent, task, requestId, trace, send, extensions, idempotencyKey };
}
