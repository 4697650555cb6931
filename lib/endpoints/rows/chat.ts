import { z } from 'zod';
import { conversationAnswer, postedMessage } from '../answers/chat';
import { pageOf } from '../answers/common';
import { taskState, threadView } from '../answers/thread';
import { getConversation, getConversations, patchConversation, removeConversation } from '../chat-conversations';
import { getConversationEvents } from '../chat-events';
import { cancelChatTask, postChatMessage } from '../chat-messages';
import type { Route } from '../route';
import { chatHistoryRoutes } from './chat-history';

export const chatRoutes: Route[] = [
  {
    method: 'GET',
    path: '/api/chat/conversations',
    endpoint: getConversations,
    docs: {
      tag: 'Chat',
      summary: 'List your conversations',
      query: z.object({ q: z.string().optional(), cursor: z.string().optional() }),
      response: pageOf(conversationAnswer),
    },
  },
  {
    method: 'GET',
    path: '/api/chat/conversations/:id',
    endpoint: getConversation,
    docs: {
      tag: 'Chat',
      summary: 'Read a conversation',
      description: 'The latest tasks of one branch; `before` a task has those before it, `at` a task all from it on.',
      query: z.object({ branch: z.string().optional(), before: z.string().optional(), at: z.string().optional() }),
      response: threadView,
    },
  },
  {
    method: 'PATCH',
    path: '/api/chat/conversations/:id',
    endpoint: patchConversation,
    docs: { tag: 'Chat', summary: 'Rename a conversation', response: conversationAnswer },
  },
  {
    method: 'DELETE',
    path: '/api/chat/conversations/:id',
    endpoint: removeConversation,
    docs: { tag: 'Chat', summary: 'Delete a conversation' },
  },
  {
    method: 'GET',
    path: '/api/chat/conversations/:id/events',
    endpoint: getConversationEvents,
    docs: {
      tag: 'Chat',
      summary: 'Follow a conversation',
      query: z.object({ branch: z.string().optional(), after: z.string().optional() }),
      mediaType: 'text/event-stream',
    },
  },
  {
    method: 'POST',
    path: '/api/chat/messages',
    endpoint: postChatMessage,
    docs: {
      tag: 'Chat',
      summary: 'Send a message',
      response: postedMessage,
      status: 202,
      problems: ['invalid_target', 'too_many_tasks'],
    },
  },
  {
    method: 'POST',
    path: '/api/chat/tasks/:id/cancel',
    endpoint: cancelChatTask,
    docs: { tag: 'Chat', summary: 'Stop a task', response: z.object({ state: taskState }), status: 202 },
  },
  ...chatHistoryRoutes,
];
