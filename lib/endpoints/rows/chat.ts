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
  { method: 'GET', path: '/api/chat/conversations', endpoint: getConversations },
  { method: 'GET', path: '/api/chat/conversations/:id', endpoint: getConversation },
  { method: 'PATCH', path: '/api/chat/conversations/:id', endpoint: patchConversation },
  { method: 'DELETE', path: '/api/chat/conversations/:id', endpoint: removeConversation },
  { method: 'GET', path: '/api/chat/conversations/:id/events', endpoint: getConversationEvents },
  { method: 'GET', path: '/api/chat/conversations/:id/shares', endpoint: getShares },
  { method: 'POST', path: '/api/chat/conversations/:id/shares', endpoint: postShare },
  { method: 'GET', path: '/api/chat/conversations/:id/shares/preview', endpoint: getSharePreview },
  { method: 'DELETE', path: '/api/chat/shares/:id', endpoint: removeShare },
  { method: 'GET', path: '/api/chat/conversations/:id/export', endpoint: getConversationExport },
  { method: 'GET', path: '/api/chat/export-schema.json', endpoint: getExportSchema },
  { method: 'GET', path: '/api/chat/tasks/:id/page', endpoint: getTaskPage },
  { method: 'GET', path: '/api/chat/tasks/:id/wire', endpoint: getTaskWire },
  { method: 'GET', path: '/api/chat/search', endpoint: searchChat },
  { method: 'PUT', path: '/api/chat/tasks/:id/feedback/:seq', endpoint: putFeedback },
  { method: 'DELETE', path: '/api/chat/tasks/:id/feedback/:seq', endpoint: removeFeedback },
  { method: 'GET', path: '/api/agents/:slug/feedback', endpoint: getAgentFeedback },
  { method: 'POST', path: '/api/chat/messages', endpoint: postChatMessage },
  { method: 'POST', path: '/api/chat/tasks/:id/cancel', endpoint: cancelChatTask },
];
