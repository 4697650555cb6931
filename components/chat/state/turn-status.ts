import type { AgentEntry } from '../../../lib/protocol/a2a/core/task-timeline';

type Advice =
  | 'askOther'
  | 'kept'
  | 'askDifferently'
  | 'later'
  | 'smaller'
  | 'change'
  | 'again'
  | 'rephrase'
  | 'startOver'
  | 'guess';

/** The result of a turn and the user's options. The texts are in `chat.turnNotice`. */
export interface TurnStatus {
  tone: 'info' | 'warn' | 'danger';
  title: 'noAnswer' | 'declined' | 'stopped' | 'failed' | 'empty' | 'emptyQuestion' | 'unanswered';
  /** The reason, if known. */
  text: string | null;
  advice: Advice;
  /** True if it is useful to send the same message again. */
  retry: boolean;
}

interface TurnEnd {
  /** True if the agent was waiting for the user when it ended. */
  isUnanswered: boolean;
  /** True if the agent produced no output in this turn. */
  isEmpty: boolean;
}

/** Returns the status below a turn that ended this way; null if the agent's own output is sufficient. */
export function turnStatusOf(
  { status, reason, problem }: AgentEntry & { kind: 'status' },
  { isUnanswered, isEmpty }: TurnEnd,
): TurnStatus | null {
  if (problem !== undefined) {
    // The question is open again, so the same message may be resent for any reason.
    return { tone: 'danger', title: 'noAnswer', text: problem, advice: adviceFor(reason ?? '').advice, retry: true };
  }
  const text = reason === null ? null : textOf(status.message?.parts);
  switch (status.state) {
    case 'failed':
      return reason === null ? agentFailed : { tone: 'danger', title: 'noAnswer', text, ...adviceFor(reason) };
    case 'rejected':
      return { tone: 'warn', title: 'declined', text: null, advice: 'askOther', retry: false };
    case 'canceled':
      if (isUnanswered) return unanswered;
      return { tone: 'info', title: 'stopped', text, advice: 'kept', retry: true };
    case 'completed':
      return isEmpty ? { tone: 'info', title: 'empty', text, advice: 'rephrase', retry: true } : null;
    case 'input-required':
      return isEmpty ? { tone: 'info', title: 'emptyQuestion', text, advice: 'guess', retry: false } : null;
    default:
      return null;
  }
}

const unanswered: TurnStatus = { tone: 'info', title: 'unanswered', text: null, advice: 'startOver', retry: false };

const agentFailed: TurnStatus = {
  tone: 'danger',
  title: 'failed',
  text: null,
  advice: 'askDifferently',
  retry: true,
};

/** Returns the user's options after an agent call that failed with this code. */
export function adviceForError(code: string): Advice {
  return adviceFor(code).advice;
}

function adviceFor(reason: string): Pick<TurnStatus, 'advice' | 'retry'> {
  switch (reason) {
    case 'agent_unreachable':
      return { advice: 'later', retry: true };
    case 'agent_timeout':
      return { advice: 'smaller', retry: true };
    case 'invalid_params':
    case 'unsupported_operation':
    case 'content_type_not_supported':
      return { advice: 'change', retry: false };
    default:
      return { advice: 'again', retry: true };
  }
}

function textOf(parts: { kind: string; text?: string }[] | undefined): string | null {
  const text = (parts ?? []).flatMap((part) => (part.kind === 'text' && part.text ? [part.text] : [])).join('\n');
  return text === '' ? null : text;
}
