import { createHmac } from 'node:crypto';
import type { AnyEvent } from './objects';

/**
 * Stripe's webhook signature header (scheme v1).
 * @param at seconds since the epoch
 */
export function signatureOf(body: string, secret: string, at: number): string {
  const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return `t=${at},v1=${v1}`;
}

/** How webhook events are delivered. */
interface Delivery {
  /** Deliveries per event. */
  times: number;
  /** Never delivered, as if the network were down. They stay in the event list. */
  dropped: boolean;
  /** Held until {@link WebhookSender.release}. */
  held: boolean;
}

/** Delivers webhook events to one address, one at a time, signed as Stripe does. */
export class WebhookSender {
  readonly delivery: Delivery = { times: 1, dropped: false, held: false };
  /** Response statuses. */
  readonly answers: number[] = [];
  private target: string | null = null;
  private waiting: AnyEvent[] = [];
  private line: Promise<unknown> = Promise.resolve();

  constructor(
    readonly secret: string,
    private readonly now: () => number,
  ) {}

  sendTo(url: string): void {
    this.target = url;
  }

  enqueue(event: AnyEvent): void {
    if (this.delivery.dropped) return;
    if (this.delivery.held) this.waiting.push(event);
    else this.dispatch([event]);
  }

  /** Delivers the held events in the order of `sort`; default: latest first. */
  release(sort: (events: AnyEvent[]) => AnyEvent[] = (events) => events.reverse()): Promise<unknown> {
    const events = sort(this.waiting);
    this.waiting = [];
    this.dispatch(events);
    return this.line;
  }

  /** Waits until all started deliveries are done. */
  settled(): Promise<unknown> {
    return this.line;
  }

  /** Delivers one body as is. */
  async post(body: string, header = signatureOf(body, this.secret, this.now())): Promise<Response> {
    if (this.target === null) throw new Error('no address to send notices to');
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': header };
    return fetch(this.target, { method: 'POST', headers, body });
  }

  private dispatch(events: AnyEvent[]): void {
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
