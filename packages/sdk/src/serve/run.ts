import type { StreamEvent } from '../wire.js';
import { settles } from './agent-reply.js';
import type { Agents } from './agents.js';
import { Answer } from './answer.js';
import type { Clock } from './clock.js';
import { Outbox, type RunRef, type Window } from './outbox.js';
import { createTurn, type Handler, type Offer, statusEvent, type TaskIds, type Turn, type TurnOutput } from './turn.js';

/** Outcome of a turn, for logs. */
export interface TurnSummary {
  turn: Turn;
  outcome: 'completed' | 'input-required' | 'failed' | 'canceled' | 'dropped';
  /** Milliseconds. */
  durationMs: number;
  /** The error thrown by the handler. */
  error?: unknown;
}

export interface RunOptions {
  handler: Handler;
  agentsFor: (turn: { runId: string; signal: AbortSignal }) => Agents;
  window: Window;
  clock: Clock;
  onEnd: (run: Run, summary: TurnSummary) => void;
}

/**
 * Maximum time for a handler to react to the cancellation of its turn, in milliseconds. Parley waits for two seconds.
 */
const CANCEL_MS = 1_500;
const FAILED_TEXT = 'The agent could not finish this because of an internal error.';
const STOPPED_TEXT = 'The agent shut down before it could finish this.';

type Step = { done: boolean; output: TurnOutput | undefined } | 'stopped';
type Stop = 'cancel' | 'shutdown' | 'gone';

/** One accepted run: executes the handler and queues its events. */
export class Run {
  readonly ref: RunRef;
  readonly outbox: Outbox;
  readonly turn: Turn;
  state: 'accepted' | 'started' | 'ended' = 'accepted';
  private readonly ids: TaskIds;
  private readonly abort = new AbortController();
  private question: StreamEvent | null = null;
  private stop: Stop | null = null;
  /** Resolves when the handler's time to stop has expired. */
  private readonly stopped: Promise<'stopped'>;
  private giveUp: () => void = () => undefined;
  private cancelTimer: () => void = () => undefined;

  constructor(
    offer: Offer,
    private readonly options: RunOptions,
  ) {
    this.ref = { runId: offer.runId, epoch: offer.epoch };
    this.ids = { taskId: offer.task.id, contextId: offer.task.contextId };
    this.outbox = new Outbox(this.ref, options.window);
    this.stopped = new Promise((resolve) => {
      this.giveUp = () => resolve('stopped');
    });
    const { signal } = this.abort;
    const agents = options.agentsFor({ runId: offer.runId, signal });
    this.turn = createTurn(offer, {
      signal,
      agents,
      onAsk: (question) => {
        this.question = question;
      },
    });
  }

  /** Executes the handler, once. */
  start(): void {
    if (this.state !== 'accepted') return;
    this.state = 'started';
    const startedAt = this.options.clock.now();
    void this.perform().then(({ outcome, error }) => {
      this.state = 'ended';
      this.cancelTimer();
      const durationMs = this.options.clock.now() - startedAt;
      this.options.onEnd(this, { turn: this.turn, outcome, durationMs, error });
    });
  }

  /** Aborts the turn's signal because the caller cancels or the worker shuts down. The last status follows soon. */
  cancel(why: 'cancel' | 'shutdown'): void {
    if (this.stop) return;
    this.stop = why;
    this.abort.abort(new DOMException(why === 'cancel' ? 'The caller canceled the task.' : STOPPED_TEXT, 'AbortError'));
    this.cancelTimer = this.options.clock.setTimer(this.giveUp, CANCEL_MS);
  }

  /** Aborts the turn's signal without sending anything, because the run no longer belongs to this worker. */
  drop(): void {
    this.stop = 'gone';
    this.outbox.clear();
    this.abort.abort(new DOMException('Parley assigned the turn to another worker, or ended it.', 'AbortError'));
    this.giveUp();
  }

  private async perform(): Promise<Pick<TurnSummary, 'outcome' | 'error'>> {
    const answer = new Answer(this.ids, this.ref.runId);
    try {
      this.push([statusEvent(this.ids, 'TASK_STATE_WORKING')]);
      const last = await this.forward(answer);
      return this.conclude(last ?? answer.completed());
    } catch (error) {
      if (this.stop) return this.conclude(null);
      const text = isTurnError(error) ? error.message : FAILED_TEXT;
      return { ...this.conclude(statusEvent(this.ids, 'TASK_STATE_FAILED', text)), error };
    }
  }

  /** Sends the handler's output; returns the event that settles the task, if there is one. */
  private async forward(answer: Answer): Promise<StreamEvent | null> {
    const outputs = outputsOf(this.options.handler, this.turn);
    try {
      for (;;) {
        await Promise.race([this.outbox.whenRoom(), this.stopped]);
        const step = await this.next(outputs);
        if (step === 'stopped' || this.stop) return null;
        const events = step.output === undefined ? [] : answer.eventsOf(step.output);
        const settling = events.find(settles);
        this.push(settling ? events.slice(0, events.indexOf(settling)) : events);
        if (settling || this.question) return settling ?? this.question;
        if (step.done) return null;
      }
    } finally {
      // Not awaited: a stuck handler would never return.
      void outputs.return(undefined).catch(() => undefined);
    }
  }

  private async next(outputs: AsyncGenerator<TurnOutput | undefined, TurnOutput | undefined>): Promise<Step> {
    const next = outputs.next().then(({ done, value }) => ({ done: done === true, output: value }));
    // If `stopped` wins, later errors of the handler are ignored.
    next.catch(() => undefined);
    return Promise.race([next, this.stopped]);
  }

  private conclude(last: StreamEvent | null): Pick<TurnSummary, 'outcome'> {
    if (this.stop === 'gone') return { outcome: 'dropped' };
    if (this.stop === 'shutdown') {
      this.push([statusEvent(this.ids, 'TASK_STATE_FAILED', STOPPED_TEXT)]);
      return { outcome: 'failed' };
    }
    if (this.stop === 'cancel' || !last) {
      this.push([statusEvent(this.ids, 'TASK_STATE_CANCELED')]);
      return { outcome: 'canceled' };
    }
    this.push([last]);
    return { outcome: outcomeOf(last) };
  }

  private push(events: StreamEvent[]): void {
    if (this.stop !== 'gone') for (const event of events) this.outbox.push(event);
  }
}

async function* outputsOf(
  handler: Handler,
  turn: Turn,
): AsyncGenerator<TurnOutput | undefined, TurnOutput | undefined> {
  const outputs = handler(turn);
  return Symbol.asyncIterator in outputs ? yield* outputs : ((await outputs) ?? undefined);
}

/** Also matches a `TurnError` of another copy of this package: a file that `parley serve` runs imports its own. */
function isTurnError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'TurnError';
}

function outcomeOf(event: StreamEvent): TurnSummary['outcome'] {
  const state = 'task' in event ? event.task.status.state : 'statusUpdate' in event && event.statusUpdate.status.state;
  switch (state) {
    case 'TASK_STATE_INPUT_REQUIRED':
    case 'TASK_STATE_AUTH_REQUIRED':
      return 'input-required';
    case 'TASK_STATE_FAILED':
    case 'TASK_STATE_REJECTED':
      return 'failed';
    case 'TASK_STATE_CANCELED':
      return 'canceled';
    default:
      return 'completed';
  }
}
