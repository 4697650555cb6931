import { type AgentRecord, findAgent, findAgentById, isOpenToGuests, maySeeAgent, priceSummaryOf } from '../../catalog';
import { authorize, authorizeChat } from '../../identity';
import type { Actor, Call, Ctx, GuestActor, UserActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { MAX_EXAMPLES, MAX_NEEDS } from '../limits';
import type { ChatAgent, Need } from '../schema-thread';
import { type Conversation, findConversation } from '../store/conversation-rows';

export interface LoadedConversation {
  user: UserActor | GuestActor;
  conversation: Conversation;
  agent: AgentRecord;
}

/** The callers that an operation on a conversation permits: a session, or also guests. */
export type ChatRule = 'session' | 'chat';

/**
 * Loads a conversation of the user or, if `rule` permits, of a guest, with its agent.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found` for unknown conversations and those of other users
 */
export async function loadConversation(
  { actor }: Ctx,
  id: string,
  rule: ChatRule = 'session',
): Promise<LoadedConversation> {
  const user = rule === 'chat' ? authorizeChat(actor) : authorize(actor, 'session');
  const conversation = await findConversation(user.userId, id);
  const agent = conversation && (await findAgentById(conversation.agentId));
  if (!conversation || !agent) throw conversationNotFound();
  return { user, conversation, agent };
}

/** Returns the same error for an unknown conversation and for one of another user. */
export function conversationNotFound(): ParleyError {
  return new ParleyError('not_found', 'Conversation not found. It may have been deleted.');
}

/**
 * Returns the agent for a new conversation. Requires no session, so that a user can write a message before signing in.
 * @throws {ParleyError} `invalid_target` for agents that are unknown, not visible to the actor, suspended or withdrawn
 */
export async function getChatAgent({ ctx, input }: Call<{ slug: string }>): Promise<ChatAgent> {
  return toChatAgent(ctx.actor, await findOpenAgent(ctx.actor, input.slug));
}

/**
 * Returns the agent if the actor may send it messages.
 * @throws {ParleyError} `invalid_target`, for every reason
 */
export async function findOpenAgent(actor: Actor, slug: string): Promise<AgentRecord> {
  const agent = await findAgent(slug);
  if (agent && closedReason(actor, agent) === null) return agent;
  throw new ParleyError(
    'invalid_target',
    'Agent not found. It may not exist, or you may not have access to it. Check the slug.',
  );
}

/** Returns the view of an agent for the chat page. */
export function toChatAgent(actor: Actor, agent: AgentRecord): ChatAgent {
  const { slug, name, card } = agent;
  const examples = card.skills.flatMap((skill) => skill.examples).filter((example) => example.trim() !== '');
  return {
    slug,
    name,
    description: card.description,
    inputModes: inputModesOf(agent),
    examples: [...new Set(examples)].slice(0, MAX_EXAMPLES),
    closed: closedReason(actor, agent),
    price: priceSummaryOf(agent),
    isOpenToGuests: isOpenToGuests(agent),
  };
}

/**
 * Returns the jobs that the actor can start with one click, each once: the first skill with an example of each agent
 * that accepts the actor's messages.
 */
export async function listNeeds({ ctx, input }: Call<{ slugs: string[] }>): Promise<Need[]> {
  const agents = await Promise.all(input.slugs.map(findAgent));
  const needs = agents.flatMap((agent) => {
    if (!agent || closedReason(ctx.actor, agent) !== null) return [];
    if (ctx.actor.kind !== 'user' && !isOpenToGuests(agent)) return [];
    const skill = agent.card.skills.find(({ examples: [first = ''] }) => first.trim() !== '');
    return skill ? [{ slug: agent.slug, job: skill.name, message: skill.examples[0] ?? '' }] : [];
  });
  const isFirst = (need: Need): boolean => needs.find(({ job }) => job === need.job) === need;
  return needs.filter(isFirst).slice(0, MAX_NEEDS);
}

/** Returns every input mode of the agent or one of its skills. */
export function inputModesOf({ card }: Pick<AgentRecord, 'card'>): string[] {
  return [...new Set([...card.inputModes, ...card.skills.flatMap((skill) => skill.inputModes)])];
}

/** Returns why the actor cannot send messages to this agent; null if they can. */
export function closedReason(actor: Actor, agent: AgentRecord): string | null {
  if (agent.status === 'withdrawn')
    return 'This agent was withdrawn by its owner. You can read this conversation but not send messages.';
  if (agent.status === 'suspended')
    return 'Moderators took down this agent. You can read this conversation but not send messages.';
  return maySeeAgent(actor, agent)
    ? null
    : 'You no longer have access to this agent. You can read this conversation but not send messages.';
}
