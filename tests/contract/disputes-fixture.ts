import type { DisputeActionInput, DisputeView } from '@/lib/payments/schema-disputes';
import type { Earning, EarningPage, Income } from '@/lib/payments/schema-income';
import { postTransaction } from '@/lib/payments/store/ledger';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { newId } from '@/lib/platform/ids';
import { ChatClient } from '../http/chat-fixture';
import { connectTo, createPerson, message03, type Person, rpc, send } from '../support/fixtures';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { asBrowser, promote } from './moderation-fixture';
import { buy, type OwnPaymentsFixture, offerOf, startPaymentsFixture } from './payments-fixture';
import { type Listed, PricedAgents } from './price-fixture';

const moderatorEmail = 'moderator@disputes.test';

/** An answer of the API. */
export interface Answer<Body = { code: string; title: string; detail?: string }> {
  status: number;
  body: Body;
}

/** A dispute, or the problem why there is none. */
export type DisputeAnswer = Answer<DisputeView & { code: string }>;

/** A shop with priced agents and a cart merchant, a moderator, and what they can do about disputes. */
export class DisputeShop {
  readonly priced: PricedAgents;

  private constructor(
    readonly fixture: OwnPaymentsFixture,
    readonly agent: Listed,
    readonly moderator: Person,
  ) {
    this.priced = new PricedAgents(fixture.url, fixture.seller);
  }

  static async start(env: Record<string, string> = {}): Promise<DisputeShop> {
    const fixture = await startPaymentsFixture({ ADMIN_EMAILS: moderatorEmail, ...env });
    const agent = await new PricedAgents(fixture.url, fixture.seller).list({
      kind: 'task',
      currency: 'EUR',
      amount: 500,
    });
    const moderator = await createPerson(fixture.url, 'Mo');
    await promote(fixture, moderator, moderatorEmail);
    return new DisputeShop(fixture, agent, moderator);
  }

  get seller(): Person {
    return this.fixture.seller;
  }

  /** A buyer who was charged 5.00 euros by the price plan of the agent. Returns the id of the charge. */
  async charge({ slug }: Pick<Listed, 'slug'> = this.agent): Promise<{ buyer: Person; saleId: string }> {
    const buyer = await this.priced.newBuyer(slug);
    await rpc(await connectTo(this.fixture.url, buyer, slug), 'message/send', message03('Chart this'));
    const { id, state } = await this.priced.settledCharge(buyer);
    if (state !== 'captured') throw new Error(`the charge is ${state}`);
    return { buyer, saleId: id };
  }

  /** A buyer who paid a cart of 18.98 euros. Returns the id of the order. */
  async order(): Promise<{ buyer: Person; saleId: string }> {
    this.fixture.merchant.onMandate = 'confirm';
    const client = new ChatClient(this.fixture.url, await createPerson(this.fixture.url, 'Bo'));
    const { id } = await buy(client, await offerOf(this.fixture, { client }), 'captured');
    return { buyer: client.person, saleId: id };
  }

  async ask<Body>(person: Pick<Person, 'cookie'> | null, path: string, body?: unknown): Promise<Answer<Body>> {
    const response = await asBrowser(this.fixture, person)(path, body === undefined ? {} : { body });
    const text = await response.text();
    return { status: response.status, body: text === '' ? (null as Body) : JSON.parse(text) };
  }

  open(buyer: Person, sale: { kind: 'order' | 'charge'; saleId: string }, more: object = {}): Promise<DisputeAnswer> {
    const body = { reason: 'not_as_agreed', wanted: 300, text: 'The chart is empty.', ...sale, ...more };
    return this.ask(buyer, '/api/disputes', body);
  }

  act(
    person: Person | null,
    id: string,
    input: Pick<DisputeActionInput, 'action'> & Partial<DisputeActionInput>,
  ): Promise<DisputeAnswer> {
    return this.ask(person, `/api/disputes/${id}/actions`, input);
  }

  decide(person: Person | null, id: string, amount: number): Promise<DisputeAnswer> {
    return this.ask(person, `/api/disputes/${id}/decision`, { amount, text: 'The chart has no bars.' });
  }

  view(person: Person | null, id: string): Promise<DisputeAnswer> {
    return this.ask(person, `/api/disputes/${id}`);
  }

  /** The dispute of its buyer, once it is in the state. */
  reaches(buyer: Person, id: string, state: DisputeView['state']): Promise<DisputeView> {
    return waitFor(
      async () => {
        const { body } = await this.view(buyer, id);
        return body.state === state ? body : null;
      },
      { what: `the dispute to be ${state}` },
    );
  }

