import { type AgentRecord, findAgent } from '../catalog';
import { CONCIERGE_SLUG } from '../discovery/schema';
import { countRouting } from '../observability';
import { isInterrupted, type Task } from '../protocol/a2a/core/model';
import type { AgentItem } from '../protocol/a2a/dialects';
import { type BuiltInTurn, readEarlierTask, readEarlierTasks } from '../tasks';
import { mayCall } from '../tokens';
import { asksForAnother, readChoice, toQuestion, toStatus } from './ask-person';
import { MAX_EARLIER_TASKS } from './limits';
import { AgentUnavailable, passOn, passReply, routedAgent } from './pass-on';
import { lastMessageOf, partsOf, readExecutor, textOf } from './read-request';
import { type RouteRequest, route, routeToExecutor } from './route';
import { openRouting, type Routing, readRouting, toMetadata } from './routing';

/**
 * Runs one turn of the concierge: forwards the message to a suitable agent, or asks the user to choose one. A reply is
 * sent to the agent that asked; the next message of a conversation is sent to its last agent.
 * @throws {ParleyError} if the message could not be routed, or the error of the chosen agent
 */
export async function* answer(turn: BuiltInTurn): AsyncGenerator<AgentItem[]> {
  const { task } = turn;
  const message = lastMessageOf(task);
  const routing = readRouting(task);
  if (routing?.turn === message.messageId) yield* resume(turn, routing);
  else if (routing?.state === 'routed') yield* answerReply(turn, routing);
  else if (routing) yield* answerChoice(turn, routing);
  else yield* begin(turn);
}

/** Continues a turn whose decision is stored. */
async function* resume(turn: BuiltInTurn, routing: Routing): AsyncGenerator<AgentItem[]> {
  if (routing.state === 'routed') yield* carryOut(turn, routing);
  else yield* ask(turn, { ...(await requestOf(turn, routing)), askBecause: routing.reason ?? 'unsure' });
}

async function* begin(turn: BuiltInTurn): AsyncGenerator<AgentItem[]> {
  const { task } = turn;
  const message = lastMessageOf(task);
  const executor = readExecutor([turn.metadata, task.metadata, message.metadata], CONCIERGE_SLUG);
  if (executor) {
    yield* decideFor(turn, await routeToExecutor(turn, executor));
    return;
  }
  const request: RouteRequest = { messages: [message.messageId], parts: message.parts, origin: null, excluded: [] };
  const earlier = await findEarlier(turn);
  if (!earlier) {
    yield* findAndPassOn(turn, request);
    return;
  }
  const { agent, routing } = earlier;
  if (asksForAnother(textOf(message.parts))) {
    yield* askForAnother(turn, earlier);
    return;
  }
  const { skill } = routing;
  const followUp = { ...openRouting({ turn: message.messageId, messages: request.messages }), skill };
  yield* decideFor(turn, { ...followUp, state: 'routed', by: 'follow-up', agent: agent.slug });
}

/** The last agent of a conversation, and the task in which that agent answered. */
interface Earlier {
  agent: AgentRecord;
  task: Task;
  routing: Routing;
}

/** Finds the last agent of this conversation, if it can still be called. */
async function findEarlier(turn: BuiltInTurn): Promise<Earlier | null> {
  for await (const task of readEarlierTasks(turn, MAX_EARLIER_TASKS)) {
    const routing = readRouting(task);
    if (routing?.state !== 'routed') continue;
    const agent = await routedAgent(routing);
    return agent && mayCall(turn.record.principal, agent) ? { task, routing, agent } : null;
  }
  return null;
}

/** Offers other agents for the request for which the last agent was chosen. */
async function* askForAnother(turn: BuiltInTurn, { agent, ...last }: Earlier): AsyncGenerator<AgentItem[]> {
  countRouting({ outcome: 'asked', override: 'changed' });
  let { task, routing } = last;
  for await (const earlier of readEarlierTasks(turn, MAX_EARLIER_TASKS)) {
    const decided = readRouting(earlier);
    if (decided?.state !== 'routed' || decided.by === 'follow-up') continue;
    task = earlier;
    routing = decided;
    break;
  }
  const request = await requestOf(turn, { ...routing, origin: routing.origin ?? task.id });
  yield* ask(turn, { ...request, excluded: [...routing.excluded, agent.slug], askBecause: 'another' });
}

/** Handles a message in a task whose agent has asked a question. */
async function* answerReply(turn: BuiltInTurn, routing: Routing): AsyncGenerator<AgentItem[]> {
  const { parts } = lastMessageOf(turn.task);
  const agent = await routedAgent(routing);
  if (agent && routing.task !== null && !asksForAnother(textOf(parts))) {
    yield* passReply(turn, { agent, taskId: routing.task });
    return;
  }
  countRouting({ outcome: 'asked', override: 'changed' });
  const request = await requestOf(turn, routing);
  const excluded = [...routing.excluded, ...(routing.agent === null ? [] : [routing.agent])];
  yield* ask(turn, { ...request, excluded, askBecause: 'another' });
}

