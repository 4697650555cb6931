import { newUuid } from '../platform/ids';
import type { AgentItem } from '../protocol/a2a/dialects';
import { round } from './decide';
import type { Candidate } from './find-candidates';
import { MAX_CHOICE_DESCRIPTION } from './limits';
import { type AgentChoice, type AgentChoices, CHOICES_KIND, type ChoiceReason } from './schema';

interface Question {
  taskId: string;
  reason: ChoiceReason;
  /** At least one candidate, best first. */
  offered: Candidate[];
  /** The reason why an agent could not accept the task. */
  problem?: string;
}

/** The question which agent should receive the message: a text with their names, and a data part for programs. */
export function toQuestion({ taskId, reason, offered, problem }: Question): AgentItem {
  const choices: AgentChoices = { kind: CHOICES_KIND, reason, choices: offered.map(toChoice) };
  const text = [
    problem,
    textFor(
      reason,
      offered.map(({ agent }) => agent.name),
    ),
  ]
    .filter(Boolean)
    .join(' ');
  return toStatus(taskId, { state: 'input-required', text, data: choices });
}

interface Statement {
  state: 'input-required' | 'rejected';
  text: string;
  data?: AgentChoices;
}

/** A statement of the concierge. */
export function toStatus(taskId: string, { state, text, data }: Statement): AgentItem {
  return {
    type: 'status',
    taskId,
    state,
    message: {
      messageId: newUuid(),
      role: 'agent',
      parts: [
        { kind: 'text', text, mediaType: 'text/plain' },
        ...(data ? [{ kind: 'data' as const, data: { ...data } }] : []),
      ],
    },
  };
}

function toChoice(candidate: Candidate): AgentChoice {
  const { agent, skill, score, price } = candidate;
  return {
    agent: agent.slug,
    name: agent.name,
    description: agent.description.slice(0, MAX_CHOICE_DESCRIPTION).toWellFormed(),
    skill,
    price,
    score: score === null ? null : round(score),
  };
}

function textFor(reason: ChoiceReason, names: string[]): string {
  const all = new Intl.ListFormat('en', { type: 'disjunction' }).format(names);
  const [first] = names;
  const ask = names.length === 1 ? `Should I ask ${first}?` : `Which one should I ask: ${all}?`;
  switch (reason) {
    case 'unsure':
      return names.length === 1
        ? `I am not sure who can do this. ${ask}`
        : `Several agents may be able to do this. ${ask}`;
    case 'paid':
      return `${first} seems to fit, but it takes payments, so I need your OK first. ${ask}`;
    case 'private':
      return `Your message contains a file or something that looks private, so I'm asking before I forward it. ${ask}`;
    case 'nothing-fits':
      return `No exact match. ${names.length === 1 ? 'The closest match' : 'The closest matches'}: ${all}. Pick one, or describe your request differently.`;
    case 'unavailable':
      return `Another agent may be able to do this. ${ask}`;
    case 'another':
      return ask;
  }
}
