import { type AgentRecord, findAgentById } from '../catalog';
import { uuidOf } from '../platform/ids';
import type { Part } from '../protocol/a2a/core/model';
import { isPaymentExtension } from '../protocol/ap2/extensions';
import type { JsonObject } from '../protocol/json';
import type { OrderRecord } from './record';
import { findUsedApproval } from './store/approvals';

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
export type Send = (
  message: MerchantMessage,
) => Promise<{ kind: 'answered'; state: string } | { kind: 'unreachable' } | { kind: 'refused' }>;

/** A message for the merchant of an order about one matter; null when there is nobody left to send it to or for. */
export async function merchantMessage(
  order: OrderRecord,
  { matter, data, now, signal }: { matter: string; data: JsonObject[]; now: Date; signal: AbortSignal },
): Promise<MerchantMessage | null> {
  const agent = await findAgentById(order.agentId);
  const approval = await findUsedApproval(order.id);
  if (!agent || agent.status === 'withdrawn' || !approval) return null;
  return {
    userId: order.userId,
    credentialId: approval.credentialId,
    agent,
    taskId: order.taskId,
    messageId: uuidOf(`${order.id} ${matter}`),
    parts: data.map((value) => ({ kind: 'data', data: value })),
    extensions: agent.card.capabilities.extensions.map(({ uri }) => uri).filter(isPaymentExtension),
    now,
    signal,
  };
}
