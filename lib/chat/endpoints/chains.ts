import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { jsonResponse } from '../../http/respond';
import { answerDelegatedTask, decideApproval, getChain, stopChain } from '../../tasks';
import { answerChainTaskSchema, chainViewSchema, decideApprovalSchema } from '../../tasks/schema-chains';

export const getTaskChain = endpoint({
  method: 'GET',
  path: '/api/chat/chains/:id',
  auth: 'session',
  response: chainViewSchema,
  docs: {
    tag: 'Chat',
    summary: 'Get the agent calls made for a task',
    description: 'The calls that the task’s agent, and the agents it called, made on your behalf.',
  },
  handle: ({ ctx, params: { id = '' } }) => getChain({ ctx, input: { rootTaskId: id } }),
});

export const stopTaskChain = endpoint({
  method: 'POST',
  path: '/api/chat/chains/:id/stop',
  auth: 'session',
  response: z.object({ canceled: z.int() }),
  status: 202,
  docs: { tag: 'Chat', summary: 'Stop a task and all agent calls made for it' },
  handle: async ({ ctx, params: { id = '' } }) =>
    jsonResponse(await stopChain({ ctx, input: { rootTaskId: id } }), { status: 202 }),
});

export const decideChainApproval = endpoint({
  method: 'POST',
  path: '/api/chat/chains/:id/approvals/:approval',
  auth: 'session',
  body: decideApprovalSchema,
  response: chainViewSchema,
  errors: ['conflict'],
  docs: { tag: 'Chat', summary: 'Allow or deny a call to another agent' },
  handle: ({ ctx, input, params: { id = '', approval = '' } }) =>
    decideApproval({ ctx, input: { ...input, rootTaskId: id, approvalId: approval } }),
});

export const postChainTaskMessage = endpoint({
  method: 'POST',
  path: '/api/chat/chains/:id/tasks/:task/messages',
  auth: 'session',
  body: answerChainTaskSchema,
  response: z.object({ taskId: z.string() }),
  status: 202,
  errors: ['task_not_found', 'task_busy', 'unsupported_operation'],
  docs: { tag: 'Chat', summary: 'Reply to an agent that another agent called' },
  handle: async ({ ctx, input, params: { id = '', task = '' } }) =>
    jsonResponse(await answerDelegatedTask({ ctx, input: { ...input, rootTaskId: id, taskId: task } }), {
      status: 202,
    }),
});
