import type { AgentRecord } from '../catalog';
import { declarePort } from '../platform/runtime/port';
import type { TaskEvent } from '../protocol/a2a/core/events';
import type { AnsweredMessage } from '../protocol/a2a/core/message-origin';
import type { Part } from '../protocol/a2a/core/model';

/** A complete message or artifact of an agent with payment data among its parts. */
export interface PaymentSource {
  kind: 'message' | 'artifact';
  /** Its `messageId` or `artifactId`. */
  id: string;
  parts: Part[];
}

/** A send to an agent that may cost something. */
export interface ChargedSend {
  agent: AgentRecord;
  principal: string;
  /** The delegation of an agent that acts for the principal; null for the principal's own send. */
  delegation: string | null;
  /** True if an agent wrote the message, rather than the user whose message a built-in agent forwards. */
  isByAgent: boolean;
  /** The task that the send creates or continues. */
  taskId: string;
  continues: boolean;
  messageId: string;
  /** Identifies a repeated send; null if every send is distinct. */
  sendKey: string | null;
  now: Date;
}

/** What a send costs: an amount that is held until the paid work ends. */
export interface SendCharge {
  taskId: string;
  /** The message that it pays; null if it pays the whole task. */
  messageId: string | null;
  /** True if an earlier send with the same key was charged, and its work has ended. */
  isSettled: boolean;
  /** Authorizes the send as a new one, if no earlier send with its key is stored. */
  authorizeAgain: () => Promise<SendCharge | null>;
  /** Names the task of this send, if the earlier send that was authorized did not store its own. */
  assign: (taskId: string) => Promise<void>;
  /** Releases the hold of a send that did not start a turn, unless an earlier send was authorized. */
  cancel: () => Promise<void>;
  /** Captures or releases the hold if the paid work has ended. With null, reads the stored events of the task. */
  settle: (events: TaskEvent[] | null) => void;
}

/** The payment data that an agent sent in one task of a user. */
export interface PaymentEvent {
  userId: string;
  agentId: string;
  taskId: string;
  contextId: string;
  /** The message that it answers; null if the task has none. */
  answers: AnsweredMessage | null;
  sources: PaymentSource[];
}

/** An order of a task: the amount paid minus refunds, in minor units, and whether it can still be paid. */
export interface TaskOrder {
  orderId: string;
  taskId: string;
  currency: string;
  paid: number;
  isOpen: boolean;
}

/**
 * The functions of payments that tasks use. Code that processes the output of agents must not have access to payments,
 * which sign documents.
 */
export const tasksPort = declarePort<{
  /** Called after the data is persisted. After a crash, it may be called again, so it must be idempotent. */
  onPaymentEvent: (event: PaymentEvent) => Promise<void>;
  /**
   * Authorizes what a send to an agent with a price costs; null if it costs nothing.
   * @throws {ParleyError} `payment_required`
   */
  authorizeCharge: (send: ChargedSend) => Promise<SendCharge | null>;
  /** Returns the user's orders in these tasks, oldest first. */
  findOrders: (userId: string, taskIds: string[]) => Promise<TaskOrder[]>;
}>('tasks');
