import type { StoryEntry } from './thread-state';

/** How a turn ended, in Parley's own words, and what the person can do. */
export interface TurnNotice {
  tone: 'info' | 'warn' | 'danger';
  title: string;
  /** What happened, when it is known. */
  text: string | null;
  advice: string;
  /** Sending the same message once more makes sense. */
  retry: boolean;
}

/** The notice below a turn that ended with this status; null when the agent's own words are enough. */
export function noticeOf({ status, reason }: StoryEntry & { kind: 'status' }): TurnNotice | null {
  const own = reason === null ? null : textOf(status.message?.parts);
  switch (status.state) {
    case 'failed':
      return reason === null ? agentFailed : { tone: 'danger', title: 'No answer', text: own, ...adviceOn(reason) };
    case 'rejected':
      return {
        tone: 'warn',
        title: 'The agent declined',
        text: null,
        advice: 'It does not take this task. Ask differently, or ask another agent.',
        retry: false,
      };
    case 'canceled':
      return { tone: 'info', title: 'Stopped', text: own, advice: 'What came before is kept.', retry: true };
    default:
      return null;
  }
}

const agentFailed: TurnNotice = {
  tone: 'danger',
  title: 'The agent could not finish',
  text: null,
  advice: 'It ended the task as failed. Send the message again, or ask differently.',
  retry: true,
};

/** What a person can do about a call of an agent that failed with this code. */
export function adviceOnFailure(code: string): string {
  return adviceOn(code).advice;
}

function adviceOn(reason: string): { advice: string; retry: boolean } {
  switch (reason) {
    case 'agent_unreachable':
      return { advice: 'Your message is kept. Send it again in a minute.', retry: true };
    case 'agent_timeout':
      return { advice: 'The agent may be busy. Send the message again, or make the task smaller.', retry: true };
    case 'invalid_params':
    case 'unsupported_operation':
    case 'content_type_not_supported':
      return { advice: 'The agent does not take this message. Change it and send it anew.', retry: false };
    default:
      return {
        advice: 'The owner of the agent can see this error. Send the message again, or try another agent.',
        retry: true,
      };
  }
}

function textOf(parts: { kind: string; text?: string }[] | undefined): string | null {
  const text = (parts ?? []).flatMap((part) => (part.kind === 'text' && part.text ? [part.text] : [])).join('\n');
  return text === '' ? null : text;
}
