import type { AgentRecord } from '../catalog';
import { type ContextTask, listContextTasks, maskText, readContextTasks } from '../gateway';
import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import { env } from '../platform/env';
import { foldTask, type TaskEvent } from '../protocol/a2a/core/events';
import type { Message, Part } from '../protocol/a2a/core/model';
import type { ConversationExport } from './export-schema';
import { exportRule } from './policy';
import { maskValue } from './redact';
import { openThread } from './thread-place';
import { writeConversationMarkdown } from './write-markdown';

/** Where the schema of an export is. */
export const EXPORT_SCHEMA_PATH = '/api/chat/export-schema.json';

interface ExportInput {
  id: string;
  /** The version that Markdown tells; JSON has all. */
  branch?: string | null;
}

/** A file to save. */
export interface ExportFile {
  name: string;
  mediaType: string;
  text: string;
}

/**
 * The conversation with all of its branches as JSON that follows a published schema. Files are in it, secrets are masked.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`, `rate_limited`
 */
export async function exportJson({ ctx, input }: { ctx: Ctx; input: ExportInput }): Promise<ExportFile> {
  const { conversation, agent, caller, branches } = await openThread(ctx, { id: input.id });
  await consume(exportRule, caller.principal, ctx.now);
  const reader: Ctx = { ...ctx, actor: caller };
  const versions = [
    { contextId: conversation.contextId, insteadOf: null },
    ...branches.map(({ contextId, forkContextId, forkTaskId }) => ({
      contextId,
      insteadOf: { branch: forkContextId, task: forkTaskId },
    })),
  ];
  const told: ConversationExport['branches'] = [];
  for (const { contextId, insteadOf } of versions) {
    const places = await listContextTasks({ ctx: reader, input: { agent, contextId } });
    told.push({ id: contextId, insteadOf, tasks: await readTasks(reader, agent, places) });
  }
  const whole: ConversationExport = {
    $schema: `${env().APP_URL}${EXPORT_SCHEMA_PATH}`,
    version: 1,
    exportedAt: ctx.now.toISOString(),
    conversation: {
      id: conversation.id,
      title: maskText(conversation.title),
      agent: { slug: agent.slug, name: agent.name },
    },
    branches: told,
  };
  return {
    name: `${fileNameOf(conversation.title)}.json`,
    mediaType: 'application/json',
    text: JSON.stringify(whole, null, 2),
  };
}

/**
 * One version of the conversation as Markdown; small files are in it as data links. Secrets are masked.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`, `rate_limited`
 */
export async function exportMarkdown({ ctx, input }: { ctx: Ctx; input: ExportInput }): Promise<ExportFile> {
  const { conversation, agent, caller, tasks } = await openThread(ctx, input);
  await consume(exportRule, caller.principal, ctx.now);
  const told = await readTasks({ ...ctx, actor: caller }, agent, tasks);
  return {
    name: `${fileNameOf(conversation.title)}.md`,
    mediaType: 'text/markdown',
    text: writeConversationMarkdown({ title: maskText(conversation.title), agent, exportedAt: ctx.now, tasks: told }),
  };
}

async function readTasks(
  reader: Ctx,
  agent: AgentRecord,
  places: { id: string }[],
): Promise<ConversationExport['branches'][number]['tasks']> {
  const taskIds = places.map(({ id }) => id);
  return (await readContextTasks({ ctx: reader, input: { agent, taskIds } })).map(toTask);
}

function toTask({ id, createdAt, events }: ContextTask): ConversationExport['branches'][number]['tasks'][number] {
  const steps: TaskEvent[] = events.map(({ event }) => event);
  const task = foldTask({ id, contextId: '', createdAt: createdAt.toISOString() }, steps);
  return {
    id,
    createdAt: createdAt.toISOString(),
    state: task.status.state,
    messages: task.history.map(({ messageId, role, parts }: Message) => ({
      messageId,
      role,
      parts: parts.map(toPart),
    })),
    artifacts: task.artifacts.map(({ artifactId, name, parts }) => ({
      artifactId,
      ...(name !== undefined && { name }),
      parts: joinTexts(parts).map(toPart),
    })),
  };
}

/** Chunks of one text are one text. */
function joinTexts(parts: Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const continues = part.kind === 'text' && last?.kind === 'text' && part.mediaType === last.mediaType;
    if (continues) joined[joined.length - 1] = { ...last, text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

function toPart(
  part: Part,
): ConversationExport['branches'][number]['tasks'][number]['messages'][number]['parts'][number] {
  const { filename, mediaType } = part;
  const file = { ...(filename !== undefined && { filename }), ...(mediaType !== undefined && { mediaType }) };
  switch (part.kind) {
    case 'text':
      return { kind: 'text', text: maskText(part.text), ...file };
    case 'bytes':
      return { kind: 'bytes', bytes: part.bytes, ...file };
    case 'uri':
      return { kind: 'uri', uri: maskText(part.uri), ...file };
    case 'data':
      return { kind: 'data', data: maskValue(part.data), ...file };
  }
}

/** Letters and digits of a title; the rest is for other systems' sake a dash. */
function fileNameOf(title: string): string {
  const name = title
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name.slice(0, 60).toLowerCase() || 'conversation';
}
