import { ParleyError } from '../errors.js';
import type { AgentCalls } from './agent-calls.js';
import type { Clock } from './clock.js';
import { type OnError, reportTo } from './on-error.js';
import type { RunRef, Window } from './outbox.js';
import { isObject, type JsonObject, type Methods, type Peer } from './peer.js';
import { Run, type TurnSummary } from './run.js';
import type { Handler, Offer } from './turn.js';

export interface RunsOptions {
  /** Read at the start of each run. */
  handler: () => Handler;
  capacity: () => number;
  redelivery: 'never' | 'safe';
  calls: AgentCalls;
  clock: Clock;
  onTurn: (summary: TurnSummary) => void;
  onError: OnError;
}

/** Time after which an accepted run that has not started is offered to another worker, in milliseconds. */
const START_MS = 15_000;
/** Maximum time for which an ended run waits for the acknowledgment of its last event, in milliseconds. */
const LINGER_MS = 60_000;
/** Until the first response to a hello. */
const DEFAULT_WINDOW: Window = { windowEvents: 64, windowBytes: 262_144, maxFrameBytes: 1_048_576 };

/** The runs of one worker. They outlive its connections. */
export class Runs {
  draining = false;
  private readonly runs = new Map<string, Run>();
  /** Functions that cancel the timer after which a run is removed. */
  private readonly timers = new Map<Run, () => void>();
  /** The connection whose hello was accepted last. */
  private peer: Peer | null = null;
  private window = DEFAULT_WINDOW;
  private idleWaiters: (() => void)[] = [];

  constructor(private readonly options: RunsOptions) {}

  get isEmpty(): boolean {
    return this.runs.size === 0;
  }

  /** Number of runs whose handler has not ended. */
  get active(): number {
    return [...this.runs.values()].filter(({ state }) => state === 'started').length;
  }

  /** Returns the methods for the hub's calls. `peer`: the connection on which the hub calls. */
  methodsOf(peer: () => Peer): Methods {
    return {
      'run.offer': (params) => this.offer(params as object as Offer),
      'run.start': (params) => this.start(refOf(params), peer()),
      'run.ack': ({ runId, n }) => this.acknowledge(String(runId), Number(n)),
      'run.cancel': (params) => {
        this.find(refOf(params))?.cancel('cancel');
        return undefined;
      },
      'run.gone': (params) => this.drop(this.find(refOf(params))),
      'agent.event': (params) => this.options.calls.receive(params, peer()),
    };
  }

  /** Describes the runs that this worker still has, for the hello. */
  describe(): JsonObject[] {
    return [...this.runs.values()].map(({ ref, outbox }) => ({ ...ref, sent: outbox.sent }));
  }

  /** Detaches the connection after its end: events wait in memory. */
  detach(): void {
    this.peer = null;
    for (const { outbox } of this.runs.values()) outbox.detach();
  }

  /**
   * Attaches a connection after its hello was accepted: resends the events that the hub has not received, and drops
   * runs that it has reassigned.
   */
  attach(peer: Peer, { policy, runs }: JsonObject): void {
    this.peer = peer;
    this.window = windowOf(policy);
    const resumed = new Map((Array.isArray(runs) ? runs : []).filter(isObject).map((run) => [String(run.runId), run]));
    for (const run of [...this.runs.values()]) {
      const known = resumed.get(run.ref.runId);
      const isGone = known && (known.gone === true || known.epoch !== run.ref.epoch);
      if (isGone) this.drop(run);
      // A run that was offered after the hello was sent is not in its response.
      else this.connect(run, typeof known?.seen === 'number' ? known.seen : 0);
      this.forgetIfDone(run);
    }
  }

  /**
   * Ends every run: their handlers receive `signal` and have some seconds to stop. Runs that are safe to repeat are
   * released to other workers.
   */
  stopAll(peer: Peer | null): void {
    for (const run of [...this.runs.values()]) {
      if (run.state === 'started' && this.options.redelivery === 'never') run.cancel('shutdown');
      else if (run.state !== 'ended') {
        if (peer) this.release(peer, run.ref, 'The worker is shutting down.');
        this.drop(run);
      }
    }
  }

