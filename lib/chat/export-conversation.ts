import type { AgentRecord } from '../catalog';
import { type ContextTask, listContextTasks, readContextTasks, redactSecrets } from '../gateway';
import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import { env } from '../platform/env';
import { foldTask, type TaskEvent } from '../protocol/a2a/core/events';
import type { Message, Part } from '../protocol/a2a/core/model';
import type { ConversationExport } from './export-schema';
import { loadThread } from './load-thread';
import { EXPORT_LIMIT } from './policy';
import { redactSecretsIn } from './redact';
import { renderConversationMarkdown } from './render-markdown';

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
  const { conversation, agent, caller, branches } = await loadThread(ctx, { id: input.id });
  await consume(EXPORT_LIMIT, caller.principal, ctx.now);
  const reader: Ctx = { ...ctx, actor: caller };
  const versions = [
    { contextId: conversation.contextId, insteadOf: null },
    ...branches.map(({ contextId, forkContextId, forkTaskId }) => ({
      contextId,
      insteadOf: { branch: forkContextId, task: forkTaskId },
    })),
  ];
  const exportedBranches: ConversationExport['branches'] = [];
  for (const { contextId, insteadOf } of versions) {
    const taskRefs = await listContextTasks({ ctx: reader, input: { agent, contextId } });
    exportedBranches.push({ id: contextId, insteadOf, tasks: await readTasks(reader, agent, taskRefs) });
  }
  const conversationExport: ConversationExport = {
    $schema: `${env().APP_URL}${EXPORT_SCHEMA_PATH}`,
    version: 1,
    exportedAt: ctx.now.toISOString(),
    conversation: {
      id: conversation.id,
      title: redactSecrets(conversation.title),
      agent: { slug: agent.slug, name: agent.name },
    },
    branches: exportedBranches,
  };
  return {
    name: `${fileNameOf(conversation.title)}.json`,
    mediaType: 'application/json',
    text: JSON.stringify(conversationExport, null, 2),
  };
}

/**
 * One version of the conversation as Markdown; small files are in it as data links. Secrets are masked.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`, `rate_limited`
 */
export async function exportMarkdown({ ctx, input }: { ctx: Ctx; input: ExportInput }): Promise<ExportFile> {
  const { conversation, agent, caller, tasks } = await loadThread(ctx, input);
  await consume(EXPORT_LIMIT, caller.principal, ctx.now);
  const exportedTasks = await readTasks({ ...ctx, actor: caller }, agent, tasks);
  return {
    name: `${fileNameOf(conversation.title)}.md`,
    mediaType: 'text/markdown',
    text: renderConversationMarkdown({
      title: redactSecrets(conversation.title),
      agent,
      exportedAt: ctx.now,
      tasks: exportedTasks,
    }),
  };
}

async function readTasks(
  reader: Ctx,
  agent: AgentRecord,
  taskRefs: { id: string }[],
): Promise<ConversationExport['branches'][number]['tasks']> {
  const taskIds = taskRefs.map(({ id }) => id);
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
      parts: mergeTexts(parts).map(toPart),
    })),
  };
}

/** Chunks of one text are one text. */
function mergeTexts(parts: Part[]): Part[] {
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    const continues = part.kind === 'text' && last?.kind === 'text' && part.mediaType === last.mediaType;
    if (continues) merged[merged.length - 1] = { ...last, text: last.text + part.text };
    else merged.push(part);
  }
  return merged;
}

function toPart(
  part: Part,
): ConversationExport['branches'][number]['tasks'][number]['messages'][number]['parts'][number] {
  const { filename, mediaType } = part;
  const file = { ...(filename !== undefined && { filename }), ...(mediaType !== undefined && { mediaType }) };
  switch (part.kind) {
    case 'text':
      return { kind: 'text', text: redactSecrets(part.text), ...file };
    case 'bytes':
      return { kind: 'bytes', bytes: part.bytes, ...file };
    case 'uri':
      return { kind: 'uri', uri: redactSecrets(part.uri), ...file };
    case 'data':
      return { kind: 'data', data: redactSecretsIn(part.data), ...file };
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
