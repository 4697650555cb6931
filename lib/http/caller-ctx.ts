import { childController } from '../platform/abort';
import type { CallerActor, Ctx } from '../platform/context';
import { readTrace, type Trace } from '../platform/trace';
import type { HttpRequest } from './http-message';

/**
 * What a call of an agent is carried out with. Its signal aborts when the caller leaves, and is made for those alone that wait;
 * a class, for the reason that docs/decisions/0013 gives.
 */
export class CallerCtx implements Ctx {
  readonly actor: CallerActor;
  readonly requestId: string;
  readonly now: Date;
  readonly trace: Trace | undefined;
  readonly #request: HttpRequest;
  #leaving: AbortController | undefined;

  constructor(request: HttpRequest, { actor, requestId, now }: Pick<CallerCtx, 'actor' | 'requestId' | 'now'>) {
    this.actor = actor;
    this.requestId = requestId;
    this.now = now;
    this.trace = readTrace(request.headers);
    this.#request = request;
  }

  get signal(): AbortSignal {
    if (this.#request.abort) return this.#request.signal;
    this.#leaving ??= childController(this.#request.signal);
    return this.#leaving.signal;
  }

  /** Ends what the caller waits for, whether they are still there or not. */
  abort(): void {
    this.#request.abort?.();
    this.#leaving?.abort();
  }
}
