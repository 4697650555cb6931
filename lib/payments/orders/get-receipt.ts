import type { Ctx } from '../../platform/context';
import { orderNotFound } from '../errors';
import { requirePayer } from '../policy';
import type { ReceiptView } from '../schema';
import { findUsedApproval } from '../store/approvals';
import { findOrder } from '../store/orders';
import { findReceipts } from '../store/receipts';
import { toOrderView } from './to-wire';
import { voidEndedOffers } from './void-offers';

/**
 * What proves a person's payment: what they approved, what the merchant confirmed, and Parley's receipt.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` also for those of others
 */
export async function getReceipt({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<ReceiptView> {
  const person = requirePayer(ctx.actor);
  await voidEndedOffers({ userId: person.userId }, ctx.now);
  const order = await findOrder(person, input.id);
  if (!order) throw orderNotFound();
  const receipts = await findReceipts(order.id);
  const own = receipts.find(({ kind }) => kind === 'parley');
  const merchant = receipts.find(({ kind }) => kind === 'merchant');
  const approval = await findUsedApproval(order.id);
  return {
    order: await toOrderView(order),
    token: own?.token ?? null,
    object: own ? { ...own.content } : null,
    // Only receipts whose signature and reference hold are kept.
    merchantReceipt: merchant ? { token: merchant.token, verified: true, orderId: order.merchantOrderId } : null,
    approval: approval && { text: approval.text, method: approval.method, at: approval.usedAt.toISOString() },
  };
}
