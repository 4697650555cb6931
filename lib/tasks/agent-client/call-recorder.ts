import { isFromConsole, recordAgentCall } from '../../observability';
import type { CallFailure, LoggedExchange } from '../../observability/schema';
import { ParleyError } from '../../platform/errors';
import type { AbortSignalLike } from '../../platform/runtime/abort';
import type { AgentRequest } from '../../protocol/a2a/dialects';
import { CALL_LOG_MAX_CHARS } from '../limits';
import type { HttpExchange } from '../schema';
import { parseRetryAfter } from './agent-error';
import { HttpExchangeRecorder } from './http-exchange-recorder';
import { callRedactor, truncate } from './redact-secrets';

interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** The A2A method, the protocol version and the binding. */
  name: string;
  dialect: string;
  /** Redacts this call's secrets in a text. */
  redact: (text: string) => string;
}

interface RecordedCall {
  agentId: string;
  at: Date;
  requestId: string;
  /** The caller's subject at the agent. */
  caller: string;
  /** Parley's id of the task that the call concerns. */
  taskId?: string;
  op: AgentRequest['op'];
  signal: AbortSignalLike;
  /** Receives each HTTP exchange; absent if no user may read the trace. */
  onExchange?: (exchange: HttpExchange) => void;
  /** Receives the outcome, which is then not written to the owner's log. */
  onReport?: (report: CallReport) => void;
}

/** The outcome of a call that is not logged. */
export interface CallReport {
  failure: CallFailure | null;
  /** Returns the HTTP exchange, for calls whose failure is visible only in their content. */
  loggedExchange: () => LoggedExchange | null;
  /** The agent's `Retry-After`, seconds. */
  retryAfter: number | null;
}

/** A request and the recorded part of its response. */
interface Capture {
  request: SentRequest | null;
  response: { status: number; headers: Record<string, string> } | null;
  chunks: Uint8Array[];
  /** The number of bytes in `chunks`. */
  size: number;
}

const emptyCapture = (request: SentRequest | null): Capture => ({ request, response: null, chunks: [], size: 0 });

/**
 * Records one call for the agent owner's log. Copies nothing during the call, because the exchange is written only if
 * the call fails or the console requested it. For reads, which polling repeats, only failures are logged.
 */
export class CallRecorder {
  private readonly startedAt = performance.now();
  private capture = emptyCapture(null);
  private failedCapture: Capture | null = null;
  private ended = false;
  private exchangeRecorder: HttpExchangeRecorder | null = null;

  constructor(private readonly call: RecordedCall) {}

  /**
   * Starts the record of a request. The record of an earlier endpoint is kept only if {@link markFailed} was called.
   */
  onRequest(request: SentRequest): void {
    this.capture = emptyCapture(request);
    this.closeExchange();
    if (this.call.onExchange) this.exchangeRecorder = new HttpExchangeRecorder(request, this.call.requestId);
  }

  onResponse(status: number, headers: Record<string, string>): void {
    this.capture.response = { status, headers };
    this.exchangeRecorder?.onResponse(status, headers);
  }

  /** Records a chunk of the response body. */
  readonly onChunk = (chunk: Uint8Array): void => {
    this.exchangeRecorder?.onChunk(chunk);
    if (this.capture.size >= CALL_LOG_MAX_CHARS) return;
    this.capture.chunks.push(chunk);
    this.capture.size += chunk.byteLength;
  };

  /** Keeps the current exchange, which explains the failure if all endpoints fail. */
  markFailed(): void {
    this.failedCapture = this.capture;
  }

  /**
   * Ends the call, with `error` if it failed. Later calls of this method have no effect. An aborted call is not logged.
   */
  end(error?: unknown): void {
    if (this.ended) return;
    this.ended = true;
    const parleyError = error instanceof ParleyError ? error : null;
    if (error !== undefined && this.failedCapture) this.capture = this.failedCapture;
    const { request, response } = this.capture;
    this.closeExchange(parleyError && { code: parleyError.code, message: parleyError.message });
    const { agentId, at, requestId, caller, taskId = '', op, signal, onReport } = this.call;
    if (onReport) {
      const loggedExchange = (): LoggedExchange | null => request && this.toLoggedExchange(request);
      const retryAfter = (response && parseRetryAfter(response.headers)) || null;
      onReport({ failure: error === undefined ? null : failureOf(error), loggedExchange, retryAfter });
      return;
    }
    if (error === undefined ? op === 'get' || op === 'subscribe' : signal.aborted) return;
    if (error instanceof Error) recordedErrors.add(error);
    const { name: method = '', dialect = '' } = request ?? {};
    const ms = performance.now() - this.startedAt;
    const failure = error === undefined ? null : failureOf(error);
    const exchange = (failure || isFromConsole(requestId)) && request ? this.toLoggedExchange(request) : null;
    recordAgentCall({ agentId, at, ms, method, dialect, requestId, caller, taskId, failure, exchange });
  }

  private closeExchange(failure: HttpExchange['failure'] = null): void {
    const { exchangeRecorder } = this;
    this.exchangeRecorder = null;
    if (exchangeRecorder) this.call.onExchange?.(exchangeRecorder.close(failure));
  }

  private toLoggedExchange({ method, url, headers, body, redact }: SentRequest): LoggedExchange {
    const redacted = callRedactor(redact);
    const request = {
      method,
      url: redacted.url(url),
      headers: redacted.headers(headers),
      body: excerpt(body ?? '', redacted.text),
    };
    const { response, chunks } = this.capture;
    if (!response) return { request, answer: null };
    const text = new TextDecoder().decode(Buffer.concat(chunks));
    const { status } = response;
    return {
      request,
      answer: { status, headers: redacted.headers(response.headers), body: excerpt(text, redacted.text) },
    };
  }
}

function failureOf(error: unknown): CallFailure {
  if (error instanceof ParleyError) return { code: error.code, message: error.message };
  return { code: 'internal', message: 'Something went wrong on our side.' };
}

/**
 * Returns the start of a text, redacted and then truncated at a word boundary, because a partial secret would not be
 * recognized.
 */
function excerpt(text: string, redactAll: (text: string) => string): string {
  const start = redactAll(text.slice(0, 2 * CALL_LOG_MAX_CHARS));
  if (start.length <= CALL_LOG_MAX_CHARS && text.length <= CALL_LOG_MAX_CHARS) return start;
  return truncate(start, CALL_LOG_MAX_CHARS);
}

/** Errors of calls that have already been logged. */
const recordedErrors = new WeakSet<Error>();

/** Returns true if the error has already been logged. */
export function isRecorded(error: unknown): boolean {
  return error instanceof Error && recordedErrors.has(error);
}
