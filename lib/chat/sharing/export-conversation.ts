import { z } from 'zod';
import type { AgentRecord } from '../../catalog';
import { consume } from '../../limits';
import type { Call, Ctx } from '../../platform/context';
import { env } from '../../platform/runtime/env';
import { foldTask, type TaskEvent } from '../../protocol/a2a/core/events';
import type { Message, Part } from '../../protocol/a2a/core/model';
import { type ContextTask, listContextTasks, readContextTasks, redactSecrets } from '../../tasks';
import { MAX_EXPORT_FILE_NAME_LENGTH } from '../limits';
import { EXPORT_LIMIT } from '../rate-limits';
import { loadThread } from '../thread/load-thread';
import { mergeTextParts, redactSecretsIn } from './redact';

const filePart = { filename: z.string().optional(), mediaType: z.string().optional() };

const partSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string(), ...filePart }),
  z.object({ kind: z.literal('bytes'), bytes: z.string().describe('The content of the file, base64'), ...filePart }),
  z.object({ kind: z.literal('uri'), uri: z.string(), ...filePart }),
  z.object({ kind: z.literal('data'), data: z.unknown().describe('Any JSON value'), ...filePart }),
]);

const messageSchema = z.object({
  messageId: z.string(),
  role: z.enum(['user', 'agent']),
  parts: z.array(partSchema),
});

const taskSchema = z.object({
  id: z.string(),
  createdAt: z.string().describe('ISO 8601, UTC'),
  state: z.string(),
  messages: z.array(messageSchema),
  artifacts: z.array(z.object({ artifactId: z.string(), name: z.string().optional(), parts: z.array(partSchema) })),
});

/** The JSON of `GET /api/chat/conversations/{id}/export?format=json`; published as JSON Schema. */
export const conversationExportSchema = z.object({
  $schema: z.string(),
  version: z.literal(1),
  exportedAt: z.string().describe('ISO 8601, UTC'),
  conversation: z.object({
    id: z.string(),
    title: z.string(),
    agent: z.object({ slug: z.string(), name: z.string() }),
  }),
  branches: z
    .array(
      z.object({
        id: z.string(),
        insteadOf: z
          .object({ branch: z.string(), task: z.string() })
          .nullable()
          .describe('The task that this branch replaces; null for the first branch'),
        tasks: z.array(taskSchema),
      }),
    )
    .describe('The original branch, then the branches started by edited messages, oldest first'),
});
type ConversationExport = z.infer<typeof conversationExportSchema>;

/** Returns the JSON Schema (2020-12) of exports. */
export function exportJsonSchema(id: string): object {
  return { $id: id, ...z.toJSONSchema(conversationExportSchema) };
}

/** Path of the JSON Schema for exports. */
export const EXPORT_SCHEMA_PATH = '/api/chat/export-schema.json';

interface ExportInput {
  id: string;
  /** The branch to export as Markdown. JSON contains all branches. */
  branch?: string | null;
}

interface ExportFile {
  name: string;
  mediaType: string;
  text: string;
}

type ExportedTask = ConversationExport['branches'][number]['tasks'][number];
type ExportedPart = ExportedTask['messages'][number]['parts'][number];

/**
 * Exports a conversation with all branches and files as JSON that conforms to the published schema. Secrets are
 * redacted.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`, `rate_limited`
 */
export async function exportJson({ ctx, input }: Call<ExportInput>): Promise<ExportFile> {
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
 * Exports one branch as Markdown, with files as data URLs. Secrets are redacted.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`, `rate_limited`
 */
export async function exportMarkdown({ ctx, input }: Call<ExportInput>): Promise<ExportFile> {
  const { conversation, agent, caller, tasks } = await loadThread(ctx, input);
  await consume(EXPORT_LIMIT, caller.principal, ctx.now);
  const exportedTasks = await readTasks({ ...ctx, actor: caller }, agent, tasks);
  const title = oneLine(redactSecrets(conversation.title));
  const head = `# ${title}\n\nA conversation with ${oneLine(agent.name)} (${agent.slug}), exported ${ctx.now.toISOString()}.`;
  return {
    name: `${fileNameOf(conversation.title)}.md`,
    mediaType: 'text/markdown',
    text: `${[head, ...exportedTasks.flatMap((task) => sectionsOf(task, agent.name))].join('\n\n')}\n`,
  };
}

async function readTasks(reader: Ctx, agent: AgentRecord, taskRefs: { id: string }[]): Promise<ExportedTask[]> {
  const taskIds = taskRefs.map(({ id }) => id);
  return (await readContextTasks({ ctx: reader, input: { agent, taskIds } })).map(toTask);
}

function toTask({ id, createdAt, events }: ContextTask): ExportedTask {
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
      parts: mergeTextParts(parts).map(toPart),
    })),
  };
}

function toPart(part: Part): ExportedPart {
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

/** Returns the title as a portable file name: letters, digits and dashes. */
function fileNameOf(title: string): string {
  const name = title
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name.slice(0, MAX_EXPORT_FILE_NAME_LENGTH).toLowerCase() || 'conversation';
}

/** Returns a task as Markdown, with one section per message and per artifact. */
function sectionsOf({ createdAt, state, messages, artifacts }: ExportedTask, agentName: string): string[] {
  const messageSections = messages.map(({ role, parts }, at) => {
    const time = at === 0 ? `, ${createdAt}` : '';
    return `## ${role === 'user' ? 'You' : oneLine(agentName)}${time}\n\n${parts.map(partText).join('\n\n')}`;
  });
  const artifactSections = artifacts.map(
    ({ name, parts }) =>
      `## ${oneLine(agentName)}${name ? `: ${oneLine(name)}` : ''}\n\n${parts.map(partText).join('\n\n')}`,
  );
  return [...messageSections, ...artifactSections, ...(state === 'completed' ? [] : [`*The task is ${state}.*`])];
}

function partText(part: ExportedPart): string {
  const name = oneLine(part.filename ?? 'file').replace(/[[\]]/g, '');
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'bytes':
      return `[${name}](data:${part.mediaType ?? 'application/octet-stream'};base64,${part.bytes})`;
    case 'uri':
      return `[${name}](<${part.uri.replace(/[<>\s]/g, '')}>)`;
    case 'data':
      return `\`\`\`json\n${JSON.stringify(part.data, null, 2)}\n\`\`\``;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
