import type { Db } from '../../platform/db/db';
import { publishAtCommit } from '../../platform/db/tx';
import { mayMove, type OrderState } from '../schema-states';

/** Kinds of outbox jobs, which are work outside of the database that runs at least once, in the order of `dueAt`. */
export type OutboxKind =
  | 'authorize'
  | 'retrieve'
  | 'deliver'
  | 'watch-delivery'
  | 'capture'
  | 'release'
  | 'refund'
  | 'announce'
  | 'standing';

/** A state change of an order. */
export interface OrderMove {
  id: string;
  from: OrderState;
  /** The version on which the change was decided. */
  version: number;
  to: OrderState;
  code?: string;
  at: Date;
  /** Columns that change with the state. */
  set?: Partial<{
    method: 'wallet' | 'card';
    test: boolean;
    fee: number;
    authorized: number;
    captured: number;
    refunded: number;
    captureBefore: Date;
    sessionId: string;
    paymentId: string;
    redirectUrl: string | null;
    attempt: number;
    merchantOrderId: string;
    approvedAt: Date;
    credentialId: string;
    connectionId: string | null;
    rootTaskId: string | null;
    standingId: string | undefined;
  }>;
  /** Jobs to add in the same transaction. */
  outbox?: { kind: OutboxKind; dueAt: Date; payload?: Record<string, string | number> }[];
}

/**
 * Moves an order to another state, with its step record and jobs, in the caller's transaction. The commit notifies
 * every node of `order <id>`. Returns false and writes nothing if the state or version has changed.
 * @throws {Error} for a transition that is not allowed
 */
export async function moveOrder(tx: Db, move: OrderMove): Promise<boolean> {
  const { id, from, version, to, code = null, at, set = {}, outbox = [] } = move;
  if (!mayMove(from, to)) throw new Error(`an order does not go from ${from} to ${to}`);
  const { count } = await tx.paymentOrder.updateMany({
    where: { id, state: from, version },
    data: { ...set, state: to, code, version: version + 1, updatedAt: at },
  });
  if (count === 0) return false;
  await tx.paymentOrderStep.create({ data: { orderId: id, version: version + 1, state: to, code, at } });
  for (const { kind, dueAt, payload = {} } of outbox) {
    await tx.paymentOutbox.create({ data: { orderId: id, kind, dueAt, payload } });
  }
  await publishAtCommit(tx, 'order', id);
  return true;
}
