import type { ChargedSend, SendCharge } from '../../payments/schema-plans';
import type { CallerActor } from '../../platform/context';
import { isUuid, newUuidV7 } from '../../platform/ids';
import { failpoint } from '../../platform/runtime/failpoint';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import type { MessageSource } from '../../protocol/a2a/core/message-origin';
import { taskNotFound } from '../errors';
import type { Turn } from '../log/turn';
import { tasksPort } from '../ports';
import { deriveIdempotencyKey, findIdempotentTurn, type SendInput } from '../runs/send-input';

/** What a send costs, from its authorization to the end of its turn. */
export interface TurnCharge {
  /** The id of the task that the send creates or continues, which the charge names. */
  taskId: string;
  /** The turn that the same send started before; then nothing else may be called. */
  earlier: Turn | null;
  /** Must be called if the send did not start a turn. */
  cancel: () => Promise<void>;
  /** Must be called when the send has started a turn. */
  begin: (turn: Turn) => Promise<void>;
  /** Must be called when the turn has ended on this node. */
  end: (turn: Turn) => void;
}

const freeTurn = { earlier: null, cancel: async () => {}, begin: async () => {}, end: () => {} };

interface ChargeContext {
  /** The id of the task that the send creates, by default a new one. */
  newTaskId: string | undefined;
  source: MessageSource;
  now: Date;
}

/**
 * Authorizes what a send costs by the agent's price plans. Parley's own notices cost nothing. Returns a promise only if
 * the agent has a plan.
 * @throws {ParleyError} (by rejection) `payment_required`; `task_not_found` for an id that no task can have
 */
export function chargeTurn(
  caller: CallerActor,
  input: SendInput,
  { newTaskId, source, now }: ChargeContext,
): TurnCharge | Promise<TurnCharge> {
  const { message } = input.request;
  const taskId = message.taskId ?? input.clientTask?.taskId ?? newTaskId ?? newUuidV7(now);
  if (input.agent.pricePlans.length === 0 || input.notice) return { taskId, ...freeTurn };
  const send: ChargedSend = {
    agent: input.agent,
    principal: caller.principal,
    delegation: caller.delegation ?? null,
    isByAgent: source.origin === 'agent',
    taskId,
    continues: message.taskId !== undefined,
    messageId: message.messageId,
    sendKey: deriveIdempotencyKey(input)?.key ?? null,
    now,
  };
  return authorizeSend(caller, input, send);
}

async function authorizeSend(caller: CallerActor, input: SendInput, send: ChargedSend): Promise<TurnCharge> {
  const { taskId } = send;
  if (!isUuid(taskId)) throw taskNotFound(taskId);
  const first = await tasksPort.operations().authorizeCharge(send);
  failpoint('charge.authorized');
  if (!first?.isSettled) return { taskId, ...handle(first, send) };
  const earlier = await findIdempotentTurn(caller, deriveIdempotencyKey(input));
  if (earlier) return { taskId, ...freeTurn, earlier };
  return { taskId, ...handle(await first.authorizeAgain(), send) };
}

function handle(charge: SendCharge | null, send: ChargedSend): Omit<TurnCharge, 'taskId'> {
  if (!charge) return freeTurn;
  return {
    earlier: null,
    cancel: charge.cancel,
    begin: async ({ record }) => {
      if (charge.taskId !== record.id) await charge.assign(record.id);
    },
    end: ({ record, handle: run }) => {
      // A charge of the whole task depends on its earlier turns too.
      const isWhole = charge.messageId !== null || !send.continues;
      const events = isWhole ? run?.eventsAfter(record.lastSeq) : undefined;
      const paid: TaskEvent = { type: 'message', message: { messageId: send.messageId, role: 'user', parts: [] } };
      charge.settle(events ? [paid, ...events.map(({ event }) => event)] : null);
    },
  };
}
