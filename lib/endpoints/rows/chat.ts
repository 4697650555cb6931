import { z } from 'zod';
import { conversationAnswer, postedMessage } from '../answers/chat';
import { pageOf } from '../answers/common';
import { taskState, threadView } from '../answers/thread';
import { getConversation, getConversations, patchConversation, removeConversation } from '../chat-conversations';
import { getConversationEvents } from '../chat-events';
import { cancelChatTask, postChatMessage } from '../chat-messages';
import type { Row } from '../row';
import { chatHistoryRows } from './chat-history';

export const chatRows: Row[] = [
  {
    method: 'GET',
    path: '/api/chat/conversations',
    endpoint: getConversations,
    about: {
      part: 'Chat',
      summary: 'List your conversations',
      query: z.object({ q: z.string().optional(), cursor: z.string().optional() }),
      answer: pageOf(conversationAnswer),
    },
  },
  {
    method: 'GET',
    path: '/api/chat/conversations/:id',
    endpoint: getConversation,
    about: {
      part: 'Chat',
      summary: 'Read a conversation',
      more: 'The latest tasks of one branch; `before` a task has those before it, `at` a task all from it on.',
      query: z.object({ branch: z.string().optional(), before: z.string().optional(), at: z.string().optional() }),
      answer: threadView,
    },
  },
  {
    method: 'PATCH',
    path: '/api/chat/conversations/:id',
    endpoint: patchConversation,
    about: { part: 'Chat', summary: 'Rename a conversation', answer: conversationAnswer },
  },
  {
    method: 'DELETE',
    path: '/api/chat/conversations/:id',
    endpoint: removeConversation,
    about: { part: 'Chat', summary: 'Delete a conversation' },
  },
  {
    method: 'GET',
    path: '/api/chat/conversations/:id/events',
    endpoint: getConversationEvents,
    about: {
      part: 'Chat',
      summary: 'Follow a conversation',
      query: z.object({ branch: z.string().optional(), after: z.string().optional() }),
      media: 'text/event-stream',
    },
  },
  {
    method: 'POST',
    path: '/api/chat/messages',
    endpoint: postChatMessage,
    about: {
      part: 'Chat',
      summary: 'Send a message',
      answer: postedMessage,
      status: 202,
      problems: ['invalid_target', 'too_many_tasks'],
    },
  },
  {
    method: 'POST',
    path: '/api/chat/tasks/:id/cancel',
    endpoint: cancelChatTask,
    about: { part: 'Chat', summary: 'Stop a task', answer: z.object({ state: taskState }), status: 202 },
  },
  ...chatHistoryRows,
];
