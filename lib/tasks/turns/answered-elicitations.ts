import { statusOf } from '../../protocol/a2a/core/events';
import type { Message } from '../../protocol/a2a/core/model';
import { changesOf, isDerived, isOpen } from '../../protocol/a2a/core/task-changes';
import { ANSWER_METADATA } from '../../protocol/forms/describe-form';
import type { StoredEvent } from '../store/records';

/**
 * Returns the message with the agent's own requests for input that it answers (A2A 1.1): those that the caller names, or
 * all open ones if it answers a form. They are a hint, which the agent may ignore.
 */
export function withAnsweredElicitations(message: Message, events: readonly StoredEvent[]): Message {
  const { elicitationIds: named, ...rest } = message;
  if (!named && !isFormAnswer(message)) return message;
  if (!events.some(({ event }) => statusOf(event)?.elicitations)) return rest;
  const known = [...changesOf(events).elicitations.values()].filter((elicitation) => !isDerived(elicitation));
  const answered = known.filter((elicitation) =>
    named ? named.includes(elicitation.elicitationId) : isOpen(elicitation),
  );
  if (answered.length === 0) return rest;
  return { ...rest, elicitationIds: answered.map(({ elicitationId }) => elicitationId) };
}

function isFormAnswer({ parts }: Message): boolean {
  return parts.some(({ metadata }) => metadata?.['parley.view'] === ANSWER_METADATA['parley.view']);
}
