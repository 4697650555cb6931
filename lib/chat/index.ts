export { getChatAgent } from './conversations/chat-agent';
export {
  changeConversation,
  deleteConversation,
  listChatUsers,
  listConversations,
} from './conversations/conversations';
export { eraseDeletedConversations } from './conversations/erase-deleted';
export { EXPORT_SCHEMA_PATH, exportJson, exportMarkdown } from './conversations/export-conversation';
export { indexIdleConversations } from './conversations/search-index';
export { searchMessages } from './conversations/search-messages';
export { exportJsonSchema } from './export-schema';
export {
  deleteExample,
  draftExample,
  findExample,
  getExample,
  listExampleTasks,
  listOwnExamples,
  publishExample,
} from './sharing/examples';
export { getFeedbackCounts, giveFeedback, listOwnFeedback, withdrawFeedback } from './sharing/feedback';
export {
  findShare,
  getSharedThread,
  listOwnShares,
  listShares,
  previewShare,
  revokeShare,
  shareConversation,
} from './sharing/shares';
export { eraseConversations } from './store/conversation-rows';
export { setExampleHidden } from './store/example-rows';
export { setShareDisabled } from './store/share-rows';
export { cancelConversationTask, getArtifactPage, getHttpTrace, signImageUrl } from './thread/agent-answers';
export { postMessage } from './thread/post-message';
export { followThread, getThread, type SeenUpdate } from './thread/read-thread';
