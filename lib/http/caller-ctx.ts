import { controllerUnder } from '../platform/abort';
import type { CallerActor, Ctx } from '../platform/context';
import { readTrace, type Trace } from '../platform/trace';
import type { PlainRequest } from './plain';

/**
 * What a call of an agent is carried out with. Its signal aborts when the caller leaves, and is made for those alone that wait;
 * a class, for the reason that docs/decisions/0013 gives.
 */
export class CallerCtx implements Ctx {
  readonly actor: CallerActor;
  readonly requestId: string;
  readonly now: Date;
  readonly trace: Trace | undefined;
  readonly #request: PlainRequest;
  #leaving: AbortController | undefined;

  constructor(request: PlainRequest, { actor, requestId, now }: Pick<CallerCtx, 'actor' | 'requestId' | 'now'>) {
    this.actor = actor;
    this.requestId = requestId;
    this.now = now;
    this.trace = readTrace(request.headers);
    this.#request = request;
  }

  get signal(): AbortSignal {
    if (this.#request.leave) return this.#request.signal;
    this.#leaving ??= controllerUnder(this.#request.signal);
    return this.#leaving.signal;
  }

  /** Ends what the caller waits for, whether they are still there or not. */
  leave(): void {
    this.#request.leave?.();
    this.#leaving?.abort();
  }
}
