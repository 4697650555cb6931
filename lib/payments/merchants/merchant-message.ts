import { type AgentRecord, findAgentById } from '../../catalog';
import { deriveUuid } from '../../platform/ids';
import type { Part } from '../../protocol/a2a/core/model';
import { isPaymentExtension } from '../../protocol/ap2/extensions';
import type { JsonObject } from '../../protocol/json';
import type { OrderRecord } from '../record';
import { findUsedApproval } from '../store/approvals';

/** What is sent to a merchant's agent on the task of an order, in the name of its person. */
export interface MerchantMessage {
  userId: string;
  credentialId: string;
  agent: AgentRecord;
  taskId: string;
  /** The same for the same matter, so that a merchant who gets it twice knows it. */
  messageId: string;
  parts: Part[];
  extensions: string[];
  now: Date;
  signal: AbortSignal;
}

/** Sends it, by whoever stands above payments; what it answers is the gateway's. */
export type SendToMerchant = (
  message: MerchantMessage,
) => Promise<{ kind: 'answered'; state: string } | { kind: 'unreachable' } | { kind: 'refused' }>;

interface MessageContent {
  topic: string;
  parts: Part[];
  /** The credential that asked for it; of the order's approval when unset. */
  credentialId?: string;
  now: Date;
  signal: AbortSignal;
}

/** One data part for each value. */
export function dataParts(values: JsonObject[]): Part[] {
  return values.map((value) => ({ kind: 'data', data: value }));
}

/** A message for the merchant of an order about one matter; null when there is nobody left to send it to or for. */
export async function toMerchantMessage(
  order: OrderRecord,
  { topic: matter, parts, now, signal, credentialId }: MessageContent,
): Promise<MerchantMessage | null> {
  const agent = await findAgentById(order.agentId);
  const asker = credentialId ?? (await findUsedApproval(order.id))?.credentialId;
  if (!agent || agent.status === 'withdrawn' || asker === undefined) return null;
  return {
    userId: order.userId,
    credentialId: asker,
    agent,
    taskId: order.taskId,
    messageId: deriveUuid(`${order.id} ${matter}`),
    parts,
    extensions: agent.card.capabilities.extensions.map(({ uri }) => uri).filter(isPaymentExtension),
    now,
    signal,
  };
}
