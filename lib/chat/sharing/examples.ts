import { type AgentRecord, findAgent, findAgentById, hasRole, requireRole, requireVisible } from '../../catalog';
import { authorize } from '../../identity';
import { consume } from '../../limits';
import type { Call, CallerActor, Ctx, UserActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { cleanText, truncate } from '../../protocol/a2a/cards/clean-text';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import { addToTimeline, emptyTimeline } from '../../protocol/a2a/core/task-timeline';
import { listTasks, readContextTasks, taskNotFound } from '../../tasks';
import { callerOf } from '../../tokens';
import { EXAMPLE_TASKS, EXAMPLE_TITLE_LENGTH, MAX_EXAMPLE_TEXT_LENGTH, MAX_EXAMPLE_TURNS } from '../limits';
import { EXAMPLE_LIMIT } from '../rate-limits';
import type { AgentExample, ExampleDraft, ExampleInput, ExampleTask, ExampleTurn, ExampleView } from '../schema-shares';
import {
  type ExampleRecord,
  removeExample,
  selectExample,
  selectExampleById,
  selectExamplesBy,
  upsertExample,
} from '../store/share-rows';
import { redactExample } from './redact';
import { toSharedThread } from './to-shared-thread';

interface OfAgent {
  ctx: Ctx;
  input: { slug: string };
}

/**
 * Returns the example conversation on an agent's page, visible to every actor who may see the agent.
 * @throws {ParleyError} `not_found`, `gone`
 */
export async function getExample({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string };
}): Promise<AgentExample> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const found = await selectExample(agent.id);
  const mayChoose = hasRole(ctx.actor, agent, 'developer');
  const isRemoved = found !== null && found.hiddenAt !== null;
  return { example: found && !isRemoved ? toExampleView(found) : null, mayChoose, isRemoved: mayChoose && isRemoved };
}

/**
 * Lists the user's latest completed tasks with the agent, from which the example can be chosen.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for viewers of the team, `not_found` (also for users outside of
 *   it), `gone`, `rate_limited`
 */
export async function listExampleTasks({ ctx, input }: OfAgent): Promise<{ items: ExampleTask[] }> {
  const { agent, reader } = await requireDeveloper(ctx, input.slug);
  const filter = { state: 'completed' as const, pageSize: EXAMPLE_TASKS, includeArtifacts: false };
  const { tasks } = await listTasks({ ctx: reader, input: { agent, filter } });
  const items = tasks.map(({ id, history, createdAt, status }) => {
    const parts = history.find(({ role }) => role === 'user')?.parts ?? [];
    const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join(' ');
    const at = createdAt ?? status.timestamp ?? ctx.now.toISOString();
    return { id, text: truncate(cleanText(redactExample(text)), EXAMPLE_TITLE_LENGTH), at };
  });
  return { items };
}

/**
 * Returns the redacted texts of one of the user's completed tasks, for review and editing before publication.
 * @throws {ParleyError} as {@link listExampleTasks}; `task_not_found` (also for tasks of other users or agents);
 *   `conflict` for a task that is not completed or has no text
 */
export async function draftExample({ ctx, input }: Call<{ slug: string; taskId: string }>): Promise<ExampleDraft> {
  const { agent, reader } = await requireDeveloper(ctx, input.slug);
  return { taskId: input.taskId, turns: await readTurns(reader, agent, input.taskId) };
}

/**
 * Publishes a reviewed draft as the agent's example conversation, and replaces an earlier one. Redacts its texts again,
 * and takes the author of each message from the task.
 * @throws {ParleyError} as {@link draftExample}; `invalid_request` for messages that the task does not have;
 *   `conflict`, also if moderation removed the current one
 */
