import { isFromConsole, recordAgentCall } from '../../observability';
import type { CallFailure, LoggedExchange } from '../../observability/schema';
import type { AbortSignalLike } from '../../platform/abort';
import { asParleyError } from '../../platform/errors';
import { processSingleton } from '../../platform/singleton';
import type { AgentRequest } from '../../protocol/a2a/dialects';
import type { HttpExchange } from '../schema';
import { parseRetryAfter } from './agent-error';
import { HttpExchangeRecorder } from './http-exchange-recorder';
import { redactHeaders, redactSecrets, redactUrl } from './redact-secrets';

interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** The method of the wire, and the version and binding it is of. */
  name: string;
  dialect: string;
  /** Takes the secrets of this call out of a text. */
  redact: (text: string) => string;
}

interface RecordedCall {
  agentId: string;
  /** When it began. */
  at: Date;
  requestId: string;
  /** Who calls, as the agent knows them. */
  caller: string;
  op: AgentRequest['op'];
  signal: AbortSignalLike;
  /** Given what went over the wire in each exchange; absent when nobody may look at it. */
  onExchange?: (exchange: HttpExchange) => void;
  /** Hears how the call went, in place of the owner's log. */
  onReport?: (report: CallReport) => void;
}

/** How a call went that the log does not take. */
export interface CallReport {
  failure: CallFailure | null;
  /** What went over the wire, for calls that turn out to have failed by what was said. */
  wire: () => LoggedExchange | null;
  /** Seconds for which the agent asked to be left alone. */
  retryAfter: number | null;
}

/** One request and what of its answer is shown. */
interface Capture {
  request: SentRequest | null;
  response: { status: number; headers: Record<string, string> } | null;
  chunks: Uint8Array[];
  /** Bytes in `chunks`. */
  size: number;
}

const emptyCapture = (request: SentRequest | null): Capture => ({ request, response: null, chunks: [], size: 0 });

/** Characters of a body that are shown, and bytes of an answer that are kept for it. */
const maxChars = 4_096;

/**
 * Watches one call of an agent for its owner's log. On its way nothing is copied: what went over the wire is written down
 * only when the call fails, or when the console asked for it. Of questions for a task, which polling asks again and again, only failed ones are noted.
 */
export class CallRecorder {
  private readonly startedAt = performance.now();
  private capture = emptyCapture(null);
  private failedCapture: Capture | null = null;
  private ended = false;
  private exchangeRecorder: HttpExchangeRecorder | null = null;

  constructor(private readonly call: RecordedCall) {}

  /** What is sent now; an exchange before it, with another endpoint, is only kept by {@link markFailed}. */
  onRequest(request: SentRequest): void {
    this.capture = emptyCapture(request);
    this.closeExchange();
    if (this.call.onExchange) this.exchangeRecorder = new HttpExchangeRecorder(request, this.call.requestId);
  }

  onResponse(status: number, headers: Record<string, string>): void {
    this.capture.response = { status, headers };
    this.exchangeRecorder?.onResponse(status, headers);
  }

  /** A piece of the answer's body, as the reception hands it out. */
  readonly onChunk = (chunk: Uint8Array): void => {
    this.exchangeRecorder?.onChunk(chunk);
    if (this.capture.size >= maxChars) return;
    this.capture.chunks.push(chunk);
    this.capture.size += chunk.byteLength;
  };

  /** The exchange of now explains the failure, should the call fail at every endpoint. */
  markFailed(): void {
    this.failedCapture = this.capture;
  }

  /** The call is over: well, or with `error`. The first word counts; a call that was given up is none. */
  end(error?: unknown): void {
    if (this.ended) return;
    this.ended = true;
    const parleyError = error === undefined ? null : asParleyError(error);
    if (error !== undefined && this.failedCapture) this.capture = this.failedCapture;
    const { request, response: answer } = this.capture;
    this.closeExchange(parleyError && { code: parleyError.code, message: parleyError.message });
    const { agentId, at, requestId, caller, op, signal, onReport: hear } = this.call;
    if (hear) {
      const wire = (): LoggedExchange | null => request && this.toWire(request);
      const retryAfter = (answer && parseRetryAfter(answer.headers)) || null;
      hear({ failure: error === undefined ? null : failureOf(error), wire, retryAfter });
      return;
    }
    if (error === undefined ? op === 'get' || op === 'subscribe' : signal.aborted) return;
    if (error instanceof Error) recordedErrors().add(error);
    const { name: method = '', dialect = '' } = request ?? {};
    const ms = performance.now() - this.startedAt;
    const failure = error === undefined ? null : failureOf(error);
    const wire = (failure || isFromConsole(requestId)) && request ? this.toWire(request) : null;
    recordAgentCall({ agentId, at, ms, method, dialect, requestId, caller, failure, wire });
  }

  private closeExchange(failure: HttpExchange['failure'] = null): void {
    const { exchangeRecorder: record } = this;
    this.exchangeRecorder = null;
    if (record) this.call.onExchange?.(record.close(failure));
  }

  private toWire({ method, url, headers, body, redact: mask }: SentRequest): LoggedExchange {
    const redactAll = (text: string): string => redactSecrets(mask(text));
    const redactFields = (fields: Record<string, string>): Record<string, string> =>
      Object.fromEntries(Object.entries(redactHeaders(fields)).map(([name, value]) => [name, mask(value)]));
    const request = {
      method,
      url: mask(redactUrl(url)),
      headers: redactFields(headers),
      body: excerpt(body ?? '', redactAll),
    };
    const { response: answer, chunks } = this.capture;
    if (!answer) return { request, answer: null };
    const { status, headers: fields } = answer;
    const text = new TextDecoder().decode(Buffer.concat(chunks));
    return { request, answer: { status, headers: redactFields(fields), body: excerpt(text, redactAll) } };
  }
}

function failureOf(error: unknown): CallFailure {
  const known = asParleyError(error);
  return { code: known?.code ?? 'internal', message: known?.message ?? 'Something went wrong on our side.' };
}

/** The beginning of a text. It is masked before it is cut, and never ends within a word, which may be half a secret. */
function excerpt(text: string, redactAll: (text: string) => string): string {
  const start = redactAll(text.slice(0, 2 * maxChars));
  if (start.length <= maxChars && text.length <= maxChars) return start;
  return `${start.slice(0, maxChars).replace(/[^\s",]*$/, '')} …`;
}

/** Failures of calls that are in the log. */
function recordedErrors(): WeakSet<Error> {
  return processSingleton('noted-failures', () => new WeakSet());
}

/** True when the error is that of a call which is in the log already. */
export function isRecorded(error: unknown): boolean {
  return error instanceof Error && recordedErrors().has(error);
}
