export { cancelTurn } from './cancel-turn';
export { deleteConversation } from './delete-conversation';
export { followThread, type SeenUpdate } from './follow-thread';
export { getChatAgent } from './get-chat-agent';
export { getThread } from './get-thread';
export { listConversations } from './list-conversations';
export { postMessage } from './post-message';
export { renameConversation } from './rename-conversation';
export { eraseConversations } from './store';
