import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type Stripe from 'stripe';
import type { Account, AnyEvent, BankPayout, ThinEvent } from './objects';
import { ApiError } from './params';

interface Samples {
  payment_intent: Stripe.PaymentIntent;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  transfer: Stripe.Transfer;
  transfer_reversal: Stripe.TransferReversal;
  'checkout.session': Stripe.Checkout.Session;
  event: Stripe.Event;
}

const samples: Samples = JSON.parse(readFileSync('tests/fixtures/stripe/objects.json', 'utf8'));

/** A new object in Stripe's shape. */
export function sample<Name extends keyof Samples>(name: Name): Samples[Name] {
  return structuredClone(samples[name]);
}

export function newStripeId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/** The double's state and its current time. */
export class State {
  readonly intents = new Map<string, Stripe.PaymentIntent>();
  readonly charges = new Map<string, Stripe.Charge>();
  readonly sessions = new Map<string, Stripe.Checkout.Session>();
  readonly refunds = new Map<string, Stripe.Refund>();
  readonly disputes = new Map<string, Stripe.Dispute>();
  readonly transfers = new Map<string, Stripe.Transfer>();
  readonly accounts = new Map<string, Account>();
  readonly payouts = new Map<string, BankPayout>();
  /** Movements of available balances by owner, oldest first. */
  readonly transactions = new Map<string, Stripe.BalanceTransaction[]>();
  /** Links to the onboarding page, by their secret. */
  readonly links = new Map<string, { accountId: string; returnUrl: string; refreshUrl: string }>();
  /** Oldest first. */
  readonly events: Stripe.Event[] = [];
  readonly thinEvents: ThinEvent[] = [];
  /** Inputs of a session's payment until it is created. */
  readonly drafts = new Map<string, { capture: 'automatic' | 'manual'; metadata: Record<string, string> }>();
  heard: (event: AnyEvent) => void = () => {};
  /** Further effects of the elapsed time. */
  onAdvance: () => void = () => {};
  private offsetMs = 0;

  /** Seconds since the epoch. */
  now(): number {
    return Math.floor((Date.now() + this.offsetMs) / 1_000);
  }

  /** Advances this clock only, with all effects of the elapsed time. */
  advance(ms: number): void {
    this.offsetMs += ms;
    for (const session of this.sessions.values()) {
      if (session.status === 'open' && session.expires_at <= this.now()) this.expire(session);
    }
    for (const charge of this.charges.values()) this.lapse(charge);
    this.onAdvance();
  }

  expire(session: Stripe.Checkout.Session): void {
    session.status = 'expired';
    session.url = null;
    this.emit('checkout.session.expired', session);
  }

  private lapse(charge: Stripe.Charge): void {
    const before = charge.payment_method_details?.card?.capture_before;
    const intent = this.intents.get(String(charge.payment_intent));
    if (intent?.status !== 'requires_capture' || before === undefined || before > this.now()) return;
    this.cancel(intent, 'automatic');
  }

  cancel(intent: Stripe.PaymentIntent, reason: Stripe.PaymentIntent.CancellationReason): void {
    intent.status = 'canceled';
    intent.amount_capturable = 0;
    intent.canceled_at = this.now();
    intent.cancellation_reason = reason;
    this.emit('payment_intent.canceled', intent);
  }

  /** Stores an event with the object's current state and queues its delivery. `account` is its connected account. */
  emit(type: Stripe.Event['type'], object: Stripe.Event.Data.Object, account?: string): void {
    const event: Stripe.Event = Object.assign(sample('event'), {
      id: newStripeId('evt'),
      type,
      created: this.now(),
      data: { object: structuredClone(object) },
      ...(account && { account }),
    });
    this.events.push(event);
    this.heard(event);
  }

  /** Queues the delivery of a thin event about an account. It is not in the list of `GET /v1/events`. */
  emitThin(type: string, accountId: string): void {
    const related = { id: accountId, type: 'v2.core.account' as const, url: `/v2/core/accounts/${accountId}` };
    const created = new Date(this.now() * 1_000).toISOString();
    const id = newStripeId('evt');
    const event = {
      id,
      object: 'v2.core.event' as const,
      type,
      livemode: false as const,
      created,
      related_object: related,
    };
    this.thinEvents.push(event);
    this.heard(event);
  }
}

/** The object with that id. */
export function found<T>(map: Map<string, T>, id: string, what: string): T {
  const object = map.get(id);
  if (object) return object;
  const message = `No such ${what}: '${id}'`;
  throw new ApiError(404, { type: 'invalid_request_error', code: 'resource_missing', message, param: 'id' });
}
