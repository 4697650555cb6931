import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';

/**
 * The header that Stripe signs a notice with (scheme v1).
 * @param at seconds since 1970
 */
export function signatureOf(body: string, secret: string, at: number): string {
  const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return `t=${at},v1=${v1}`;
}

/** How notices are delivered. */
interface Delivery {
  /** How often each is sent. */
  times: number;
  /** Sent never, as if the line were down. They stay in the list of events. */
  dropped: boolean;
  /** Kept back until {@link WebhookSender.release}. */
  held: boolean;
}

/** Sends notices to one address, one after the other, signed as Stripe does. */
export class WebhookSender {
  readonly delivery: Delivery = { times: 1, dropped: false, held: false };
  /** Statuses that were answered. */
  readonly answers: number[] = [];
  private target: string | null = null;
  private waiting: Stripe.Event[] = [];
  private line: Promise<unknown> = Promise.resolve();

  constructor(
    readonly secret: string,
    private readonly now: () => number,
  ) {}

  sendTo(url: string): void {
    this.target = url;
  }

  hear(event: Stripe.Event): void {
    if (this.delivery.dropped) return;
    if (this.delivery.held) this.waiting.push(event);
    else this.dispatch([event]);
  }

  /** Sends what was kept back, in the order that `sort` brings it into; by itself latest first. */
  release(sort: (events: Stripe.Event[]) => Stripe.Event[] = (events) => events.reverse()): Promise<unknown> {
    const events = sort(this.waiting);
    this.waiting = [];
    this.dispatch(events);
    return this.line;
  }

  /** Waits until all that was begun is sent. */
  settled(): Promise<unknown> {
    return this.line;
  }

  /** Sends one body as it is. */
  async post(body: string, header = signatureOf(body, this.secret, this.now())): Promise<Response> {
    if (this.target === null) throw new Error('no address to send notices to');
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': header };
    return fetch(this.target, { method: 'POST', headers, body });
  }

  private dispatch(events: Stripe.Event[]): void {
    if (this.target === null) return;
    const bodies = events.flatMap((event) => Array<string>(this.delivery.times).fill(JSON.stringify(event)));
    this.line = this.line.then(async () => {
      for (const body of bodies) {
        const { status } = await this.post(body).catch(() => ({ status: 0 }));
        this.answers.push(status);
      }
    });
  }
}
