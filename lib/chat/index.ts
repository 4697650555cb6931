export { getChatAgent, listNeeds } from './conversations/chat-agent';
export {
  changeConversation,
  deleteConversation,
  eraseDeletedConversations,
  keepGuestConversations,
  listChatUsers,
  listConversations,
} from './conversations/conversations';
export { indexIdleConversations, searchMessages } from './conversations/search-messages';
export { countGuestMessages, getGuestTurnsLeft, pruneGuestTurns } from './guests/guest-turns';
export {
  deleteExample,
  draftExample,
  findExample,
  getExample,
  listExampleTasks,
  listOwnExamples,
  publishExample,
} from './sharing/examples';
export { EXPORT_SCHEMA_PATH, exportJson, exportJsonSchema, exportMarkdown } from './sharing/export-conversation';
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
export { eraseConversations } from './store/erase-conversations';
export { setExampleHidden, setShareDisabled } from './store/share-rows';
export { cancelConversationTask, getArtifactPage, getHttpTrace, signImageUrl } from './thread/agent-answers';
export { postMessage } from './thread/post-message';
export { followThread, getThread, type SeenUpdate } from './thread/read-thread';
