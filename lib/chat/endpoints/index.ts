import type { Endpoint } from '../../http/endpoint';
import { decideChainApproval, getTaskChain, postChainTaskMessage, stopTaskChain } from './chains';
import {
  getConversation,
  getConversationEvents,
  getConversations,
  patchConversation,
  removeConversation,
  searchChat,
} from './conversations';
import { getAgentExample, getExampleDraft, getExampleTasks, putAgentExample, removeAgentExample } from './examples';
import {
  getConversationExport,
  getExportSchema,
  getSharePreview,
  getShares,
  postShare,
  removeShare,
} from './export-and-share';
import {
  cancelChatTask,
  getAgentFeedback,
  getTaskHttpTrace,
  postChatMessage,
  putFeedback,
  removeFeedback,
} from './messages';
import { getDiagramFrame, getDiagramScript, getTaskPage, postImageUrl } from './sandboxed-frames';

export const chatEndpoints: Endpoint[] = [
  getConversations,
  getConversation,
  patchConversation,
  removeConversation,
  getConversationEvents,
  postChatMessage,
  cancelChatTask,
  getTaskChain,
  stopTaskChain,
  decideChainApproval,
  postChainTaskMessage,
  searchChat,
  getConversationExport,
  getExportSchema,
  getShares,
  getSharePreview,
  postShare,
  removeShare,
  getTaskPage,
  getDiagramFrame,
  getDiagramScript,
  postImageUrl,
  getTaskHttpTrace,
  putFeedback,
  removeFeedback,
  getAgentFeedback,
  getAgentExample,
  getExampleTasks,
  getExampleDraft,
  putAgentExample,
  removeAgentExample,
];
