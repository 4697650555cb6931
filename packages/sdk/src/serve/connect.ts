import { type Fetch, originOf } from '../request.js';
import { type Clock, systemClock } from './clock.js';
import { type OnError, printError } from './on-error.js';
import { findWebSocket, hubUrlOf, type SocketConstructor } from './open-socket.js';
import type { TurnSummary } from './run.js';
import { createTokenSource, type ServeCredentials } from './tokens.js';
import type { Handler } from './turn.js';
import { Worker, type WorkerState } from './worker.js';

export type ConnectOptions = ServeCredentials & {
  /** Origin of the Parley: `https://parley.example`. */
  url: string;
  /** The agent's slug at Parley. */
  agent: string;
  /** Answers messages. */
  handle: Handler;
  /** Maximum number of simultaneous turns, 1 to 100; defaults to 4. */
  capacity?: number;
  /**
   * `safe`: a turn that was lost with its worker may start again on another one, so `handle` must be idempotent.
   * Defaults to `never`: such a turn fails.
   */
  redelivery?: 'never' | 'safe';
  /** Becomes the agent's card, after Parley's usual review. URLs in it are replaced. */
  card?: object;
  /** Version of the agent's program, shown to its owner. */
  version?: string;
  /** A UUID; random by default. */
  workerId?: string;
  /** Called at the end of each turn. */
  onTurn?: (summary: TurnSummary) => void;
  /** Called when the connection changes; `detail` is the reason. */
  onState?: (state: WorkerState, detail: string | null) => void;
  /**
   * Called with errors of operations that are not awaited, and the failed operation: a turn without `onTurn`, a cancel,
   * a release, a ping or the renewal of the token. Defaults to `console.error`.
   */
  onError?: OnError;
  fetch?: Fetch;
  /** Defaults to the runtime's WebSocket, otherwise to that of the package `ws`. */
  WebSocket?: SocketConstructor;
};

/** A connected agent. */
export interface Connection {
  readonly state: WorkerState;
  /** Number of turns whose handler has not ended. */
  readonly activeTurns: number;
  /** Resolves after `drain`; rejects with a `ParleyError` if Parley refuses the worker permanently. */
  readonly closed: Promise<void>;
  /**
   * Stops accepting turns, waits for the running ones, and disconnects. After `timeoutMs` running turns are aborted and
   * fail, or go to other workers with `redelivery: 'safe'`.
   */
  drain(options?: { timeoutMs?: number }): Promise<void>;
  /** Turns that start from now on use this handler. */
  replaceHandler(handle: Handler): void;
  /** Offers another card to Parley, on a new connection. Turns continue. */
  replaceCard(card: object): void;
}

const DEFAULT_CAPACITY = 4;
const MAX_CAPACITY = 100;

/**
 * Connects an agent that has no URL of its own to Parley, and answers its callers. Reconnects whenever the connection
 * breaks; turns survive a reconnect.
 * @throws {TypeError} for invalid options, or a runtime without WebSocket
 */
export function connect(options: ConnectOptions): Promise<Connection> {
  return connectWith(options, systemClock);
}

/** {@link connect} with a given clock. */
export async function connectWith(options: ConnectOptions, clock: Clock): Promise<Connection> {
  const { url, agent, handle, capacity = DEFAULT_CAPACITY, redelivery = 'never' } = options;
  const { card, version, workerId = crypto.randomUUID(), onTurn, onState, onError = printError } = options;
  const origin = originOf(url);
  if (!agent) throw new TypeError('expected agent: the slug of the agent on Parley');
  if (typeof handle !== 'function') throw new TypeError('expected handle: the function that answers messages');
  if (!Number.isInteger(capacity) || capacity < 1 || capacity > MAX_CAPACITY) {
    throw new TypeError(`expected capacity to be a whole number from 1 to ${MAX_CAPACITY}`);
  }
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const tokens = createTokenSource(options, { origin, agent, fetch, now: clock.now });
  const worker = new Worker({
    hubUrl: hubUrlOf(origin),
    WebSocket: options.WebSocket ?? (await findWebSocket()),
    clock,
    tokens,
    identity: { agent, workerId, redelivery, ...(version !== undefined && { version }), ...(card && { card }) },
    capacity,
    handler: handle,
    onTurn: onTurn ?? ((summary) => reportFailure(summary, onError)),
    onError,
    onState: onState ?? (() => undefined),
  });
  return {
    get state() {
      return worker.state;
    },
    get activeTurns() {
      return worker.activeTurns;
    },
    closed: worker.closed,
    drain: (drainOptions) => worker.drain(drainOptions),
    replaceHandler: (handler) => {
      worker.handler = handler;
    },
    replaceCard: (replaced) => worker.replaceCard(replaced),
  };
}

/** Reports the error of a handler, which would be lost without `onTurn`. */
function reportFailure({ turn, error }: TurnSummary, onError: OnError): void {
  if (error !== undefined) onError(error, `The turn ${turn.runId}`);
}
