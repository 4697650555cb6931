import { type AgentRecord, findAgent, findAgentById, maySeeAgent } from '../../catalog';
import { searchAgents } from '../../discovery';
import { MAX_QUERY_LENGTH } from '../../discovery/limits';
import { type SearchResult, searchQuerySchema } from '../../discovery/schema';
import type { AgentCalls, AgentSend, FoundAgent, SentTask } from '../../hub';
import type { CallerActor, Ctx } from '../../platform/context';
import { asParleyError, ParleyError } from '../../platform/errors';
import { newId, newUuid } from '../../platform/ids';
import { errorFields, log } from '../../platform/log';
import type { Message, Part, Task, TaskState } from '../../protocol/a2a/core/model';
import { extensionsToActivate } from '../../protocol/extensions';
import { findActiveApp } from '../../tokens';
import { MAX_DELEGATION_WAIT_MS } from '../limits';
import { startTurn } from '../runs/start-turn';
import { type Turn, throwIfRefused } from '../runs/turn';
import { loadTask } from '../store/task-events';
import { waitForTurnEnd } from '../streams/tail-task';

/** The market search and the sends of agents that connect to Parley, for the hub. */
export const gatewayAgentCalls: AgentCalls = {
  search: async ({ query, limit }) => {
    const input = searchQuerySchema.parse({ q: query.slice(0, MAX_QUERY_LENGTH), limit });
    const { items } = await searchAgents({ ctx: { now: new Date() }, input });
    return Promise.all(items.map(toFound));
  },
  send,
};

async function toFound(result: SearchResult): Promise<FoundAgent> {
  const { slug, name, description, matchedSkill, standing } = result;
  const skills = (await findAgent(slug))?.card.skills ?? [];
  const best = skills.find((skill) => skill.name === matchedSkill) ?? skills[0];
  return {
    ...{ slug, name, description },
    skills: skills.map(({ id, name, description, tags }) => ({ id, name, description, tags })),
    bestSkillId: best?.id ?? null,
    score: (standing.score ?? 0) / 100,
  };
}

async function send(input: AgentSend, signal: AbortSignal): Promise<SentTask> {
  const { from, to, text, skillId, contextId, taskId } = input;
  const now = new Date();
  const appId = (await findAgentById(from))?.appId ?? null;
  const app = appId === null ? null : await findActiveApp(appId, now);
  if (!app) throw new ParleyError('forbidden', 'This agent has no app, and agents send as their app. Give it one.');
  const agent = await findTarget(from, to);
  const message: Message = {
    messageId: newUuid(),
    role: 'user',
    parts: [{ kind: 'text', text }],
    ...(contextId !== undefined && { contextId }),
    ...(taskId !== undefined && { taskId }),
    ...(skillId !== undefined && { metadata: { skill_id: skillId } }),
  };
  const ctx: Ctx = { actor: callerOf(app, agent), requestId: newId('req'), signal, now };
  const turn = await startTurn({
    ctx,
    input: {
      agent,
      request: { op: 'send', streaming: false, message, configuration: { returnImmediately: true } },
      extensions: { requested: extensionsToActivate(agent.card), activated: [] },
    },
  });
  throwIfRefused(turn.last);
  return { taskId: turn.record.id, contextId: turn.record.contextId, outcome: outcomeOf(turn, signal) };
}

/** Apps reach what everybody may call. An agent that sends to itself would never end. */
async function findTarget(from: string, slug: string): Promise<AgentRecord> {
  const agent = await findAgent(slug);
  if (!agent || !maySeeAgent({ kind: 'anonymous' }, agent)) {
    throw new ParleyError('agent_not_found', `There is no agent "${slug.slice(0, 60)}" that may be called.`);
  }
  if (agent.id === from) throw new ParleyError('forbidden', 'An agent cannot send to itself.');
  return agent;
}

function callerOf({ appId, clientId }: { appId: string; clientId: string }, agent: AgentRecord): CallerActor {
  return {
    kind: 'caller',
    principal: appId,
    credentialId: appId,
    agentId: agent.id,
    clientId,
    scopes: ['agent:call'],
  };
}

/** The state and the text at the end of the turn. An error becomes a failed state with its text. */
async function outcomeOf(turn: Turn, signal: AbortSignal): Promise<{ state: TaskState; text: string }> {
  try {
    await waitForTurnEnd(turn, { signal }, MAX_DELEGATION_WAIT_MS);
    const { task, events } = await loadTask(turn.record);
    const last = events.at(-1)?.event;
    throwIfRefused(last);
    if (last?.type === 'reply') return { state: 'completed', text: textOf(last.message.parts) };
    return { state: task.status.state, text: answerOf(task) };
  } catch (error) {
    const known = asParleyError(error);
    if (!known) log.warn('hub.send_failed', { taskId: turn.record.id, ...errorFields(error) });
    return { state: 'failed', text: known?.message ?? 'Something went wrong on our side.' };
  }
}

function answerOf({ artifacts, status }: Task): string {
  const texts = [...artifacts.map(({ parts }) => textOf(parts)), textOf(status.message?.parts ?? [])];
  return texts.filter((text) => text !== '').join('\n\n');
}

function textOf(parts: Part[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}
