import { findAgent } from '../../catalog';
import { searchAgents } from '../../discovery';
import { MAX_QUERY_LENGTH } from '../../discovery/limits';
import { type SearchPage, type SearchResult, searchQuerySchema } from '../../discovery/schema';
import type { AgentCalls, CallingAgent, FoundAgent } from '../../hub';
import type { Ctx } from '../../platform/context';
import { newId } from '../../platform/ids';
import type { AgentSearchParams } from '../../protocol/hub/hub-schema';
import type { JsonObject } from '../../protocol/json';
import { cancelTask } from '../calls/cancel-task';
import { callerOfSentTask } from './agent-callers';
import { sendToAgent, taskInV10 } from './send-to-agent';

/** The market search, sends and cancels of agents that connect to Parley, for the hub. */
export const hubAgentCalls: AgentCalls = {
  search: async (input) => {
    const { items, total, semantic, isWeak } = await search(input);
    return { items: items.map((item): JsonObject => ({ ...item })), total, semantic, isWeak };
  },
  find: async (input) => Promise.all((await search(input)).items.map(toFound)),
  send: sendToAgent,
  cancel,
};

/** `skill` contains words that the agent's texts must have in addition to those of the query. */
function search({ query, skill = '', health, limit }: AgentSearchParams): Promise<SearchPage> {
  const q = `${query} ${skill}`.slice(0, MAX_QUERY_LENGTH);
  return searchAgents({ ctx: { now: new Date() }, input: searchQuerySchema.parse({ q, health, limit }) });
}

async function toFound(result: SearchResult): Promise<FoundAgent> {
  const { slug, name, description, matchedSkill, match, standing } = result;
  const skills = (await findAgent(slug))?.card.skills ?? [];
  const best = skills.find((skill) => skill.name === matchedSkill) ?? skills[0];
  return {
    ...{ slug, name, description },
    skills: skills.map(({ id, name, description, tags }) => ({ id, name, description, tags })),
    bestSkillId: best?.id ?? null,
    score: match?.score ?? (standing.score ?? 0) / 100,
  };
}

async function cancel({ from, taskId }: { from: CallingAgent; taskId: string }): Promise<JsonObject> {
  const now = new Date();
  const { agent, caller } = await callerOfSentTask(from, taskId, now);
  const ctx: Ctx = { actor: caller, requestId: newId('req'), signal: new AbortController().signal, now };
  return taskInV10(await cancelTask({ ctx, input: { agent, taskId } }));
}
