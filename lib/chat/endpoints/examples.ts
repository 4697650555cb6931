import { endpoint } from '../../http/endpoint';
import { listOf } from '../../platform/schema';
import { deleteExample, draftExample, getExample, listExampleTasks, publishExample } from '..';
import {
  exampleDraftSchema,
  exampleInputSchema,
  exampleSchema,
  exampleTaskSchema,
  exampleViewSchema,
} from '../schema-examples';

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
