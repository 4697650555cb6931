import { ParleyError } from '../errors.js';
import { AgentCalls } from './agent-calls.js';
import { Backoff } from './backoff.js';
import { type Clock, sleep } from './clock.js';
import { openConnection } from './connection.js';
import type { OnError } from './on-error.js';
import type { SocketConstructor } from './open-socket.js';
import type { JsonObject, Methods, Peer } from './peer.js';
import { type Retry, retryAfterClose, retryAfterError } from './retry-policy.js';
import type { TurnSummary } from './run.js';
import { Runs } from './runs.js';
import type { ServeToken, TokenSource } from './tokens.js';
import type { Handler } from './turn.js';

/** `online`: connected. `draining`: accepts no more turns. */
export type WorkerState = 'connecting' | 'online' | 'draining' | 'stopped';

export interface WorkerOptions {
  hubUrl: string;
  WebSocket: SocketConstructor;
  clock: Clock;
  tokens: TokenSource;
  /** The hello's members that do not change. */
  identity: { agent: string; workerId: string; version?: string; card?: object; redelivery: 'never' | 'safe' };
  capacity: number;
  handler: Handler;
  onTurn: (summary: TurnSummary) => void;
  onError: OnError;
  onState: (state: WorkerState, detail: string | null) => void;
}

/** Default time within which a worker leaves a draining hub, in milliseconds. */
const DEFAULT_RECONNECT_WITHIN_MS = 5_000;
/** Maximum delay between connection attempts while runs wait for their worker, in milliseconds. */
const MAX_DELAY_WITH_RUNS_MS = 7_500;
/** Maximum additional delay of a reconnect, as a share, so that workers do not return simultaneously. */
const JITTER = 0.25;
/** Maximum time for which a stopped worker waits for the acknowledgment of its last events, in milliseconds. */
const FLUSH_MS = 10_000;

/**
 * Connects an agent to the hub, and reconnects whenever the connection ends, until the worker drains or is refused
 * permanently.
 */
export class Worker {
  /** Rejects with the reason if the hub refuses the worker permanently. */
  readonly closed: Promise<void>;
  handler: Handler;
  private shownState: WorkerState = 'connecting';
  private current: Peer | null = null;
  private waiting: ((peer: Peer) => void)[] = [];
  private readonly runs: Runs;
  private readonly calls: AgentCalls;
  private readonly backoff: Backoff;
  private readonly stopping = new AbortController();
  /** A hello is sent and not answered. */
  private isGreeting = false;
  /** The token of the latest attempt, and the latest refused token. */
  private token: string | null = null;
  private refusedToken: string | null = null;
  /** Called when the hub requests another connection. */
  private onHubDraining: (withinMs: number) => void = () => undefined;

  constructor(private readonly options: WorkerOptions) {
    const { clock, identity, onTurn, onError } = options;
    this.handler = options.handler;
    this.backoff = new Backoff(clock.random);
    this.calls = new AgentCalls({ connected: () => this.connected(), clock, onError });
    this.runs = new Runs({
      handler: () => this.handler,
      capacity: () => options.capacity,
      redelivery: identity.redelivery,
      calls: this.calls,
      clock,
      onTurn,
      onError,
    });
    this.closed = this.keepConnected();
    // Callers who await it receive the reason; awaiting it is optional.
    this.closed.catch(() => undefined);
  }

  get state(): WorkerState {
    return this.shownState;
  }

  get activeTurns(): number {
    return this.runs.active;
  }

  /**
   * Stops accepting turns, waits for the running ones, and closes the connection. After `timeoutMs`, running turns are
   * aborted and fail; with `redelivery: 'safe'` they are released to other workers.
   */
  async drain({ timeoutMs }: { timeoutMs?: number } = {}): Promise<void> {
    if (!this.runs.draining) {
      this.runs.draining = true;
      this.show('draining', null);
      this.current?.notify('worker.state', { draining: true });
    }
    const idle = this.runs.whenIdle();
    if (timeoutMs !== undefined) {
      await this.within(idle, timeoutMs);
      this.runs.stopAll(this.current);
      await this.within(idle, FLUSH_MS);
    } else {
      await Promise.race([idle, this.closed.catch(() => undefined)]);
    }
    this.stopping.abort();
    this.current?.close(1000, 'drained');
    await this.closed.catch(() => undefined);
  }

  /** Sends another card with the hello of a new connection, which replaces the current one. */
  replaceCard(card: object): void {
    this.options.identity.card = card;
    this.onHubDraining(0);
  }

  private async within(done: Promise<void>, ms: number): Promise<void> {
    const over = new AbortController();
    await Promise.race([done, sleep(this.options.clock, ms, over.signal), this.closed.catch(() => undefined)]);
    over.abort();
  }

  /** Returns the current connection, or waits for the next one. */
  private async connected(): Promise<Peer> {
    return this.current ?? new Promise((resolve) => this.waiting.push(resolve));
  }