export async function publishExample({ ctx, input }: Call<ExampleInput & { slug: string }>): Promise<ExampleView> {
  const { agent, reader, user } = await requireDeveloper(ctx, input.slug);
  const draft = await readTurns(reader, agent, input.taskId);
  const turns = input.turns.map(({ at, text }): ExampleTurn => {
    const role = draft[at]?.role;
    if (!role) throw new ParleyError('invalid_request', 'turns: the task has no such message. Read the draft again.');
    return { role, text: redactExample(text) };
  });
  const published = await upsertExample({
    id: newId('exm'),
    agentId: agent.id,
    authorId: user.userId,
    taskId: input.taskId,
    turns,
    publishedAt: ctx.now,
  });
  if (!published) {
    throw new ParleyError('conflict', 'Moderators took down this agent’s example conversation. It can’t be replaced.');
  }
  return toExampleView(published);
}

/**
 * Removes the agent's example conversation.
 * @throws {ParleyError} as {@link listExampleTasks}; `not_found`, also if there is none
 */
export async function deleteExample({ ctx, input }: OfAgent): Promise<void> {
  const { agent } = await requireDeveloper(ctx, input.slug);
  if (!(await removeExample(agent.id))) throw exampleNotFound();
}

/**
 * Lists the example conversations that the user published, for the account export.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export async function listOwnExamples({ ctx }: { ctx: Ctx }): Promise<object[]> {
  const examples = await selectExamplesBy(authorize(ctx.actor, 'session').userId);
  return Promise.all(
    examples.map(async (example) => {
      const agent = await findAgentById(example.agentId);
      return { agent: agent?.slug ?? example.agentId, taskId: example.taskId, ...toExampleView(example) };
    }),
  );
}

/** Returns an example conversation for moderation; null if it is unknown or removed. Does not check visibility. */
export async function findExample(
  id: string,
): Promise<Pick<ExampleRecord, 'id' | 'agentId' | 'authorId' | 'turns'> | null> {
  const found = await selectExampleById(id);
  return found && found.hiddenAt === null ? found : null;
}

interface Developer {
  agent: AgentRecord;
  user: UserActor;
  /** Reads the user's tasks with the agent. */
  reader: Ctx & { actor: CallerActor };
}

async function requireDeveloper(ctx: Ctx, slug: string): Promise<Developer> {
  const user = authorize(ctx.actor, 'session');
  const agent = requireRole(user, await findAgent(slug), 'developer');
  await consume(EXAMPLE_LIMIT, user.userId, ctx.now);
  return { agent, user, reader: { ...ctx, actor: callerOf(user, agent) } };
}

/** Returns the texts of a completed task by author; parts without text are omitted. */
async function readTurns(reader: Ctx, agent: AgentRecord, taskId: string): Promise<ExampleTurn[]> {
  const [task] = await readContextTasks({ ctx: reader, input: { agent, taskIds: [taskId] } });
  if (!task) throw taskNotFound(taskId);
  const events = task.events.map(({ event }) => event);
  if (!isCompleted(events)) throw new ParleyError('conflict', 'This task is not completed. Choose a completed one.');
  const { turns } = toSharedThread('', agent, [{ id: taskId, events }]);
  const texts = turns.flatMap(({ role, pieces }): ExampleTurn[] => {
    const parts = pieces.flatMap((piece) =>
      piece.kind === 'part' && piece.part.kind === 'text' ? [piece.part.text] : [],
    );
    const text = cleanText(redactExample(parts.join('\n\n')));
    return text === '' ? [] : [{ role, text: truncate(text, MAX_EXAMPLE_TEXT_LENGTH) }];
  });
  if (texts.length === 0) throw new ParleyError('conflict', 'This task contains no text. Choose another one.');
  return texts.slice(0, MAX_EXAMPLE_TURNS);
}

function isCompleted(events: TaskEvent[]): boolean {
  const timeline = emptyTimeline();
  for (const [at, event] of events.entries()) addToTimeline(timeline, at + 1, event);
  return timeline.state === 'completed';
}

function toExampleView({ id, turns, publishedAt }: ExampleRecord): ExampleView {
  return { id, turns, publishedAt: publishedAt.toISOString() };
}

function exampleNotFound(): ParleyError {
  return new ParleyError('not_found', 'This agent has no example conversation.');
}