  dropAll(): void {
    for (const run of [...this.runs.values()]) this.drop(run);
  }

  /** Resolves when no run is left. */
  async whenIdle(): Promise<void> {
    if (!this.isEmpty) await new Promise<void>((resolve) => this.idleWaiters.push(resolve));
  }

  private offer(offer: Offer): JsonObject {
    if (this.draining) return { accept: false, reason: 'draining' };
    if (this.active >= this.options.capacity()) return { accept: false, reason: 'busy' };
    const { clock, calls, onTurn } = this.options;
    // An earlier offer of the run has been withdrawn.
    this.drop(this.runs.get(offer.runId));
    const run = new Run(offer, {
      handler: this.options.handler(),
      agentsFor: (turn) => calls.forTurn(turn),
      window: this.window,
      clock,
      onEnd: (ended, summary) => {
        this.forgetAfter(ended, LINGER_MS);
        this.forgetIfDone(ended);
        onTurn(summary);
      },
    });
    this.runs.set(offer.runId, run);
    this.forgetAfter(run, START_MS);
    return { accept: true };
  }

  private start(ref: RunRef, peer: Peer): undefined {
    const run = this.find(ref);
    if (!run) {
      this.release(peer, ref, 'The worker does not have this run.');
      return;
    }
    if (run.state !== 'accepted') return;
    this.timers.get(run)?.();
    // Nothing may be sent before the response to the hello; `attach` is called then.
    this.connect(run, 0);
    run.start();
  }

  /**
   * Releases the run, which the hub assigns to another worker unless the run has ended or was reassigned in the
   * meantime.
   */
  private release(peer: Peer, ref: RunRef, reason: string): void {
    const report = reportTo(this.options.onError, 'Releasing a run');
    peer.request('run.release', { ...ref, reason }).catch((error) => {
      if (!isGone(error)) report(error);
    });
  }

  private connect({ outbox }: Run, seen: number): void {
    const { peer, window } = this;
    if (peer) outbox.attach((text) => peer.send(text), { seen, window });
  }

  private acknowledge(runId: string, n: number): undefined {
    const run = this.runs.get(runId);
    run?.outbox.acknowledge(n);
    this.forgetIfDone(run);
  }

  private find({ runId, epoch }: RunRef): Run | undefined {
    const run = this.runs.get(runId);
    return run?.ref.epoch === epoch ? run : undefined;
  }

  private drop(run: Run | undefined): undefined {
    run?.drop();
    this.forget(run);
  }

  private forgetAfter(run: Run, ms: number): void {
    this.timers.get(run)?.();
    this.timers.set(
      run,
      this.options.clock.setTimer(() => this.drop(run), ms),
    );
  }

  private forgetIfDone(run: Run | undefined): void {
    if (run?.state === 'ended' && run.outbox.isEmpty) this.forget(run);
  }

  private forget(run: Run | undefined): void {
    if (!run || this.runs.get(run.ref.runId) !== run) return;
    this.runs.delete(run.ref.runId);
    this.timers.get(run)?.();
    this.timers.delete(run);
    if (!this.isEmpty) return;
    for (const resolve of this.idleWaiters.splice(0)) resolve();
  }
}

function refOf({ runId, epoch }: JsonObject): RunRef {
  return { runId: String(runId), epoch: Number(epoch) };
}

/** Returns true if the hub no longer counts the run as this worker's. */
function isGone(error: unknown): boolean {
  return error instanceof ParleyError && (error.code === 'unknown_run' || error.code === 'stale_epoch');
}

function windowOf(policy: unknown): Window {
  const given = isObject(policy) ? policy : {};
  const positive = (name: keyof Window): number => {
    const value = given[name];
    return typeof value === 'number' && value > 0 ? value : DEFAULT_WINDOW[name];
  };
  return {
    windowEvents: positive('windowEvents'),
    windowBytes: positive('windowBytes'),
    maxFrameBytes: positive('maxFrameBytes'),
  };
}
