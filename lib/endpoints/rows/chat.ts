import { z } from 'zod';
import { conversationAnswer, postedMessage } from '../answers/chat';
import { anyObject, pageOf } from '../answers/common';
import {
  getConversation,
  getConversations,
  patchConversation,
  removeConversation,
  searchChat,
} from '../chat-conversations';
import { getConversationEvents } from '../chat-events';
import { getConversationExport, getExportSchema } from '../chat-export';
import { getAgentFeedback, putFeedback, removeFeedback } from '../chat-feedback';
import { cancelChatTask, getTaskWire, postChatMessage } from '../chat-messages';
import { getTaskPage } from '../chat-pages';
import { getSharePreview, getShares, postShare, removeShare } from '../chat-shares';
import type { Row } from '../row';

export const chatRows: Row[] = [
  {
    method: 'GET',
    path: '/api/chat/conversations',
    endpoint: getConversations,
    about: {
      part: 'Chat',
      summary: 'List your conversations',
      query: z.object({ cursor: z.string().optional() }),
      answer: pageOf(conversationAnswer),
    },
  },
  {
    method: 'GET',
    path: '/api/chat/conversations/:id',
    endpoint: getConversation,
    about: { part: 'Chat', summary: 'Read a conversation', answer: anyObject },
  },
  {
    method: 'PATCH',
    path: '/api/chat/conversations/:id',
    endpoint: patchConversation,
    about: { part: 'Chat', summary: 'Rename a conversation' },
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
      query: z.object({ after: z.string().optional() }),
      answer: anyObject,
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
    about: { part: 'Chat', summary: 'Stop a task', status: 202 },
  },
  {
    method: 'GET',
    path: '/api/chat/conversations/:id/shares',
    endpoint: getShares,
    about: { part: 'Chat', summary: 'List the links to a conversation', answer: anyObject },
  },
  {
    method: 'POST',
    path: '/api/chat/conversations/:id/shares',
    endpoint: postShare,
    about: { part: 'Chat', summary: 'Share a conversation by a link', answer: anyObject, status: 201 },
  },
  {
    method: 'GET',
    path: '/api/chat/conversations/:id/shares/preview',
    endpoint: getSharePreview,
    about: { part: 'Chat', summary: 'See what a link would show', answer: anyObject },
  },
  {
    method: 'DELETE',
    path: '/api/chat/shares/:id',
    endpoint: removeShare,
    about: { part: 'Chat', summary: 'Revoke a link to a conversation' },
  },
  {
    method: 'GET',
    path: '/api/chat/conversations/:id/export',
    endpoint: getConversationExport,
    about: { part: 'Chat', summary: 'Export a conversation', answer: anyObject },
  },
  {
    method: 'GET',
    path: '/api/chat/export-schema.json',
    endpoint: getExportSchema,
    about: { part: 'Chat', summary: 'Read the schema of exported conversations', answer: anyObject },
  },
  {
    method: 'GET',
    path: '/api/chat/tasks/:id/page',
    endpoint: getTaskPage,
    about: { part: 'Chat', summary: 'Read the HTML of an artifact, for a closed frame', media: 'text/html' },
  },
  {
    method: 'GET',
    path: '/api/chat/tasks/:id/wire',
    endpoint: getTaskWire,
    about: { part: 'Chat', summary: 'See what went over the wire for a task', answer: anyObject },
  },
  {
    method: 'GET',
    path: '/api/chat/search',
    endpoint: searchChat,
    about: { part: 'Chat', summary: 'Search what was said in your conversations', answer: anyObject },
  },
  {
    method: 'PUT',
    path: '/api/chat/tasks/:id/feedback/:seq',
    endpoint: putFeedback,
    about: { part: 'Chat', summary: 'Say whether an answer was good' },
  },
  {
    method: 'DELETE',
    path: '/api/chat/tasks/:id/feedback/:seq',
    endpoint: removeFeedback,
    about: { part: 'Chat', summary: 'Take back what you said of an answer' },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/feedback',
    endpoint: getAgentFeedback,
    about: { part: 'Chat', summary: 'Read what people said of your agent’s answers', answer: anyObject },
  },
];
