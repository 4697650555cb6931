import { db } from '../../platform/db/db';
import type { RefundRecord } from '../record';
import type { OrderStepView, OrderView } from '../schema';
import { type ApprovalProof, approvalMethodOf } from './approvals';
import { findRefunds } from './sale-rows';

/** Data of an order from other tables. */
export interface OrderDetails {
  approval: OrderView['approval'];
  receipts: OrderView['receipts'];
  refund: RefundRecord | null;
}

/** The details of orders, keyed by order id. */
export async function findOrderDetails(orderIds: string[]): Promise<Map<string, OrderDetails>> {
  const where = { orderId: { in: orderIds } };
  const [approvals, receipts, refunds] = await Promise.all([
    db().paymentApproval.findMany({
      where: { ...where, usedAt: { not: null } },
      select: { orderId: true, method: true, credentialId: true, usedAt: true },
    }),
    db().paymentReceipt.findMany({
      where,
      select: { id: true, orderId: true, kind: true, createdAt: true },
      orderBy: { createdAt: 'asc' },
    }),
    findRefunds(orderIds),
  ]);
  return new Map(
    orderIds.map((orderId) => {
      const used = approvals.find((approval) => approval.orderId === orderId);
      const approval = used?.usedAt
        ? {
            at: used.usedAt.toISOString(),
            method: approvalMethodOf({ ...used, method: used.method as ApprovalProof['method'] }),
          }
        : null;
      const own = receipts.filter((receipt) => receipt.orderId === orderId);
      const receiptViews = own.map(({ id, kind, createdAt }) => ({
        id,
        kind: kind as OrderView['receipts'][number]['kind'],
        at: createdAt.toISOString(),
      }));
      return [
        orderId,
        { approval, receipts: receiptViews, refund: refunds.find((refund) => refund.orderId === orderId) ?? null },
      ];
    }),
  );
}

/** The titles of conversations, keyed by their id. */
export async function findTitles(ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db().conversation.findMany({ where: { id: { in: ids } }, select: { id: true, title: true } });
  return new Map(rows.map(({ id, title }) => [id, title]));
}

/** The state changes of an order, oldest first. */
export async function findOrderSteps(orderId: string): Promise<OrderStepView[]> {
  const rows = await db().paymentOrderStep.findMany({ where: { orderId }, orderBy: { version: 'asc' } });
  return rows.map(({ state, code, at }) => ({ state: state as OrderStepView['state'], code, at: at.toISOString() }));
}
