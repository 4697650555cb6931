import { isFromConsole, recordAgentCall } from '../../observability';
import type { CallFailure, Wire } from '../../observability/schema';
import type { StopSignal } from '../../platform/abort';
import { asParleyError } from '../../platform/errors';
import { shared } from '../../platform/registry';
import type { AgentRequest } from '../../protocol/a2a/dialects';
import type { WireExchange } from '../schema';
import { readRetryAfter } from './agent-error';
import { maskHeaders, maskText, maskUrl } from './mask-secrets';
import { WireRecord } from './wire-record';

interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** The method of the wire, and the version and binding it is of. */
  name: string;
  dialect: string;
  /** Takes the secrets of this call out of a text. */
  mask: (text: string) => string;
}

interface Watched {
  agentId: string;
  /** When it began. */
  at: Date;
  requestId: string;
  /** Who calls, as the agent knows them. */
  caller: string;
  op: AgentRequest['op'];
  signal: StopSignal;
  /** Given what went over the wire in each exchange; absent when nobody may look at it. */
  keep?: (exchange: WireExchange) => void;
  /** Hears how the call went, in place of the owner's log. */
  hear?: (heard: HeardCall) => void;
}

/** How a call went that the log does not take. */
export interface HeardCall {
  failure: CallFailure | null;
  /** What went over the wire, for calls that turn out to have failed by what was said. */
  wire: () => Wire | null;
  /** Seconds for which the agent asked to be left alone. */
  retryAfter: number | null;
}

/** One request and what of its answer is shown. */
interface Seen {
  request: SentRequest | null;
  answer: { status: number; headers: Record<string, string> } | null;
  chunks: Uint8Array[];
  /** Bytes in `chunks`. */
  kept: number;
}

const nothingSeen = (request: SentRequest | null): Seen => ({ request, answer: null, chunks: [], kept: 0 });

/** Characters of a body that are shown, and bytes of an answer that are kept for it. */
const shownChars = 4_096;

/**
 * Watches one call of an agent for its owner's log. On its way nothing is copied: what went over the wire is written down
 * only when the call fails, or when the console asked for it. Of questions for a task, which polling asks again and again, only failed ones are noted.
 */
export class CallWatch {
  private readonly startedAt = performance.now();
  private seen = nothingSeen(null);
  private failed: Seen | null = null;
  private isOver = false;
  private record: WireRecord | null = null;

  constructor(private readonly watched: Watched) {}

  /** What is sent now; an exchange before it, with another endpoint, is only kept by {@link keepFailed}. */
  sent(request: SentRequest): void {
    this.seen = nothingSeen(request);
    this.closeRecord();
    if (this.watched.keep) this.record = new WireRecord(request, this.watched.requestId);
  }

  answered(status: number, headers: Record<string, string>): void {
    this.seen.answer = { status, headers };
    this.record?.answered(status, headers);
  }

  /** A piece of the answer's body, as the reception hands it out. */
  readonly took = (chunk: Uint8Array): void => {
    this.record?.took(chunk);
    if (this.seen.kept >= shownChars) return;
    this.seen.chunks.push(chunk);
    this.seen.kept += chunk.byteLength;
  };

  /** The exchange of now explains the failure, should the call fail at every endpoint. */
  keepFailed(): void {
    this.failed = this.seen;
  }

  /** The call is over: well, or with `error`. The first word counts; a call that was given up is none. */
  over(error?: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    const said = error === undefined ? null : asParleyError(error);
    if (error !== undefined && this.failed) this.seen = this.failed;
    const { request, answer } = this.seen;
    this.closeRecord(said && { code: said.code, message: said.message });
    const { agentId, at, requestId, caller, op, signal, hear } = this.watched;
    if (hear) {
      const wire = (): Wire | null => request && this.wireOf(request);
      const retryAfter = (answer && readRetryAfter(answer.headers)) || null;
      hear({ failure: error === undefined ? null : failureOf(error), wire, retryAfter });
      return;
    }
    if (error === undefined ? op === 'get' || op === 'subscribe' : signal.aborted) return;
    if (error instanceof Error) noted().add(error);
    const { name: method = '', dialect = '' } = request ?? {};
    const ms = performance.now() - this.startedAt;
    const failure = error === undefined ? null : failureOf(error);
    const wire = (failure || isFromConsole(requestId)) && request ? this.wireOf(request) : null;
    recordAgentCall({ agentId, at, ms, method, dialect, requestId, caller, failure, wire });
  }

  private closeRecord(failure: WireExchange['failure'] = null): void {
    const { record } = this;
    this.record = null;
    if (record) this.watched.keep?.(record.close(failure));
  }

  private wireOf({ method, url, headers, body, mask }: SentRequest): Wire {
    const hide = (text: string): string => maskText(mask(text));
    const hidden = (fields: Record<string, string>): Record<string, string> =>
      Object.fromEntries(Object.entries(maskHeaders(fields)).map(([name, value]) => [name, mask(value)]));
    const request = { method, url: mask(maskUrl(url)), headers: hidden(headers), body: excerpt(body ?? '', hide) };
    const { answer, chunks } = this.seen;
    if (!answer) return { request, answer: null };
    const { status, headers: fields } = answer;
    const text = new TextDecoder().decode(Buffer.concat(chunks));
    return { request, answer: { status, headers: hidden(fields), body: excerpt(text, hide) } };
  }
}

function failureOf(error: unknown): CallFailure {
  const known = asParleyError(error);
  return { code: known?.code ?? 'internal', message: known?.message ?? 'Something went wrong on our side.' };
}

/** The beginning of a text. It is masked before it is cut, and never ends within a word, which may be half a secret. */
function excerpt(text: string, hide: (text: string) => string): string {
  const begin = hide(text.slice(0, 2 * shownChars));
  if (begin.length <= shownChars && text.length <= shownChars) return begin;
  return `${begin.slice(0, shownChars).replace(/[^\s",]*$/, '')} …`;
}

/** Failures of calls that are in the log. */
function noted(): WeakSet<Error> {
  return shared('noted-failures', () => new WeakSet());
}

/** True when the error is that of a call which is in the log already. */
export function isNoted(error: unknown): boolean {
  return error instanceof Error && noted().has(error);
}
