import { getConversation, getConversations, patchConversation, removeConversation } from '../chat-conversations';
import { getConversationEvents } from '../chat-events';
import { cancelChatTask, postChatMessage } from '../chat-messages';
import type { Row } from '../row';

export const chatRows: Row[] = [
  { method: 'GET', path: '/api/chat/conversations', endpoint: getConversations },
  { method: 'GET', path: '/api/chat/conversations/:id', endpoint: getConversation },
  { method: 'PATCH', path: '/api/chat/conversations/:id', endpoint: patchConversation },
  { method: 'DELETE', path: '/api/chat/conversations/:id', endpoint: removeConversation },
  { method: 'GET', path: '/api/chat/conversations/:id/events', endpoint: getConversationEvents },
  { method: 'POST', path: '/api/chat/messages', endpoint: postChatMessage },
  { method: 'POST', path: '/api/chat/tasks/:id/cancel', endpoint: cancelChatTask },
];
