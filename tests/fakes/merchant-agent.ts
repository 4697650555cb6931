import { randomUUID } from 'node:crypto';
import { referencesOf } from '@parley/agent/ap2';
import { newUuid } from '@/lib/platform/ids';
import type { JsonObject } from '@/lib/protocol/json';
import { isObject } from '@/lib/protocol/json';
import * as agent03 from './a2a03';
import { type CartFault, cartData, type MerchantKey, newMerchantKey, type Seller, signJwt } from './merchant-carts';
import { type Exchange, ScriptedAgent } from './scripted-agent';

/** How the merchant responds to a mandate. */
export type MandateAnswer =
  /** A signed receipt that confirms or rejects the order. */
  | 'confirm'
  | 'refuse'
  /** A receipt that does not count. */
  | 'wrong key'
  | 'wrong reference'
  | 'unsigned'
  /** Nothing about it; the task keeps waiting or fails, or the connection breaks. */
  | 'silent'
  | 'fail'
  | 'vanish';

/** Response to a text: a cart and a wait for payment, a cart and the end of the task, a question, or the end. */
export type TextAnswer = 'cart' | 'cart and completed' | 'ask' | 'canceled' | 'failed' | 'rejected' | 'completed';

const extension = 'https://github.com/google-agentic-commerce/ap2/v1';

/**
 * A merchant that sells pizza over A2A 0.3 and AP2 0.1: any text gets a cart signed with its own key and a payment
 * request. `fault` corrupts its carts, `onMandate` sets how it responds to payment.
 */
export class MerchantAgent {
  fault: CartFault = 'none';
  onMandate: MandateAnswer = 'confirm';
  onText: TextAnswer = 'cart';
  /** What it answers with another cart besides texts. */
  insistsOn: 'nothing' | 'mandates' | 'receipts' | 'all' = 'nothing';
  /** Every text received. */
  readonly texts: string[] = [];
  /** Data parts sent instead of a new cart, until none is left. */
  readonly nextCarts: (JsonObject | string)[] = [];
  /** Data of every mandate and receipt received, and the message ids they came in. */
  readonly mandates: { messageId: string; data: JsonObject }[] = [];
  readonly receipts: { messageId: string; data: JsonObject }[] = [];
  readonly key: MerchantKey = newMerchantKey('shop-1');
  private market = '';

  private constructor(readonly agent: ScriptedAgent) {
    agent.pages['/.well-known/jwks.json'] = { keys: [this.key.jwk] };
    agent.answer((exchange) => this.speak(exchange));
  }

  static async start(options: { name?: string } = {}): Promise<MerchantAgent> {
    const { name = 'Test pizzeria' } = options;
    return new MerchantAgent(await ScriptedAgent.start({ name, extensions: [extension] }));
  }

  get url(): string {
    return this.agent.url;
  }

  /** The marketplace whose users it sells to: the audience of its carts. */
  sellAt(market: string): void {
    this.market = market;
  }

  get seller(): Seller {
    return { name: this.agent.options.name, issuer: this.url, audience: this.market, key: this.key };
  }

  stop(): Promise<void> {
    return this.agent.stop();
  }

  private async speak({ received, response, result, event, json, end }: Exchange): Promise<void> {
    const { message } = received.params;
    const taskId = message?.taskId ?? `up-${newUuid()}`;
    if (!message || received.method !== 'message/stream') {
      json({ jsonrpc: '2.0', id: received.id, result: agent03.task(taskId, 'working') });
      return;
    }
    const data = message.parts.flatMap((part) => (part.data ? [part.data] : []));
    const paid = data.find((value) => mandateTokens(value).length > 0);
    const { messageId } = message;
    if (paid) {
      this.mandates.push({ messageId, data: paid });
      if (this.onMandate === 'vanish') return void response.destroy();
      if (this.insistsOn === 'mandates' || this.insistsOn === 'all') event(this.newCart(received.id, taskId));
      for (const item of await this.answerMandate(taskId, paid)) result(item);
    } else if (data.some((value) => 'ap2.PaymentReceipt' in value)) {
      this.receipts.push(...data.map((value) => ({ messageId, data: value })));
      if (this.insistsOn === 'receipts' || this.insistsOn === 'all') {
        event(this.newCart(received.id, taskId));
        result(agent03.status(taskId, 'input-required', 'Please pay'));
      } else result(agent03.status(taskId, 'completed', 'Thank you'));
    } else {
      this.texts.push(message.parts.map(({ text }) => text ?? '').join(''));
      const { onText } = this;
      if (onText !== 'cart' && onText !== 'cart and completed') {
        result(agent03.status(taskId, onText === 'ask' ? 'input-required' : onText, 'As you like'));
        return void end();
      }
      event(this.newCart(received.id, taskId));
      result(agent03.status(taskId, onText === 'cart' ? 'input-required' : 'completed', 'Please pay'));
    }
    end();
  }

  private newCart(id: unknown, taskId: string): string {
    return rawEvent(id, cartArtifact(taskId), this.nextCarts.shift() ?? cartData(this.seller, this.fault));
  }

  private async answerMandate(taskId: string, data: JsonObject): Promise<object[]> {
    const { onMandate } = this;
    if (onMandate === 'silent') return [agent03.status(taskId, 'input-required', 'One moment')];
    if (onMandate === 'fail') return [agent03.status(taskId, 'failed', 'The oven is cold')];
    const claims = onMandate === 'refuse' ? { status: 'Error', error: 'invalid_mandate' } : success();
    const receipt = onMandate === 'unsigned' ? claims : await this.receiptFor(data, claims);
    return [dataArtifact(taskId, { 'ap2.CheckoutReceipt': receipt }), agent03.status(taskId, 'completed', 'Done')];
  }

  /** A CheckoutReceipt of AP2 0.2 for the mandate in this data. */
  async receiptFor(data: JsonObject, claims: JsonObject = success()): Promise<string> {
    const [token = ''] = mandateTokens(data);
    const { whole } = await referencesOf(token);
    const reference = this.onMandate === 'wrong reference' ? whole.slice(1) : whole;
    const key = this.onMandate === 'wrong key' ? newMerchantKey(this.key.kid) : this.key;
    return signJwt(key, { ...claims, iss: this.url, iat: Math.floor(Date.now() / 1000), reference });
  }
}

function success(): JsonObject {
  return { status: 'Success', order_id: `PZ-${randomUUID().slice(0, 8)}` };
}

function mandateTokens(data: JsonObject): string[] {
  const mandate = data['ap2.mandates.PaymentMandate'];
  const found = [isObject(mandate) ? mandate.user_authorization : undefined, data['ap2.mandates.PaymentMandateSdJwt']];
  return found.filter((token) => typeof token === 'string');
}

const hole = '"the-data-stands-here"';

function cartArtifact(taskId: string): object {
  return dataArtifact(taskId, 'the-data-stands-here');
}

function dataArtifact(taskId: string, data: unknown): object {
  const artifact = { artifactId: `artifact-${randomUUID()}`, parts: [{ kind: 'data', data }] };
  return { kind: 'artifact-update', taskId, contextId: 'agent-context', artifact, append: false, lastChunk: true };
}

/** The text of one event with its data part inserted verbatim, so that a member can occur twice. */
function rawEvent(id: unknown, result: object, data: JsonObject | string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return JSON.stringify({ jsonrpc: '2.0', id, result }).replace(hole, () => text);
}
