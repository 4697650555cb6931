import type { AgentRecord } from '../catalog';
import type { Actor } from '../platform/context';
import { closedReason } from './policy';
import type { ChatAgent, ConversationView } from './schema';
import type { Conversation } from './store/conversations';

const maxExamples = 4;

export function toConversationView(
  { id, title, updatedAt }: Conversation,
  { slug, name }: Pick<AgentRecord, 'slug' | 'name'>,
): ConversationView {
  return { id, title, agent: { slug, name }, updatedAt: updatedAt.toISOString() };
}

/** The agent as this actor's chat page needs it. */
export function toChatAgent(actor: Actor, agent: AgentRecord): ChatAgent {
  const { slug, name, card } = agent;
  const examples = card.skills.flatMap((skill) => skill.examples).filter((example) => example.trim() !== '');
  return {
    slug,
    name,
    description: card.description,
    inputModes: inputModesOf(agent),
    examples: [...new Set(examples)].slice(0, maxExamples),
    closed: closedReason(actor, agent),
  };
}

/** Every mode that the agent or one of its skills takes. */
export function inputModesOf({ card }: Pick<AgentRecord, 'card'>): string[] {
  return [...new Set([...card.inputModes, ...card.skills.flatMap((skill) => skill.inputModes)])];
}
