import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { Delivery } from '@/lib/hub/delivery';
import { HubChannel } from '@/lib/hub/hub-channel';
import { WorkerSession } from '@/lib/hub/worker-session';

const identity = { agentId: 'agt_1', workerId: 'w', capacity: 1, redelivers: false };
const run = { taskId: 't', turnSeq: 2, agentId: 'agt_1', contextId: 'c', workerId: 'w', epoch: 1, seen: 0 };

function silentSession(): WorkerSession {
  return new WorkerSession(identity, new HubChannel({ send: () => undefined, close: () => undefined }));
}

/** One worker, its connection to the hub, and what the hub's reader has persisted. */
class Simulation {
  readonly log: number[] = [];
  readonly total = 30;
  starts = 0;
  private sent = 0;
  private acknowledged = 0;
  private pending: Promise<IteratorResult<{ items: object[]; n: number }>> | null = null;
  private session: WorkerSession;
  private readonly delivery: Delivery;
  private readonly reader: AsyncGenerator<{ items: object[]; n: number }>;

  constructor() {
    this.session = this.connect();
    this.delivery = new Delivery(run, { session: this.session, accepted: false }, () => undefined);
    this.reader = this.delivery.batches();
    this.delivery.start();
  }

  private connect(): WorkerSession {
    const socket = {
      send: (text: string) => this.receive(session, JSON.parse(text)),
      close: () => session.end(),
    };
    const session: WorkerSession = new WorkerSession(identity, new HubChannel(socket));
    return session;
  }

  private receive(session: WorkerSession, { method, params }: { method: string; params: { n: number } }): void {
    if (session.closed) return;
    if (method === 'run.start') this.starts += this.starts === 0 ? 1 : 0;
    if (method === 'run.ack') this.acknowledged = Math.max(this.acknowledged, params.n);
  }

  /** The worker sends its next event, or one again that is not acknowledged. */
  send(back: number): void {
    const n = Math.max(this.acknowledged + 1, this.sent + 1 - back);
    if (n > this.total || n > this.sent + 1 || this.session.closed) return;
    this.sent = Math.max(this.sent, n);
    expect(this.delivery.push(n, { n }, 10)).toBe(true);
  }

  /** The reader persists what has arrived, if anything has. */
  async persist(): Promise<void> {
    this.pending ??= this.reader.next();
    const arrived = await Promise.race([this.pending, new Promise<null>((resolve) => setImmediate(resolve, null))]);
    if (arrived === null) return;
    this.pending = null;
    const { items, n } = arrived.value;
    for (const item of items) this.log.push((item as { n: number }).n);
    this.delivery.acknowledge(n);
  }

  /** The connection breaks. */
  cut(): void {
    this.session.end();
  }

  /** The worker comes back and sends again what is not persisted. */
  resume(): void {
    if (!this.session.closed) return;
    this.session = this.connect();
    this.delivery.attach(this.session);
    this.acknowledged = this.delivery.seen;
    for (let n = this.acknowledged + 1; n <= this.sent; n++) expect(this.delivery.push(n, { n }, 10)).toBe(true);
  }

  async finish(): Promise<void> {
    this.resume();
    while (this.log.length < this.total) {
      this.send(0);
      await this.persist();
    }
  }
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('send' as const), back: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ kind: fc.constantFrom('persist' as const, 'cut' as const, 'resume' as const) }),
);

describe('a delivery', () => {
  test('yields each event once and in order, whatever is repeated, cut or resumed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const simulation = new Simulation();
        for (const next of steps) {
          if (next.kind === 'send') simulation.send(next.back);
          else if (next.kind === 'persist') await simulation.persist();
          else if (next.kind === 'cut') simulation.cut();
          else simulation.resume();
        }
        await simulation.finish();
        expect(simulation.log).toEqual(Array.from({ length: simulation.total }, (_, at) => at + 1));
        expect(simulation.starts).toBe(1);
      }),
      { numRuns: 200 },
    );
  });

  test('refuses a gap, and events before the run has started', () => {
    const session = silentSession();
    const delivery = new Delivery(run, { session, accepted: false }, () => undefined);
    expect(delivery.push(1, {}, 10)).toBe(false);
    delivery.start();
    expect(delivery.push(2, {}, 10)).toBe(false);
    expect(delivery.push(1, {}, 10)).toBe(true);
  });

  test('is released when the connection breaks before the acceptance, and lost when the worker stays away', () => {
    vi.useFakeTimers();
    const session = silentSession();
    const offered = new Delivery(run, { session, accepted: false }, () => undefined);
    const begun = new Delivery(run, { session, accepted: false }, () => undefined);
    begun.start();
    session.end();
    expect(offered.ended).toBe('released');
    expect(begun.ended).toBeNull();
    vi.advanceTimersByTime(30_000);
    expect(begun.ended).toBe('lost');
    vi.useRealTimers();
  });
});
