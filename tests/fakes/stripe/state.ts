import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type Stripe from 'stripe';
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

/** A Connect account, as far as payouts need it. */
export interface Account {
  id: string;
  object: 'v2.core.account';
  configuration: object;
  created: string;
}

/** The double's state and its current time. */
export class State {
  readonly intents = new Map<string, Stripe.PaymentIntent>();
  readonly charges = new Map<string, Stripe.Charge>();
  readonly sessions = new Map<string, Stripe.Checkout.Session>();
  readonly refunds = new Map<string, Stripe.Refund>();
  readonly transfers = new Map<string, Stripe.Transfer>();
  readonly accounts = new Map<string, Account>();
  /** Oldest first. */
  readonly events: Stripe.Event[] = [];
  /** Inputs of a session's payment until it is created. */
  readonly drafts = new Map<string, { capture: 'automatic' | 'manual'; metadata: Record<string, string> }>();
  heard: (event: Stripe.Event) => void = () => {};
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

  /** Stores an event with the object's current state and queues its delivery. */
  emit(
    type: Stripe.Event['type'],
    object: Stripe.PaymentIntent | Stripe.Checkout.Session | Stripe.Refund | Stripe.Charge,
  ): void {
    const event: Stripe.Event = Object.assign(sample('event'), {
      id: newStripeId('evt'),
      type,
      created: this.now(),
      data: { object: structuredClone(object) },
    });
    this.events.push(event);
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
