import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import type { PaymentPayload, PaymentRequired } from '@/lib/protocol/x402/x402-messages';
import { Facilitator, PayerKey, testAsset, testNetwork } from '../fakes/facilitator';
import { createPerson, message10 } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { auditLedger } from '../unit/payments/order-fixture';
import { type Listed, PricedAgents } from './price-fixture';

export const payTo = 'the-operator';
export const perTaskX402 = { kind: 'task', currency: 'USD', amount: 50, x402: true };
/** 50 cents in an asset with six decimals. */
export const atomicPrice = 500_000n;

export interface A2aAnswer {
  result?: { task?: { id: string; status: { state: string } } };
  error?: { code: number; message: string; data?: { reason: string }[] };
}

/** A caller without an account, with a key that has funds. */
export class Payer {
  readonly key = new PayerKey();
  /** `fetch` that pays, of the real client. */
  readonly fetch: typeof fetch;
  /** What the client sent, in order. */
  readonly sent: Request[] = [];

  constructor(facilitator: Facilitator, amount = 10n * atomicPrice) {
    facilitator.fund(this.key, amount);
    const client = x402Client.fromConfig({
      schemes: [{ network: testNetwork, client: this.key }],
      spendControls: { allowedAssets: [{ network: testNetwork, asset: testAsset }] },
    });
    const recorded: typeof fetch = (input, init) => {
      const request = new Request(input, init);
      this.sent.push(request.clone());
      return fetch(request);
    };
    this.fetch = wrapFetchWithPayment(recorded, client);
  }

  /** `PAYMENT-SIGNATURE` for an answer 402, signed by hand; `change` makes it wrong. */
  sign(required: PaymentRequired, change: (payment: PaymentPayload) => unknown = () => {}): string {
    const [accepted] = required.accepts;
    if (!accepted) throw new Error('the answer 402 accepts nothing');
    const { payTo: to, amount: value, asset, maxTimeoutSeconds } = accepted;
    const payload = { ...this.key.sign({ to, value, asset, maxTimeoutSeconds }) };
    const payment: PaymentPayload = structuredClone({ x402Version: 2, accepted, payload });
    change(payment);
    return Buffer.from(JSON.stringify(payment)).toString('base64');
  }
}

type SendOptions = { by?: typeof fetch; authorization?: string; origin?: string; 'payment-signature'?: string };

/** A Parley that accepts payments by x402, its facilitator, and a seller's agents. */
export class X402Fixture {
  facilitator: Facilitator;
  readonly parley: Parley;
  readonly shop: PricedAgents;

  private constructor({ facilitator, parley, shop }: Pick<X402Fixture, 'facilitator' | 'parley' | 'shop'>) {
    this.facilitator = facilitator;
    this.parley = parley;
    this.shop = shop;
  }

  static async start(env: Record<string, string> = {}): Promise<X402Fixture> {
    const facilitator = await Facilitator.start();
    const parley = await startParley({ env: { ...x402Settings(facilitator.url), ...env } });
    const shop = new PricedAgents(parley.url, await createPerson(parley.url, 'Sella'));
    return new X402Fixture({ facilitator, parley, shop });
  }

  get url(): string {
    return this.parley.url;
  }

  list(plan: object = perTaskX402): Promise<Listed> {
    return this.shop.list(plan);
  }

  /** A JSON-RPC request of A2A 1.0, without a token unless `headers` have one. `by` may be a `fetch` that pays. */
  send(slug: string, body: object, { by = fetch, ...headers }: SendOptions = {}): Promise<Response> {
    return by(`${this.url}/agents/${slug}/a2a/jsonrpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
      body: JSON.stringify(body),
    });
  }

  async stop(): Promise<void> {
    await this.parley.stop();
    await this.facilitator.stop();
  }
}

export function x402Settings(facilitatorUrl: string): Record<string, string> {
  return {
    AGENT_URL_ALLOW: 'http://127.0.0.1:*',
    X402_FACILITATOR_URL: facilitatorUrl,
    X402_NETWORK: testNetwork,
    X402_ASSET: testAsset,
    X402_PAY_TO: payTo,
    X402_TEST: '1',
  };
}

/** The body of a send in A2A 1.0. */
export function send10(text = 'Chart this', extra: object = {}): object {
  return { jsonrpc: '2.0', id: 'q', method: 'SendMessage', params: message10(text, extra) };
}

export function requiredIn(response: Response): PaymentRequired {
  const header = response.headers.get('payment-required');
  if (!header) throw new Error(`status ${response.status} has no PAYMENT-REQUIRED`);
  const required: unknown = decodePaymentRequiredHeader(header);
  return required as PaymentRequired;
}

export function settlementIn(response: Response): { success: boolean; transaction: string; payer?: string } {
  return decodePaymentResponseHeader(response.headers.get('payment-response') ?? '');
}

export interface StoredPayment {
  id: string;
  principal: string;
  state: string;
  attempts: number;
  settlement: string | null;
  reason: string | null;
}

/** The payments for an agent, oldest first. */
export function paymentsFor(agentId: string): Promise<StoredPayment[]> {
  const text = `SELECT id, principal, state, attempts, settlement, reason FROM x402_payment WHERE agent_id = $1
    ORDER BY created_at, id`;
  return query('test-x402', text, [agentId]);
}

/** The balances of the ledger, which adds up to zero, by account. */
export async function balances(): Promise<Record<string, number>> {
  return Object.fromEntries(await auditLedger());
}
