import { inflateSync } from 'node:zlib';
import { issuePapers } from '@/lib/payments/papers/issue-papers';
import type { OrderRecord, PaperRecord } from '@/lib/payments/record';
import type { PartyDetails } from '@/lib/payments/schema-income';
import { createRefund } from '@/lib/payments/store/order-details';
import { enqueueJob } from '@/lib/payments/store/outbox';
import { findPapersOfSales } from '@/lib/payments/store/papers/paper-rows';
import { saveBillingParty } from '@/lib/payments/store/papers/tax-rows';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { newId } from '@/lib/platform/ids';
import { seedAgents } from '../../support/seed-agents';
import { OrderFixture } from './order-fixture';

export const sellerDetails: PartyDetails = {
  name: 'Sella Verde GmbH',
  street: 'Hauptstr. 1',
  postalCode: '10115',
  city: 'Berlin',
  country: 'DE',
  vatId: 'DE136695976',
};

export const buyerDetails: PartyDetails = {
  name: 'Αθηνά Жуковська 🍕',
  street: 'Rue de la Paix 5',
  postalCode: '75002',
  city: 'Paris',
  country: 'FR',
  vatId: null,
};

/** A seller with an agent, and buyers, with the job of papers. */
export class PaperFixture {
  readonly sellerId = newId('usr');
  agentId = '';

  constructor(readonly orders: OrderFixture) {}

  static async create(orders = new OrderFixture()): Promise<PaperFixture> {
    const fixture = new PaperFixture(orders);
    const { sellerId } = fixture;
    await seedAgents([{ name: `Shop ${sellerId.slice(4)}`, description: 'Sells.', ownerId: sellerId }]);
    fixture.agentId = (await db().agent.findFirstOrThrow({ where: { ownerId: sellerId } })).id;
    return fixture;
  }

  async enter(userId: string, role: 'buyer' | 'seller', details: PartyDetails): Promise<void> {
    await saveBillingParty({ userId, role }, details, this.orders.now());
  }

  /** Sells a cart. `buyer` are the buyer's details. */
  async sell(amount = 1_000, buyer: PartyDetails | null = null): Promise<OrderRecord> {
    const order = await this.orders.offer({ agentId: this.agentId, amount });
    if (buyer) await this.enter(order.userId, 'buyer', buyer);
    await this.orders.fill(order.userId, amount);
    await this.orders.approve(order);
    await this.orders.run();
    return this.orders.order(order.id);
  }

  async refund({ id: orderId }: OrderRecord, amount: number): Promise<string> {
    const at = this.orders.now();
    const approved = { id: newId('rfd'), orderId, amount, reason: 'x', state: 'approved' as const, createdAt: at };
    await inTransaction(async (tx) => {
      await createRefund(tx, approved);
      await enqueueJob({ orderId, kind: 'refund', payload: { refundId: approved.id } }, at, tx);
    });
    await this.orders.run();
    return approved.id;
  }

  /** Runs the job on some nodes at once. A node that dies at a failpoint is left as it is. */
  async issue(nodes = 1): Promise<void> {
    await Promise.all(Array.from({ length: nodes }, () => issuePapers(this.orders.now())));
  }

  papersOf({ id }: Pick<OrderRecord, 'id'>): Promise<PaperRecord[]> {
    return inTransaction((tx) => findPapersOfSales(tx, [id]));
  }

  /** The numbers of the seller's papers of a kind, in order. */
  async numbers(kind: 'invoice' | 'credit_note', issuer = this.sellerId): Promise<number[]> {
    const rows = await db().paper.findMany({ where: { issuer, kind }, orderBy: { number: 'asc' } });
    return rows.map(({ number }) => number);
  }
}

/** Returns the text of a PDF by the fonts' own maps of glyphs to characters, in the order of the file. */
export function textOfPdf(pdf: Buffer): string {
  const source = pdf.toString('latin1');
  const streams = [...source.matchAll(/(\d+) 0 obj\n((?:(?!endobj)[\s\S])*?)\nstream\r?\n/g)].map((match) => {
    const start = match.index + match[0].length;
    const length = Number(/\/Length (\d+)/.exec(match[2] ?? '')?.[1] ?? 0);
    const bytes = pdf.subarray(start, start + length);
    const text = /FlateDecode/.test(match[2] ?? '') ? inflateSync(bytes).toString('latin1') : bytes.toString('latin1');
    return { id: match[1] ?? '', text };
  });
  const maps = new Map(
    streams.filter(({ text }) => text.includes('beginbfrange')).map(({ id, text }) => [id, mapOf(text)]),
  );
  const fonts = new Map<string, string[]>();
  for (const [, name, id] of source.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const font = new RegExp(`\\n${id} 0 obj\\n([\\s\\S]*?)endobj`).exec(source)?.[1] ?? '';
    const map = maps.get(/\/ToUnicode (\d+)/.exec(font)?.[1] ?? '');
    if (name && map) fonts.set(name, map);
  }
  return streams
    .filter(({ text }) => text.includes(' Tf'))
    .map(({ text }) => readContent(text, fonts))
    .join('\n');
}

function mapOf(text: string): string[] {
  const map: string[] = [];
  for (const [, start = '', values = ''] of text.matchAll(/<(\w+)> <\w+> \[([^\]]*)\]/g)) {
    const first = Number.parseInt(start, 16);
    [...values.matchAll(/<([^>]*)>/g)].forEach(([, value = ''], index) => {
      const units = value.replaceAll(' ', '').match(/.{4}/g) ?? [];
      map[first + index] = String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)));
    });
  }
  return map;
}

function readContent(content: string, fonts: Map<string, string[]>): string {
  let map: string[] = [];
  let text = '';
  for (const [, font, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (font) map = fonts.get(font) ?? [];
    if (shown === undefined) continue;
    for (const [, codes = ''] of shown.matchAll(/<([^>]*)>/g))
      text += (codes.match(/.{4}/g) ?? []).map((code) => map[Number.parseInt(code, 16)] ?? '?').join('');
    text += '\n';
  }
  return text;
}