  private async keepConnected(): Promise<void> {
    const { signal } = this.stopping;
    try {
      while (!signal.aborted) {
        const retry = await this.untilStopping(this.connectOnce());
        if ('stop' in retry) throw retry.stop;
        const { clock } = this.options;
        const { waitMs } = retry;
        const backoffMs = this.backoff.next(this.runs.isEmpty ? undefined : MAX_DELAY_WITH_RUNS_MS);
        const delayMs = waitMs > 0 ? waitMs * (1 + JITTER * clock.random()) : backoffMs;
        await sleep(clock, Math.max(delayMs, backoffMs), signal);
      }
    } catch (error) {
      this.runs.dropAll();
      throw error;
    } finally {
      this.calls.stop(new ParleyError('disconnected', 'The worker has stopped.'));
      this.current?.close(1000);
      this.show('stopped', null);
    }
  }

  /** Returns the result of a connection; resolves immediately if the worker stops. */
  private async untilStopping(connection: Promise<Retry>): Promise<Retry> {
    const { signal } = this.stopping;
    let stop: () => void = () => undefined;
    const stopping = new Promise<Retry>((resolve) => {
      stop = () => resolve({ waitMs: 0, newToken: false });
      signal.addEventListener('abort', stop, { once: true });
    });
    return Promise.race([connection, stopping]).finally(() => signal.removeEventListener('abort', stop));
  }

  /** Runs one connection from its start to its end. Returns when another one is due. */
  private async connectOnce(): Promise<Retry> {
    const { random } = this.options.clock;
    try {
      const peer = await this.open();
      if (this.stopping.signal.aborted) peer.close(1000);
      this.backoff.reset();
      this.refusedToken = null;
      const draining = new Promise<number>((resolve) => {
        this.onHubDraining = resolve;
      });
      const ended = await Promise.race([peer.closed, draining]);
      // The old connection is used until the hello of the next one is accepted.
      if (typeof ended === 'number') return { waitMs: ended * random() * (1 - JITTER), newToken: false };
      this.show('connecting', `${ended.code} ${ended.reason}`.trim());
      return this.withNewToken(retryAfterClose(ended));
    } catch (error) {
      this.show(this.current ? this.shownState : 'connecting', error instanceof Error ? error.message : String(error));
      return this.withNewToken(retryAfterError(error), error);
    }
  }

  /** Stops the worker if its token was refused and cannot be renewed, or if renewal returned the same token. */
  private withNewToken(retry: Retry, cause?: unknown): Retry {
    if ('stop' in retry || !retry.newToken) return retry;
    const isRefusedAgain = this.refusedToken !== null && this.refusedToken === this.token;
    this.refusedToken = this.token;
    if (this.options.tokens.isRenewable && !isRefusedAgain) return retry;
    return { stop: cause instanceof ParleyError ? cause : new ParleyError('invalid_token', 'The token has expired.') };
  }

  private async open(): Promise<Peer> {
    const { hubUrl, WebSocket, clock, tokens, identity, capacity, onError } = this.options;
    const getToken = async (): Promise<ServeToken> => {
      const given = await tokens.get();
      this.token = given.token;
      return given;
    };
    const opening = openConnection({
      hubUrl,
      WebSocket,
      clock,
      tokens: { ...tokens, get: getToken },
      hello: () => {
        this.isGreeting = true;
        return { ...identity, capacity, runs: this.runs.describe() };
      },
      methodsOf: (called) => this.methodsOf(called),
      onWelcome: (welcomed, welcome) => this.adopt(welcomed, welcome),
      onError,
    });
    const peer = await opening.finally(() => {
      this.isGreeting = false;
    });
    void peer.closed.then(() => this.abandon(peer));
    return peer;
  }

  /** Switches to this connection, and closes the previous one. */
  private adopt(peer: Peer, welcome: JsonObject): void {
    this.isGreeting = false;
    const previous = this.current;
    this.current = peer;
    this.runs.attach(peer, welcome);
    if (this.runs.draining) peer.notify('worker.state', { draining: true });
    previous?.close(1000, 'connected again');
    for (const resolve of this.waiting.splice(0)) resolve(peer);
    this.calls.resume(peer);
    this.show(this.runs.draining ? 'draining' : 'online', null);
  }

  private abandon(peer: Peer): void {
    if (this.current !== peer) return;
    this.current = null;
    this.runs.detach();
  }

  private methodsOf(called: () => Peer): Methods {
    const methods = this.runs.methodsOf(called);
    return {
      ...methods,
      'run.gone': (params) => {
        // The run may be gone from the old connection only: in that case it is in the response to the new hello.
        if (called() === this.current && !this.isGreeting) methods['run.gone']?.(params);
        return undefined;
      },
      'hub.draining': ({ reconnectWithinMs }) => {
        if (called() !== this.current) return undefined;
        this.onHubDraining(typeof reconnectWithinMs === 'number' ? reconnectWithinMs : DEFAULT_RECONNECT_WITHIN_MS);
        return undefined;
      },
    };
  }

  private show(state: WorkerState, detail: string | null): void {
    if (this.shownState === 'stopped') return;
    const isDraining = this.runs.draining && state !== 'stopped';
    this.shownState = isDraining ? 'draining' : state;
    this.options.onState(this.shownState, detail);
  }
}
