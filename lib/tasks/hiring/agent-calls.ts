import { findAgent } from '../../catalog';
import { searchAgents } from '../../discovery';
import { MAX_QUERY_LENGTH } from '../../discovery/limits';
import { type SearchPage, type SearchResult, searchQuerySchema } from '../../discovery/schema';
import type { AgentCalls, AgentSend, CallingAgent, FoundAgent, SentTask } from '../../hub';
import type { CallerActor, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { isUuid, newId } from '../../platform/ids';
import { parseJson } from '../../platform/json';
import { childController, sleep } from '../../platform/runtime/abort';
import { errorFields, log } from '../../platform/runtime/log';
import { eventEndsTurn } from '../../protocol/a2a/core/events';
import { joinedText } from '../../protocol/a2a/core/message-parts';
import { endsTurn, type Task, type TaskState } from '../../protocol/a2a/core/model';
import { chooseDialect, type Dialect, readRequest } from '../../protocol/a2a/dialects';
import { extensionsToActivate } from '../../protocol/extensions';
import { HubError } from '../../protocol/hub/errors';
import type { AgentSearchParams } from '../../protocol/hub/hub-schema';
import { isObject, type JsonObject } from '../../protocol/json';
import { ProtocolError } from '../../protocol/protocol-error';
import { onCredentialChange } from '../../tokens';
import { cancelTask } from '../calls/cancel-task';
import { FOLLOW_RETRY_MS, MAX_DELEGATION_WAIT_MS } from '../limits';
import { tailTask } from '../log/tail-task';
import { type Turn, throwIfRefused, waitForTurnEnd } from '../log/turn';
import type { SendInput } from '../runs/send-input';
import type { StoredEvent } from '../store/records';
import { loadTask } from '../store/task-events';
import { startTurn } from '../turns/start-turn';
import { callerOfSentTask, findAgentCaller } from './agent-callers';

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

/**
 * Searches the public agents. `skill` contains words that the agent's texts must have in addition to those of the
 * query.
 */
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

/** Sends a message from one agent to another (see `AgentCalls` in lib/hub). */
async function sendToAgent(input: AgentSend, signal: AbortSignal): Promise<SentTask> {
  const now = new Date();
  const request = readMessage(input.request);
  const { agent, caller } = await findAgentCaller(input, now);
  const ctx: Ctx = { actor: caller, requestId: newId('req'), signal, now };
  const turn = await startTurn({
    ctx,
    input: {
      agent,
      request,
      extensions: { requested: extensionsToActivate(agent.card), activated: [] },
      ...(input.parentTaskId !== null && { parentTaskId: input.parentTaskId }),
      // If the sender disconnects or its run ends, the send no longer waits for the approval.
      approvalWaitMs: Number.POSITIVE_INFINITY,
    },
  });
  throwIfRefused(turn.last);
  return toSentTask(turn, caller);
}

/**
 * Reads the message of a send. Its id identifies the send and must therefore be unique.
 * @throws {ProtocolError} `invalid_params`
 */
function readMessage(params: JsonObject): SendInput['request'] {
  const request = readRequest(v10(), { id: undefined, method: 'SendMessage', params: withinLimits(params) });
  if (request.op !== 'send') throw new ProtocolError('invalid_params', 'message: expected an A2A 1.0 message');
  if (!isUuid(request.message.messageId)) {
    throw new ProtocolError(
      'invalid_params',
      'message.messageId: expected a UUID; use the same one when you send the message again',
    );
  }
  return { ...request, configuration: { returnImmediately: true } };
}

/** Checks the depth and the number of members, which are limited for stored data but not for frames. */
function withinLimits(params: JsonObject): JsonObject {
  try {
    return parseJson(JSON.stringify(params)) as JsonObject;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ProtocolError('parse_error', 'The message is nested too deep.');
  }
}

function toSentTask(turn: Turn, caller: CallerActor): SentTask {
  const { id: taskId, contextId } = turn.record;
  return {
    taskId,
    contextId,
    task: taskInV10(turn.task),
    events: (signal) => followTurn(turn, { caller, dialect: v10(), signal }),
    outcome: (signal) => outcomeOf(turn, signal),
  };
}

/** Returns the state and the text at the end of the turn. An error becomes a failed state with its text. */
async function outcomeOf(turn: Turn, signal: AbortSignal): Promise<{ state: TaskState; text: string }> {
  try {
    await waitForTurnEnd(turn, { signal }, MAX_DELEGATION_WAIT_MS);
    const { task, events } = await loadTask(turn.record);
    const last = events.at(-1)?.event;
    throwIfRefused(last);
    if (last?.type === 'reply') return { state: 'completed', text: joinedText(last.message.parts) };
    return { state: task.status.state, text: answerOf(task) };
  } catch (error) {
    if (error instanceof ParleyError) return { state: 'failed', text: error.message };
    log.warn('hub.send_failed', { taskId: turn.record.id, ...errorFields(error) });
    return { state: 'failed', text: 'Something went wrong on our side.' };
  }
}

function answerOf({ artifacts, status }: Task): string {
  const texts = [...artifacts.map(({ parts }) => joinedText(parts)), joinedText(status.message?.parts ?? [])];
  return texts.filter((text) => text !== '').join('\n\n');
}

interface Follow {
  caller: CallerActor;
  dialect: Dialect;
  signal: AbortSignal;
}

/**
 * Yields the events after the turn's start in the dialect, until the turn ends or `signal` aborts.
 * @throws {ParleyError} the reason why the turn failed without a response from the agent
 * @throws {HubError} `caller_ended` if the caller's credential ends
 */
async function* followTurn(turn: Turn, { caller, dialect, signal }: Follow): AsyncGenerator<JsonObject> {
  if (endsTurn(turn.task.status.state)) return;
  const { id: taskId, contextId } = turn.record;
  const credential = new AbortController();
  const ended = childController(signal);
  const end = (): void => {
    credential.abort();
    ended.abort();
  };
  const unsubscribe = onCredentialChange(caller, end);
  try {
    for await (const { seq, event } of eventsAfter(turn, ended.signal)) {
      throwIfRefused(event);
      const item = dialect.event(event, { taskId, contextId }, seq);
      if (isObject(item)) yield item;
      if (eventEndsTurn(event)) return;
    }
    if (credential.signal.aborted)
      throw new HubError('caller_ended', 'The token or session that sent the task has expired or was revoked.');
  } finally {
    unsubscribe();
    ended.abort();
  }
}

/** Yields the events, and continues after the database was unavailable. */
async function* eventsAfter({ record, seq }: Turn, signal: AbortSignal): AsyncGenerator<StoredEvent> {
  let after = seq;
  while (!signal.aborted) {
    try {
      for await (const batch of tailTask(record, after, { signal })) {
        for (const stored of batch) {
          after = stored.seq;
          yield stored;
        }
      }
      return;
    } catch (error) {
      log.warn('hub.follow_failed', { taskId: record.id, ...errorFields(error) });
      await sleep(FOLLOW_RETRY_MS, signal).catch(() => undefined);
    }
  }
}

async function cancel({ from, taskId }: { from: CallingAgent; taskId: string }): Promise<JsonObject> {
  const now = new Date();
  const { agent, caller } = await callerOfSentTask(from, taskId, now);
  const ctx: Ctx = { actor: caller, requestId: newId('req'), signal: new AbortController().signal, now };
  return taskInV10(await cancelTask({ ctx, input: { agent, taskId } }));
}

/** Returns the dialect of the A2A objects in the hub's frames. */
function v10(): Dialect {
  return chooseDialect('SendMessage', '1.0');
}

/** Returns a task in A2A 1.0. */
function taskInV10(task: Task): JsonObject {
  const written = v10().taskResult(task);
  return isObject(written) ? written : {};
}