  async earning(saleId: string): Promise<Earning> {
    const { body } = await this.ask<EarningPage>(this.seller, '/api/earnings?limit=100');
    const found = body.items.find((item) => item.saleId === saleId);
    if (!found) throw new Error(`no earning of ${saleId}`);
    return found;
  }

  async refund(person: Person | null, earningId: string, body: object): Promise<Answer<Earning & { code: string }>> {
    return this.ask(person, `/api/earnings/${earningId}/refund`, body);
  }

  async euros(): Promise<Income['balances'][number]> {
    const { body } = await this.ask<Income>(this.seller, '/api/income');
    const found = body.balances.find(({ currency }) => currency === 'EUR');
    if (!found) throw new Error('no balance in euros');
    return found;
  }

  /** Ends the hold of a sale, and waits until its money is available. */
  async release(saleId: string): Promise<void> {
    await query('test-end-hold', 'UPDATE earning SET available_at = now() WHERE sale_id = $1', [saleId]);
    await waitFor(async () => (await this.earning(saleId)).state === 'available', {
      what: 'the money to be available',
    });
  }

  /** Moves the deadline of a dispute into the past, and waits until it was noticed. */
  async pass(id: string, interval = '1 second'): Promise<void> {
    const { version } = await db().dispute.findUniqueOrThrow({ where: { id } });
    await query('test-pass-deadline', `UPDATE dispute SET due_at = now() - $2::interval WHERE id = $1`, [id, interval]);
    // An idle node does not look for a deadline that changed in the database: work wakes it.
    await this.charge();
    const isNoticed = async (): Promise<boolean> =>
      (await db().dispute.findUniqueOrThrow({ where: { id } })).version > version;
    await waitFor(isNoticed, { what: 'the deadline to pass', timeout: 20_000 });
  }

  /** Waits until so much of a sale is refunded. */
  async refunded(saleId: string, amount: number): Promise<void> {
    await waitFor(async () => (await this.earning(saleId)).refunded === amount, { what: `a refund of ${amount}` });
  }

  /** Moves available money of the seller outside, as a payout does. */
  async payOut(amount: number): Promise<void> {
    const entries = [
      { account: { kind: 'available' as const, owner: this.seller.userId }, amount: -amount },
      { account: { kind: 'outside' as const, owner: 'parley' }, amount },
    ];
    const key = `test:${newId('pyo')}`;
    const transaction = { key, kind: 'payout' as const, orderId: null, currency: 'EUR', test: true, entries };
    await inTransaction((tx) => postTransaction(tx, transaction, new Date()));
  }

  async balance(kind: string, owner: string): Promise<number> {
    const found = await db().ledgerAccount.findFirst({ where: { kind, owner, currency: 'EUR' } });
    return Number(found?.balance ?? 0);
  }

  /** An access token of a person with one scope. */
  async token({ cookie }: Person, scope: string): Promise<string> {
    const call = { cookie, origin: this.fixture.url, body: { name: scope, scopes: [scope] } };
    const made = await send(`${this.fixture.url}/api/auth/access-tokens`, call);
    return ((await made.json()) as { token: string }).token;
  }
}

/**
 * Checks the ledger: entries make the balances, which sum to zero, and what is in reserve belongs to earnings.
 */
export async function auditDisputedLedger(): Promise<string[]> {
  const faults: string[] = [];
  const accounts = await db().ledgerAccount.findMany({ include: { entries: true } });
  const sums = new Map<string, bigint>();
  for (const { kind, owner, currency, test, balance, entries } of accounts) {
    if (entries.reduce((sum, { amount }) => sum + amount, 0n) !== balance) faults.push(`${kind} ${owner}: ${balance}`);
    sums.set(`${currency} ${test}`, (sums.get(`${currency} ${test}`) ?? 0n) + balance);
  }
  for (const [name, sum] of sums) if (sum !== 0n) faults.push(`${name} sums to ${sum}`);
  const reserves = accounts.filter(({ kind }) => kind === 'reserve').reduce((sum, { balance }) => sum + balance, 0n);
  const { _sum } = await db().earning.aggregate({ _sum: { reserved: true } });
  if (reserves !== (_sum.reserved ?? 0n)) faults.push(`reserve ${reserves}, of earnings ${_sum.reserved}`);
  return faults;
}
