import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PaymentPayload, PaymentRequirements } from '@/lib/protocol/x402/x402-messages';

/** The network of the fake: balances in memory instead of a chain. */
export const testNetwork = 'test:1';
export const testAsset = 'asset-of-the-test';

/** A type alias, which JSON accepts. */
type Authorization = {
  from: string;
  to: string;
  value: string;
  asset: string;
  nonce: string;
  validBefore: number;
};

interface Signed {
  signature: string;
  authorization: Authorization;
}

const textOf = ({ from, to, value, asset, nonce, validBefore }: Authorization): Buffer =>
  Buffer.from(JSON.stringify([from, to, value, asset, nonce, validBefore]));

/** A payer's key. It is a scheme of the real x402 client, which creates a new authorization for each payment. */
export class PayerKey {
  readonly scheme = 'exact';
  readonly address: string;
  private readonly key: KeyObject;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    this.key = privateKey;
    this.address = publicKey.export({ type: 'spki', format: 'der' }).toString('hex');
  }

  async createPaymentPayload(
    x402Version: number,
    {
      payTo,
      amount,
      asset,
      maxTimeoutSeconds,
    }: Pick<PaymentRequirements, 'payTo' | 'amount' | 'asset' | 'maxTimeoutSeconds'>,
  ): Promise<{ x402Version: number; payload: Record<string, unknown> }> {
    return { x402Version, payload: { ...this.sign({ to: payTo, value: amount, asset, maxTimeoutSeconds }) } };
  }

  sign({
    maxTimeoutSeconds,
    ...transfer
  }: {
    to: string;
    value: string;
    asset: string;
    maxTimeoutSeconds: number;
  }): Signed {
    const authorization = {
      from: this.address,
      ...transfer,
      nonce: randomBytes(16).toString('hex'),
      validBefore: Math.floor(Date.now() / 1_000) + maxTimeoutSeconds,
    };
    return { signature: sign(null, textOf(authorization), this.key).toString('hex'), authorization };
  }
}

type Operation = 'verify' | 'settle';

interface Received {
  operation: Operation;
  headers: IncomingHttpHeaders;
  paymentPayload: Omit<PaymentPayload, 'payload'> & { payload: Signed };
  paymentRequirements: PaymentRequirements;
}

/**
 * What happens to a request: it is lost before or after it took effect, waits, or gets another answer. Returns true if
 * the request is answered as usual afterwards.
 */
type Fault = 'lost-before' | 'lost-after' | ((response: ServerResponse) => unknown);

/** A facilitator of x402 that keeps balances: a real HTTP server whose answers can be lost. */
export class Facilitator {
  readonly requests: Received[] = [];
  readonly balances = new Map<string, bigint>();
  /** The nonces that were transferred, with their transactions. */
  readonly transfers = new Map<string, string>();
  /** The faults of the next requests, one each. */
  readonly next: Partial<Record<Operation, Fault[]>> = {};
  /** If false, a repeated settlement is refused, because its nonce is used. */
  repeatsAnswers = true;
  private readonly server = createServer();

  static async start(port = 0): Promise<Facilitator> {
    const facilitator = new Facilitator();
    facilitator.server.on('request', async (incoming, response) => {
      const operation = incoming.url?.slice(1) as Operation;
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const request = { operation, headers: incoming.headers, ...body } as Received;
      facilitator.requests.push(request);
      await facilitator.serve(request, response);
    });
    await new Promise<void>((resolve) => facilitator.server.listen(port, '127.0.0.1', resolve));
    return facilitator;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  fund({ address }: PayerKey, amount: bigint): void {
    this.balances.set(address, amount);
  }

  balanceOf(address: string): bigint {
    return this.balances.get(address) ?? 0n;
  }

  count(operation: Operation): number {
    return this.requests.filter((request) => request.operation === operation).length;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: Received, response: ServerResponse): Promise<void> {
    const fault = this.next[request.operation]?.shift();
    if (fault === 'lost-before') return void response.destroy();
    if (typeof fault === 'function' && (await fault(response)) !== true) return;
    const answer = request.operation === 'verify' ? this.verify(request) : this.settle(request);
    if (fault === 'lost-after') return void response.destroy();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  private verify(request: Received): object {
    const { authorization } = request.paymentPayload.payload;
    const invalidReason = this.faultIn(request);
    return invalidReason
      ? { isValid: false, invalidReason, payer: authorization?.from }
      : { isValid: true, payer: authorization.from };
  }

  private settle(request: Received): object {
    const { authorization } = request.paymentPayload.payload;
    const { network } = request.paymentRequirements;
    const earlier = this.transfers.get(authorization?.nonce);
    if (earlier && this.repeatsAnswers)
      return { success: true, transaction: earlier, network, payer: authorization.from };
    const errorReason = this.faultIn(request);
    if (errorReason) return { success: false, errorReason, transaction: '', network, payer: authorization?.from };
    const { from, to, value, nonce } = authorization;
    const transaction = `0x${createHash('sha256').update(nonce).digest('hex')}`;
    this.transfers.set(nonce, transaction);
    this.balances.set(from, this.balanceOf(from) - BigInt(value));
    this.balances.set(to, this.balanceOf(to) + BigInt(value));
    return { success: true, transaction, network, payer: from };
  }

  private faultIn({ paymentPayload: { payload }, paymentRequirements: required }: Received): string | null {
    const { authorization, signature }: Partial<Signed> = payload;
    if (!authorization || typeof signature !== 'string') return 'invalid_payload';
    if (required.network !== testNetwork) return 'invalid_network';
    const key = createPublicKey({ key: Buffer.from(authorization.from, 'hex'), format: 'der', type: 'spki' });
    if (!verify(null, textOf(authorization), key, Buffer.from(signature, 'hex'))) return 'invalid_signature';
    if (authorization.value !== required.amount || authorization.asset !== required.asset) return 'invalid_value';
    if (authorization.to !== required.payTo) return 'invalid_recipient';
    if (authorization.validBefore < Date.now() / 1_000) return 'expired';
    if (this.transfers.has(authorization.nonce)) return 'nonce_used';
    return this.balanceOf(authorization.from) < BigInt(authorization.value) ? 'insufficient_funds' : null;
  }
}
