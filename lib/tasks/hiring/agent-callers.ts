import { type AgentRecord, findAgent, findAgentById, maySeeAgent } from '../../catalog';
import type { AgentSend, CallingAgent } from '../../hub';
import type { CallerActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { HubError } from '../../protocol/hub/errors';
import { delegatedCaller, findActiveApp, findActiveCredential, findDelegation, mayCall } from '../../tokens';
import { taskNotFound } from '../errors';
import { findSentTask } from '../store/find-tasks';
import { findOwnHubTask } from '../store/hub-runs';
import type { TaskRecord } from '../store/records';

/** The called agent, and the identity with which another agent calls it. */
export interface AgentCaller {
  caller: CallerActor;
  agent: AgentRecord;
}

/**
 * Returns the identity with which an agent calls another one: the caller of one of its tasks, or its own app.
 * @throws {HubError} `unknown_run`, `no_person`, `hiring_refused`, `caller_ended`, `no_app`
 * @throws {ParleyError} `agent_not_found`; `invalid_target` for an agent that already acts in the chain, or if too many
 * agents act in it
 */
export async function findAgentCaller({ from, to, parentTaskId }: AgentSend, now: Date): Promise<AgentCaller> {
  const acting = await findAgentById(from.agentId);
  if (!acting) throw new HubError('not_your_agent', 'The sending agent no longer exists.');
  if (parentTaskId === null) return callAsApp(acting, to, now);
  const task = await findOwnHubTask(parentTaskId);
  if (task?.agentId !== acting.id) throw new HubError('unknown_run', 'The run has ended, or belongs to another agent.');
  const agent = await findAgent(to);
  if (!agent || !mayCall(task.principal, agent)) throw agentNotFound(to);
  const delegated = { task, agent: acting, actingId: from.credentialId, target: agent };
  return { agent, caller: await delegatedCaller(delegated, now) };
}

/**
 * Returns the caller for an agent that acts as its app. Apps may call only public agents. An agent must not call
 * itself, because the calls would never end.
 */
async function callAsApp(acting: AgentRecord, slug: string, now: Date): Promise<AgentCaller> {
  const app = acting.appId === null ? null : await findActiveApp(acting.appId, now);
  if (!app)
    throw new HubError(
      'no_app',
      'This agent has no developer app, which agents need to send messages. Link one in the console.',
    );
  const agent = await findAgent(slug);
  if (!agent || !maySeeAgent({ kind: 'anonymous' }, agent)) throw agentNotFound(slug);
  if (agent.id === acting.id) throw new ParleyError('invalid_target', 'An agent cannot send to itself.');
  const { appId, clientId } = app;
  const credential = { principal: appId, credentialId: appId, clientId };
  return { agent, caller: { kind: 'caller', agentId: agent.id, scopes: ['agent:call'], ...credential } };
}

/**
 * Returns the identity with which an agent cancels a task that it sent.
 * @throws {ParleyError} `task_not_found`, also for a task that another agent sent, or for whose user the agent may no
 *   longer act
 */
export async function callerOfSentTask(from: CallingAgent, taskId: string, now: Date): Promise<AgentCaller> {
  const acting = await findAgentById(from.agentId);
  const sent = acting && (await findSentTask(acting.appId, taskId));
  const record = sent && (await isSenderOf(acting, sent)) ? sent : null;
  const agent = record && (await findAgentById(record.agentId));
  const active = record && (await findActiveCredential(record.credentialId, now));
  if (!agent || active?.principal !== record.principal) throw taskNotFound(taskId);
  const { principal, credentialId, clientId, delegation } = record;
  const access = { ...(delegation !== null && { delegation }), scopes: ['agent:call' as const] };
  return { agent, caller: { kind: 'caller', principal, credentialId, clientId, agentId: agent.id, ...access } };
}

/** Returns true if the agent sent the task as its app, or with a delegation that has not ended. */
async function isSenderOf({ id, appId }: Pick<AgentRecord, 'id' | 'appId'>, task: TaskRecord): Promise<boolean> {
  if (task.principal === appId) return true;
  const delegation = await findDelegation(task.credentialId);
  return delegation?.agentId === id && !delegation.hasEnded;
}

/** Returns the same error for agents that are unknown, private to others, suspended or withdrawn. */
function agentNotFound(slug: string): ParleyError {
  return new ParleyError('agent_not_found', `Agent "${slug.slice(0, 60)}" not found, or you may not call it.`);
}
