export { cancelConversationTask, getArtifactPage, getHttpTrace, signImageUrl } from './agent-answers';
export { getChatAgent } from './chat-agent';
export { changeConversation, deleteConversation, listChatUsers, listConversations } from './conversations';
export { eraseDeletedConversations } from './erase-deleted';
export {
  deleteExample,
  draftExample,
  findExample,
  getExample,
  listExampleTasks,
  listOwnExamples,
  publishExample,
} from './examples';
export { EXPORT_SCHEMA_PATH, exportJson, exportMarkdown } from './export-conversation';
export { exportJsonSchema } from './export-schema';
export { getFeedbackCounts, giveFeedback, listOwnFeedback, withdrawFeedback } from './feedback';
export { postMessage } from './post-message';
export { followThread, getThread, type SeenUpdate } from './read-thread';
export { indexIdleConversations } from './search-index';
export { searchMessages } from './search-messages';
export {
  findShare,
  getSharedThread,
  listOwnShares,
  listShares,
  previewShare,
  revokeShare,
  shareConversation,
} from './shares';
export { eraseConversations } from './store/conversations';
export { setExampleHidden } from './store/examples';
export { setShareDisabled } from './store/shares';
