import { type AgentRecord, findAgentById } from '../../catalog';
import { deriveUuid } from '../../platform/ids';
import type { Notice } from '../../protocol/a2a/core/message-origin';
import type { Part } from '../../protocol/a2a/core/model';
import { isPaymentExtension } from '../../protocol/extensions';
import type { JsonObject } from '../../protocol/json';
import { signMandates } from '../ap2/sign-mandates';
import type { DeliveryResult } from '../ports';
import type { OrderRecord } from '../record';
import { findUsedApproval } from '../store/approvals';

/** A message to a merchant's agent on the task of an order, on behalf of its buyer. */
export interface MerchantMessage {
  userId: string;
  credentialId: string;
  agent: AgentRecord;
  taskId: string;
  /** Derived from the order and the topic, so that the merchant can detect duplicates. */
  messageId: string;
  notice: Notice;
  parts: Part[];
  extensions: string[];
  now: Date;
  signal: AbortSignal;
}

/** Sends the message. Implemented by the gateway, a higher layer. `state` is the task's state after the response. */
export type SendToMerchant = (
  message: MerchantMessage,
) => Promise<{ kind: 'answered'; state: string } | { kind: 'unreachable' } | { kind: 'refused' }>;

interface MessageContent {
  notice: Notice;
  topic: string;
  parts: Part[];
  /** The credential to send with, by default the one that approved the order. */
  credentialId?: string;
  now: Date;
  signal: AbortSignal;
}

/** Returns one data part for each value. */
export function dataParts(values: JsonObject[]): Part[] {
  return values.map((value) => ({ kind: 'data', data: value }));
}

/**
 * Returns a message to the merchant of an order about one topic; null if the agent is withdrawn or no credential can
 * send it.
 */
export async function toMerchantMessage(
  order: OrderRecord,
  { notice, topic, parts, now, signal, credentialId }: MessageContent,
): Promise<MerchantMessage | null> {
  const agent = await findAgentById(order.agentId);
  const senderId = credentialId ?? (await findUsedApproval(order.id))?.credentialId;
  if (!agent || agent.status === 'withdrawn' || senderId === undefined) return null;
  return {
    userId: order.userId,
    credentialId: senderId,
    agent,
    taskId: order.taskId,
    messageId: deriveUuid(`${order.id} ${topic}`),
    notice,
    parts,
    extensions: agent.card.capabilities.extensions.map(({ uri }) => uri).filter(isPaymentExtension),
    now,
    signal,
  };
}

/** Task states that reject the mandates. */
const rejectedStates: ReadonlySet<string> = new Set(['failed', 'rejected', 'canceled']);

/**
 * Signs the mandates of an order whose money is held, once, and sends them to its merchant. `send` is that of the
 * gateway. `replayPaymentEvents` processes the merchant's responses again, in case one was missed.
 */
export async function deliverMandates(
  order: OrderRecord,
  deps: {
    now: Date;
    signal: AbortSignal;
    send: SendToMerchant;
    replayPaymentEvents: (order: OrderRecord) => Promise<void>;
  },
): Promise<DeliveryResult> {
  const { now, signal, send } = deps;
  const signed = await signMandates(order.id, now);
  if (!signed) return { kind: 'unreachable' };
  const message = await toMerchantMessage(order, {
    notice: 'mandate',
    topic: 'mandates',
    parts: dataParts([signed.data]),
    now,
    signal,
  });
  if (!message) return { kind: 'rejected', code: 'seller_unavailable' };
  const sent = await send(message);
  if (sent.kind === 'unreachable') return sent;
  await deps.replayPaymentEvents(order);
  if (sent.kind === 'refused') return { kind: 'rejected', code: 'merchant_refused' };
  if (rejectedStates.has(sent.state)) return { kind: 'rejected', code: `task_${sent.state}` };
  const expiries = signed.mandates.map(({ expiresAt }) => expiresAt.getTime());
  return { kind: 'waiting', until: new Date(Math.min(...expiries)) };
}
