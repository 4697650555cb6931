import { acceptSale } from '@/lib/payments/acceptance/accept-sale';
import { changeDispute } from '@/lib/payments/disputes/change-dispute';
import { endDispute, lockDispute } from '@/lib/payments/disputes/close-dispute';
import { runDisputeDeadlines } from '@/lib/payments/disputes/dispute-deadlines';
import { openDispute } from '@/lib/payments/disputes/open-dispute';
import { recordEarning } from '@/lib/payments/earnings/record-earnings';
import type { EarningRecord, SaleKind } from '@/lib/payments/record';
import type { AcceptanceView, DisputeActionInput, DisputeReason } from '@/lib/payments/schema-disputes';
import { type DisputeRecord, findDispute } from '@/lib/payments/store/disputes/dispute-rows';
import { findEarningOfSale } from '@/lib/payments/store/earnings/earning-rows';
import { postTransaction } from '@/lib/payments/store/ledger';
import type { Ctx } from '@/lib/platform/context';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { newId, newUuid } from '@/lib/platform/ids';
import type { AcceptanceTerms } from '@/lib/protocol/ap2/schema-offer';
import { seedAgents } from '../../support/seed-agents';
import { OrderFixture } from './order-fixture';
import { offerView } from './order-views';

/** A captured sale of 10.00 euros, of which Parley keeps 0.50. */
export interface Sale {
  kind: SaleKind;
  saleId: string;
  buyerId: string;
  sellerId: string;
  agentId: string;
}

export const gross = 1_000;

/** Sales of both kinds, and what their parties and a moderator do about disputes. */
export class DisputeFixture extends OrderFixture {
  /** A captured sale, with acceptance terms if there are any. */
  async sell(kind: SaleKind, terms?: AcceptanceTerms): Promise<Sale> {
    const sellerId = newId('usr');
    await seedAgents([{ name: `Shop ${sellerId.slice(4)}`, description: 'Sells.', ownerId: sellerId }]);
    const { id: agentId } = await db().agent.findFirstOrThrow({ where: { ownerId: sellerId } });
    const buyerId = newId('usr');
    await this.fill(buyerId, gross);
    const parties = { buyerId, agentId };
    const saleId = kind === 'order' ? await this.buyCart(parties, terms) : await this.charge(parties, terms);
    return { kind, saleId, buyerId, sellerId, agentId };
  }

  private async buyCart(
    { buyerId: userId, agentId }: Pick<Sale, 'buyerId' | 'agentId'>,
    terms?: AcceptanceTerms,
  ): Promise<string> {
    const order = await this.offer({ userId, agentId, amount: gross });
    if (terms) {
      const offer = { ...offerView(), acceptance: terms };
      await db().paymentOrder.update({ where: { id: order.id }, data: { offer } });
    }
    await this.approve(await this.order(order.id));
    await this.run();
    return order.id;
  }

  private async charge(
    { buyerId: userId, agentId }: Pick<Sale, 'buyerId' | 'agentId'>,
    terms?: AcceptanceTerms,
  ): Promise<string> {
    const at = this.now();
    const [id, approvalId] = [newId('tch'), newId('pap')];
    const common = { userId, agentId, plan: {}, currency: 'EUR', test: true };
    const approval = { planId: 'pln', amount: gross, total: gross, agentsMayUse: false, method: 'session' };
    await db().priceApproval.create({
      data: { ...common, ...approval, id: approvalId, credentialId: '', createdAt: at, expiresAt: at, spent: gross },
    });
    const held = { authorized: gross, captured: gross, feeBps: 500, feeFixed: 0, fee: 50, state: 'captured' };
    const times = { authorizedAt: at, checkAt: at, settledAt: at };
    await db().taskCharge.create({
      data: { ...common, ...held, ...times, id, key: id, approvalId, taskId: newUuid() },
    });
    const sale = { saleKind: 'charge' as const, saleId: id, agentId, currency: 'EUR', test: true, gross, fee: 50 };
    const entries = [
      { account: { kind: 'wallet' as const, owner: userId }, amount: -gross },
      { account: { kind: 'merchant' as const, owner: agentId }, amount: gross - 50 },
      { account: { kind: 'fees' as const, owner: 'parley' }, amount: 50 },
    ];
    const transaction = { key: `charge:${id}:settle`, kind: 'capture' as const, orderId: null, entries };
    await inTransaction(async (tx) => {
      await postTransaction(tx, { ...transaction, currency: 'EUR', test: true }, at);
      await recordEarning(tx, { ...sale, capturedAt: at, acceptance: terms ? { terms, buyerId: userId } : null });
    });
    return id;
  }

  contextOf(userId: string): Ctx {
    const credential = { kind: 'session' as const, id: 'ses_1' };
    const actor = { kind: 'user' as const, userId, email: `${userId}@example.test`, name: 'Bea', credential };
    return { actor, now: this.now(), requestId: 'req_1', signal: new AbortController().signal };
  }

  accept({ kind, saleId, buyerId }: Sale): Promise<AcceptanceView> {
    return acceptSale({ ctx: this.contextOf(buyerId), input: { kind, saleId } });
  }

  /** Disputes a sale. */
  async open(
    { kind, saleId, buyerId }: Sale,
    wanted: number,
    reason: DisputeReason = 'not_as_agreed',
  ): Promise<string> {
    const input = { kind, saleId, wanted, reason, text: 'It is empty.', files: [] };
    return (await openDispute({ ctx: this.contextOf(buyerId), input })).id;
  }

  async act(userId: string, id: string, input: Partial<DisputeActionInput> & Pick<DisputeActionInput, 'action'>) {
    return changeDispute({ ctx: this.contextOf(userId), input: { text: 'Words.', files: [], ...input, id } });
  }

  /** Decides like a moderator, without a session. */
  async decide(id: string, amount: number): Promise<void> {
    const found = await this.dispute(id);
    await inTransaction(async (tx) => {
      const locked = await lockDispute(tx, found);
      if (!['review', 'failed'].includes(locked.dispute.state)) throw new Error('no decision is due');
      await endDispute(tx, locked, { outcome: 'decided', amount, at: this.now() });
    });
  }

  runDeadlines(): Promise<void> {
    return runDisputeDeadlines(this.now());
  }

  async dispute(id: string): Promise<DisputeRecord> {
    const found = await findDispute('all', id);
    if (!found) throw new Error(`no dispute ${id}`);
    return found;
  }

  async earning({ kind, saleId }: Sale): Promise<EarningRecord> {
    const found = await findEarningOfSale(kind, saleId);
    if (!found) throw new Error(`no earning of ${saleId}`);
    return found;
  }
}
