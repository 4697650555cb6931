import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { jsonResponse, respond } from '../../http/respond';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { anyObject, listOf } from '../../platform/schema';
import {
  deleteExample,
  draftExample,
  EXPORT_SCHEMA_PATH,
  exportJson,
  exportJsonSchema,
  exportMarkdown,
  getExample,
  listExampleTasks,
  listShares,
  previewShare,
  publishExample,
  revokeShare,
  shareConversation,
} from '..';
import {
  createdShareSchema,
  createShareSchema,
  exampleDraftSchema,
  exampleInputSchema,
  exampleSchema,
  exampleTaskSchema,
  exampleViewSchema,
  sharePreviewSchema,
  shareViewSchema,
} from '../schema-shares';

export const getConversationExport = endpoint({
  method: 'GET',
  path: '/api/chat/conversations/:id/export',
  auth: 'session',
  query: z.object({
    format: z
      .string()
      .meta({ enum: ['markdown', 'json'] })
      .optional(),
    branch: z.string().optional(),
  }),
  mediaType: 'text/markdown',
  docs: {
    tag: 'Chat',
    summary: 'Export a conversation',
    description: 'JSON follows `/api/chat/export-schema.json` and contains every branch; Markdown contains one.',
  },
  handle: async ({ ctx, query: { format, branch }, params: { id = '' } }) => {
    const { name, mediaType, text } = await writerOf(format)({ ctx, input: { id, branch } });
    return respond(200, text, {
      'content-type': `${mediaType}; charset=utf-8`,
      'content-disposition': `attachment; filename="${name}"`,
      'x-content-type-options': 'nosniff',
    });
  },
});

/** The schema of JSON exports (JSON Schema 2020-12). */
export const getExportSchema = endpoint({
  method: 'GET',
  path: '/api/chat/export-schema.json',
  auth: 'anyone',
  response: anyObject,
  docs: { tag: 'Chat', summary: 'Get the schema of exports' },
  handle: async () => exportJsonSchema(`${env().APP_URL}${EXPORT_SCHEMA_PATH}`),
});

function writerOf(format: string | undefined): typeof exportJson {
  if (format === 'json') return exportJson;
  if (format === 'markdown' || format === undefined) return exportMarkdown;
  throw new ParleyError('invalid_request', `format: found "${format.slice(0, 40)}"; expected markdown or json.`);
}

export const getSharePreview = endpoint({
  method: 'GET',
  path: '/api/chat/conversations/:id/shares/preview',
  auth: 'session',
  query: z.object({ branch: z.string().optional(), until: z.string().optional() }),
  response: sharePreviewSchema,
  docs: { tag: 'Chat', summary: 'Preview a link' },
  handle: ({ ctx, query, params: { id = '' } }) => previewShare({ ctx, input: { ...query, id } }),
});

export const getShares = endpoint({
  method: 'GET',
  path: '/api/chat/conversations/:id/shares',
  auth: 'session',
  response: listOf(shareViewSchema),
  docs: { tag: 'Chat', summary: 'List the links to a conversation' },
  handle: ({ ctx, params: { id = '' } }) => listShares({ ctx, input: { id } }),
});

export const postShare = endpoint({
  method: 'POST',
  path: '/api/chat/conversations/:id/shares',
  auth: 'session',
  body: createShareSchema,
  response: createdShareSchema,
  status: 201,
  errors: ['conflict', 'rate_limited'],
  docs: {
    tag: 'Chat',
    summary: 'Create a link to a conversation',
    description: 'Requires the `tasks` from a preview. The URL is returned only once.',
  },
  handle: async ({ ctx, input, params: { id = '' } }) =>
    jsonResponse(await shareConversation({ ctx, input: { ...input, id } }), { status: 201 }),
});

export const removeShare = endpoint({
  method: 'DELETE',
  path: '/api/chat/shares/:id',
  auth: 'session',
  docs: { tag: 'Chat', summary: 'Revoke a link' },
  handle: async ({ ctx, params: { id = '' } }) => {
    await revokeShare({ ctx, input: { id } });
    return undefined;
  },
});

export const getAgentExample = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/example',
  auth: 'anyone',
  response: exampleSchema,
  errors: ['not_found', 'gone'],
  docs: { tag: 'Agents', summary: 'Read the example conversation of an agent' },
  handle: ({ ctx, params: { slug = '' } }) => getExample({ ctx, input: { slug } }),
});

export const getExampleTasks = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/example/tasks',
  auth: 'session',
  response: listOf(exampleTaskSchema),
  errors: ['not_found', 'gone', 'rate_limited'],
  docs: {
    tag: 'Agents',
    summary: 'List your tasks that can become the example',
    description: 'For developers of the agent: their own latest completed tasks with it.',
  },
  handle: ({ ctx, params: { slug = '' } }) => listExampleTasks({ ctx, input: { slug } }),
});

export const getExampleDraft = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/example/tasks/:id',
  auth: 'session',
  response: exampleDraftSchema,
  errors: ['not_found', 'gone', 'task_not_found', 'conflict', 'rate_limited'],
  docs: {
    tag: 'Agents',
    summary: 'Draft an example from one of your tasks',
    description:
      'Returns the text messages of the task. Secrets, email addresses, phone and card numbers are masked. Review them before you publish.',
  },
  handle: ({ ctx, params: { slug = '', id = '' } }) => draftExample({ ctx, input: { slug, taskId: id } }),
});

export const putAgentExample = endpoint({
  method: 'PUT',
  path: '/api/agents/:slug/example',
  auth: 'session',
  body: exampleInputSchema,
  response: exampleViewSchema,
  errors: ['not_found', 'gone', 'task_not_found', 'conflict', 'rate_limited'],
  docs: {
    tag: 'Agents',
    summary: 'Publish or replace the example conversation',
    description: 'Messages of the draft by position, with your edits to their texts. They are masked again.',
  },
  handle: ({ ctx, input, params: { slug = '' } }) => publishExample({ ctx, input: { ...input, slug } }),
});

export const removeAgentExample = endpoint({
  method: 'DELETE',
  path: '/api/agents/:slug/example',
  auth: 'session',
  errors: ['not_found', 'gone', 'rate_limited'],
  docs: { tag: 'Agents', summary: 'Remove the example conversation' },
  handle: async ({ ctx, params: { slug = '' } }) => {
    await deleteExample({ ctx, input: { slug } });
    return undefined;
  },
});
