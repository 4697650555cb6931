import type { ChargedSend, SendCharge, X402Admission, X402Send } from '../payments/schema-plans';
import { declarePort } from '../platform/runtime/port';
import type { AnsweredMessage } from '../protocol/a2a/core/message-origin';
import type { Part } from '../protocol/a2a/core/model';

/** A complete message or artifact of an agent with payment data among its parts. */
export interface PaymentSource {
  kind: 'message' | 'artifact';
  /** Its `messageId` or `artifactId`. */
  id: string;
  parts: Part[];
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
  /** Returns true if callers without an account can pay this agent by x402. */
  acceptsX402: (agent: Pick<X402Send['agent'], 'pricePlans'>) => boolean;
  /** Limits the calls of a network without a token. Rejects with `rate_limited`. */
  limitCallers: (address: string, now: Date) => Promise<void>;
  /**
   * Admits a send that its caller pays by x402, which may take seconds.
   * @throws {ParleyError} `payment_required` with the requirements as headers, and others
   */
  payByX402: (send: X402Send) => Promise<X402Admission>;
  /** Returns the user's orders in these tasks, oldest first. */
  findOrders: (userId: string, taskIds: string[]) => Promise<TaskOrder[]>;
}>('tasks');
