import { z } from 'zod';
import { createdShare, feedbackCounts, feedbackView, searchResult, shareView, wireView } from '../answers/chat';
import { anyObject, listOf } from '../answers/common';
import { sharePreview } from '../answers/thread';
import { searchChat } from '../chat-conversations';
import { getConversationExport, getExportSchema } from '../chat-export';
import { getAgentFeedback, putFeedback, removeFeedback } from '../chat-feedback';
import { getTaskWire } from '../chat-messages';
import { getTaskPage, postImageUrl } from '../chat-pages';
import { getSharePreview, getShares, postShare, removeShare } from '../chat-shares';
import { getDiagramFrame, getDiagramScript } from '../diagrams';
import type { Route } from '../route';

/** What is kept of conversations: found, shared, exported, judged, looked at. */
export const chatHistoryRoutes: Route[] = [
  {
    method: 'GET',
    path: '/api/chat/search',
    endpoint: searchChat,
    docs: {
      tag: 'Chat',
      summary: 'Search your conversations',
      description: 'Texts with all words of `q`, in any script and case; `conversation` searches one of them.',
      query: z.object({ q: z.string(), conversation: z.string().optional() }),
      response: searchResult,
    },
  },
  {
    method: 'GET',
    path: '/api/chat/conversations/:id/export',
    endpoint: getConversationExport,
    docs: {
      tag: 'Chat',
      summary: 'Export a conversation',
      description: 'JSON follows `/api/chat/export-schema.json` and has every branch; Markdown has one.',
      query: z.object({ format: z.enum(['markdown', 'json']).optional(), branch: z.string().optional() }),
      mediaType: 'text/markdown',
    },
  },
  {
    method: 'GET',
    path: '/api/chat/export-schema.json',
    endpoint: getExportSchema,
    docs: { tag: 'Chat', summary: 'Read the schema of exports', response: anyObject },
  },
  {
    method: 'GET',
    path: '/api/chat/conversations/:id/shares',
    endpoint: getShares,
    docs: { tag: 'Chat', summary: 'List links to a conversation', response: listOf(shareView) },
  },
  {
    method: 'GET',
    path: '/api/chat/conversations/:id/shares/preview',
    endpoint: getSharePreview,
    docs: {
      tag: 'Chat',
      summary: 'See what a link would show',
      query: z.object({ branch: z.string().optional(), until: z.string().optional() }),
      response: sharePreview,
    },
  },
  {
    method: 'POST',
    path: '/api/chat/conversations/:id/shares',
    endpoint: postShare,
    docs: {
      tag: 'Chat',
      summary: 'Share a conversation by a link',
      description: 'Takes the `tasks` of a preview. The link is told once.',
      response: createdShare,
      status: 201,
      problems: ['conflict', 'rate_limited'],
    },
  },
  {
    method: 'DELETE',
    path: '/api/chat/shares/:id',
    endpoint: removeShare,
    docs: { tag: 'Chat', summary: 'Revoke a link' },
  },
  {
    method: 'GET',
    path: '/api/chat/tasks/:id/page',
    endpoint: getTaskPage,
    docs: {
      tag: 'Chat',
      summary: 'Read a page that an agent made',
      description: 'HTML for a sandboxed frame; its own policy lets it do nothing.',
      query: z.object({ artifact: z.string(), part: z.string().optional() }),
      mediaType: 'text/html',
    },
  },
  {
    method: 'GET',
    path: '/api/chat/diagrams/frame',
    endpoint: getDiagramFrame,
    docs: {
      tag: 'Chat',
      summary: 'Load the frame for diagrams',
      description: 'HTML for a sandboxed frame; its policy lets it run the script for diagrams and nothing else.',
      mediaType: 'text/html',
    },
  },
  {
    method: 'GET',
    path: '/api/chat/diagrams/script',
    endpoint: getDiagramScript,
    docs: { tag: 'Chat', summary: 'Load the script for diagrams', mediaType: 'text/javascript' },
  },
  {
    method: 'POST',
    path: '/api/chat/pictures',
    endpoint: postImageUrl,
    docs: {
      tag: 'Chat',
      summary: 'Have a picture of an agent loaded by Parley',
      description: 'Parley fetches and redraws it; the host learns nothing of you.',
      response: z.object({ src: z.string() }),
      problems: ['url_refused'],
    },
  },
  {
    method: 'GET',
    path: '/api/chat/tasks/:id/wire',
    endpoint: getTaskWire,
    docs: {
      tag: 'Chat',
      summary: 'See what went over the wire for a task',
      query: z.object({ conversation: z.string() }),
      response: wireView,
      problems: ['task_not_found'],
    },
  },
  {
    method: 'PUT',
    path: '/api/chat/tasks/:id/feedback/:seq',
    endpoint: putFeedback,
    docs: { tag: 'Chat', summary: 'Say what you think of an answer', response: feedbackView },
  },
  {
    method: 'DELETE',
    path: '/api/chat/tasks/:id/feedback/:seq',
    endpoint: removeFeedback,
    docs: { tag: 'Chat', summary: 'Take feedback back', query: z.object({ conversation: z.string() }) },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/feedback',
    endpoint: getAgentFeedback,
    docs: { tag: 'Agents', summary: 'Count feedback on answers of your agent', response: feedbackCounts },
  },
];