/** Handles a message in a task in which the user was asked to choose an agent. */
async function* answerChoice(turn: BuiltInTurn, routing: Routing): AsyncGenerator<AgentItem[]> {
  const { messageId, parts } = lastMessageOf(turn.task);
  const text = textOf(parts);
  const offered = (await Promise.all(routing.offered.map((slug) => findAgent(slug)))).filter((agent) => agent !== null);
  const chosen = readChoice(text, offered);
  if (chosen) {
    const ranked = routing.candidates.find(({ agent }) => agent === chosen.slug);
    const override = chosen.slug !== routing.offered[0];
    const { skill = null, score = null } = ranked ?? {};
    const decided = { agent: chosen.slug, skill, score, state: 'routed', by: 'person', override } as const;
    yield* decideFor(turn, { ...routing, ...decided, turn: messageId, task: null });
    return;
  }
  const request = await requestOf(turn, routing);
  if (asksForAnother(text)) {
    countRouting({ outcome: 'asked', override: 'changed' });
    const excluded = [...routing.excluded, ...routing.offered];
    yield* ask(turn, { ...request, excluded, askBecause: 'another' });
    return;
  }
  // The reply describes the request in different words.
  yield* findAndPassOn(turn, {
    ...request,
    messages: [...request.messages, messageId],
    parts: [...request.parts, ...parts],
  });
}

async function requestOf(turn: BuiltInTurn, { messages, origin, excluded }: Routing): Promise<RouteRequest> {
  const earlier = origin === null ? null : await readEarlierTask(turn, origin);
  const history = [...(earlier?.history ?? []), ...turn.task.history];
  return { messages, parts: partsOf({ history }, messages), origin, excluded };
}

async function* findAndPassOn(turn: BuiltInTurn, request: RouteRequest): AsyncGenerator<AgentItem[]> {
  if (textOf(request.parts) === '') {
    yield [
      toStatus(turn.record.id, {
        state: 'input-required',
        text: 'What should be done with this? Describe it in a sentence.',
      }),
    ];
    return;
  }
  const { routing, offered } = await route(turn, request);
  if (routing.state === 'routed') {
    yield* decideFor(turn, routing);
    return;
  }
  countRouting({ outcome: 'asked' });
  await turn.annotate(toMetadata(routing));
  const { id: taskId } = turn.record;
  if (offered.length === 0) yield [toStatus(taskId, { state: 'rejected', text: nobodyText(request) })];
  else yield [toQuestion({ taskId, reason: routing.reason ?? 'unsure', offered })];
}

/** Asks for a choice, regardless of the scores. */
async function* ask(turn: BuiltInTurn, request: RouteRequest, problem?: string): AsyncGenerator<AgentItem[]> {
  const { routing, offered } = await route(turn, request);
  await turn.annotate(toMetadata(routing));
  const { id: taskId } = turn.record;
  if (offered.length > 0) yield [toQuestion({ taskId, reason: request.askBecause ?? 'unsure', offered, problem })];
  else yield [toStatus(taskId, { state: 'rejected', text: [problem, nobodyText(request)].filter(Boolean).join(' ') })];
}

function nobodyText({ excluded }: RouteRequest): string {
  return excluded.length > 0
    ? 'No other listed agent can do this right now.'
    : 'No listed agent can do this yet. Try again later, or list one yourself.';
}

/** Stores a decision and executes it. */
async function* decideFor(turn: BuiltInTurn, routing: Routing): AsyncGenerator<AgentItem[]> {
  countRouting({ outcome: routing.by ?? 'asked', ...(routing.override && { override: 'not-first' as const }) });
  await turn.annotate(toMetadata(routing));
  yield* carryOut(turn, routing);
}

/** Forwards the messages. If the agent cannot accept them, asks the user again. */
async function* carryOut(turn: BuiltInTurn, routing: Routing): AsyncGenerator<AgentItem[]> {
  const { task } = turn;
  const request = await requestOf(turn, routing);
  const agent = await routedAgent(routing);
  try {
    if (!agent) throw new AgentUnavailable('That agent is no longer available.');
    yield* passOn(turn, { routing, agent, parts: request.parts });
  } catch (error) {
    if (!(error instanceof AgentUnavailable)) throw error;
    // The request specifies its agent, so no other agent is suitable.
    if (routing.by === 'executor' && error.cause !== undefined) throw error.cause;
    if (isInterrupted(task.status.state)) throw error.cause ?? error;
    const excluded = [...routing.excluded, ...(routing.agent === null ? [] : [routing.agent])];
    yield* ask(turn, { ...request, excluded, askBecause: 'unavailable' }, error.message);
  }
}
