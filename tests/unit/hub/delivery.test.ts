import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { Delivery } from '@/lib/hub/delivery';
import { HubChannel } from '@/lib/hub/protocol/hub-channel';
import { WorkerSession } from '@/lib/hub/worker-session';

const identity = { agentId: 'agt_1', workerId: 'w', capacity: 1, redelivers: false };
const run = {
  principal: 'usr_1',
  taskId: 't',
  turnSeq: 2,
  agentId: 'agt_1',
  contextId: 'c',
  workerId: 'w',
  epoch: 1,
  seen: 0,
};

function silentSession(): WorkerSession {
  return new WorkerSession(
    identity,
    new HubChannel({ send: () => undefined, sendFlushed: async () => undefined, close: () => undefined }),
  );
}

/** A frame in transit on one connection. */
interface Frame {
  session: WorkerSession;
  to: 'hub' | 'worker';
  method: string;
  n: number;
}

const total = 30;
const window = 8;

/** One worker, the network between it and the hub, and the events that the hub's reader has persisted. */
class Simulation {
  readonly log: number[] = [];
  starts = 0;
  /** Frames in transit. A connection keeps their order, but the test does not rely on it. */
  private wire: Frame[] = [];
  private sent = 0;
  private acknowledged = 0;
  private pending: Promise<IteratorResult<{ items: object[]; n: number }>> | null = null;
  private session: WorkerSession;
  private delivery: Delivery;
  private reader: AsyncGenerator<{ items: object[]; n: number }>;

  constructor() {
    this.session = this.connect();
    this.delivery = new Delivery(run, { session: this.session, accepted: false }, () => undefined);
    this.reader = this.delivery.batches();
    this.delivery.start();
  }

  private connect(): WorkerSession {
    const socket = {
      send: (text: string) => {
        const { method, params } = JSON.parse(text) as { method: string; params: { n?: number } };
        this.wire.push({ session, to: 'worker', method, n: params.n ?? 0 });
      },
      sendFlushed: async () => undefined,
      close: () => session.end(),
    };
    const session: WorkerSession = new WorkerSession(identity, new HubChannel(socket));
    return session;
  }

  /** The worker sends its next event. */
  send(): void {
    if (this.starts === 0 || this.sent === total || this.sent - this.acknowledged >= window) return;
    this.sent += 1;
    this.transmit(this.sent);
  }

  private transmit(n: number): void {
    this.wire.push({ session: this.session, to: 'hub', method: 'run.event', n });
  }

  /** Any frame arrives. With `again`, it stays in transit and arrives once more. */
  arrive(pick: number, again = false): void {
    const at = pick % Math.max(1, this.wire.length);
    const frame = this.wire[at];
    if (!frame) return;
    if (!again) this.wire.splice(at, 1);
    if (frame.to === 'hub') this.receive(frame);
    else this.hear(frame);
  }

  /** A frame is lost. The connection detects the loss at the next frame. */
  lose(pick: number): void {
    this.wire.splice(pick % Math.max(1, this.wire.length), 1);
  }

  /** Like the hub: accepts frames only from the connection that has the run, and ends it at a gap. */
  private receive({ session, n }: Frame): void {
    if (!session.deliveries.has(this.delivery)) return;
    if (!this.delivery.push(n, { n }, 10)) session.end();
  }

  /** Like the SDK: a start counts once, and an acknowledgment covers all earlier events. */
  private hear({ session, method, n }: Frame): void {
    if (session !== this.session || session.closed) return;
    if (method === 'run.start') this.starts ||= 1;
    if (method === 'run.ack') this.acknowledged = Math.max(this.acknowledged, n);
  }

  /** The reader persists all events that have arrived. */
  async persist(): Promise<void> {
    this.pending ??= this.reader.next();
    const arrived = await Promise.race([this.pending, new Promise<null>((resolve) => setImmediate(resolve, null))]);
    if (arrived === null) return;
    this.pending = null;
    const { items, n } = arrived.value;
    for (const item of items) this.log.push((item as { n: number }).n);
    this.delivery.acknowledge(n);
  }

  /** The connection breaks. Its frames may still arrive. */
  cut(): void {
    this.session.end();
  }

  /** The worker reconnects and resends events that are not persisted. */
  resume(): void {
    if (!this.session.closed) return;
    this.session = this.connect();
    this.delivery.attach(this.session);
    if (this.sent === 0) this.delivery.start();
    this.acknowledged = Math.max(this.acknowledged, this.delivery.seen);
    for (let n = this.delivery.seen + 1; n <= this.sent; n++) this.transmit(n);
  }

  /** The node crashes, and another node continues from the persisted events. */
  die(): void {
    this.session.end();
    this.pending = null;
    this.delivery = new Delivery({ ...run, seen: this.log.length }, { session: null, accepted: true }, () => undefined);
    this.reader = this.delivery.batches();
  }

  /** The network works without failures from now on. */
  async finish(): Promise<void> {
    this.cut();
    this.wire = [];
    this.resume();
    while (this.log.length < total) {
      if (this.session.closed) throw new Error('the hub closed a connection that behaves');
      this.send();
      while (this.wire.length > 0) this.arrive(0);
      await this.persist();
    }
  }
}

const pick = fc.nat({ max: 20 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('send' as const) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('arrive' as const), pick: fc.constant(0) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('arrive', 'repeat', 'lose'), pick }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('persist' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('cut', 'resume', 'die') }) },
) as fc.Arbitrary<Step>;

type Step =
  | { kind: 'send' | 'persist' | 'cut' | 'resume' | 'die' }
  | { kind: 'arrive' | 'repeat' | 'lose'; pick: number };

async function take(simulation: Simulation, next: Step): Promise<void> {
  switch (next.kind) {
    case 'arrive':
      return simulation.arrive(next.pick);
    case 'repeat':
      return simulation.arrive(next.pick, true);
    case 'lose':
      return simulation.lose(next.pick);
    default:
      return simulation[next.kind]();
  }
}

describe('a delivery', () => {
  test('yields each event once and in order, despite lost, repeated, late or reordered frames and crashes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 150, size: 'max' }), async (steps) => {
        const simulation = new Simulation();
        for (const next of steps) {
          await take(simulation, next);
          expect(simulation.log).toEqual(Array.from(simulation.log, (_, at) => at + 1));
        }
        await simulation.finish();
        expect(simulation.log).toEqual(Array.from({ length: total }, (_, at) => at + 1));
        expect(simulation.starts).toBe(1);
      }),
      { numRuns: 300 },
    );
  });

  test('rejects a gap, and events before the run has started', () => {
    const session = silentSession();
    const delivery = new Delivery(run, { session, accepted: false }, () => undefined);
    expect(delivery.push(1, {}, 10)).toBe(false);
    delivery.start();
    expect(delivery.push(2, {}, 10)).toBe(false);
    expect(delivery.push(1, {}, 10)).toBe(true);
  });

  test('is lost after five reconnects if the worker no longer has the next event', () => {
    const delivery = new Delivery({ ...run, seen: 3 }, { session: null, accepted: true }, () => undefined);
    for (let reconnect = 1; reconnect <= 4; reconnect++) {
      delivery.attach(silentSession());
      expect(delivery.push(7, {}, 10)).toBe(false);
    }
    expect(delivery.ended).toBeNull();
    delivery.attach(silentSession());
    expect(delivery.push(7, {}, 10)).toBe(true);
    expect(delivery.ended).toBe('lost');
  });

  test('is released if the connection breaks before acceptance; after it, is lost if the worker does not reconnect in time', () => {
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
