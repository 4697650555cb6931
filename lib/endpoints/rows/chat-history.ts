import { z } from 'zod';
import { createdShare, feedbackCounts, feedbackView, searchResult, shareView, wireView } from '../answers/chat';
import { anyObject, listOf } from '../answers/common';
import { sharePreview } from '../answers/thread';
import { searchChat } from '../chat-conversations';
import { getConversationExport, getExportSchema } from '../chat-export';
import { getAgentFeedback, putFeedback, removeFeedback } from '../chat-feedback';
import { getTaskWire } from '../chat-messages';
import { getTaskPage, postPicture } from '../chat-pages';
import { getSharePreview, getShares, postShare, removeShare } from '../chat-shares';
import { getDiagramFrame, getDiagramScript } from '../diagrams';
import type { Row } from '../row';

/** What is kept of conversations: found, shared, exported, judged, looked at. */
export const chatHistoryRows: Row[] = [
  {
    method: 'GET',
    path: '/api/chat/search',
    endpoint: searchChat,
    about: {
      part: 'Chat',
      summary: 'Search your conversations',
      more: 'Texts with all words of `q`, in any script and case; `conversation` searches one of them.',
      query: z.object({ q: z.string(), conversation: z.string().optional() }),
      answer: searchResult,
    },
  },
  {
    method: 'GET',
    path: '/api/chat/conversations/:id/export',
    endpoint: getConversationExport,
    about: {
      part: 'Chat',
      summary: 'Export a conversation',
      more: 'JSON follows `/api/chat/export-schema.json` and has every branch; Markdown has one.',
      query: z.object({ format: z.enum(['markdown', 'json']).optional(), branch: z.string().optional() }),
      media: 'text/markdown',
    },
  },
  {
    method: 'GET',
    path: '/api/chat/export-schema.json',
    endpoint: getExportSchema,
    about: { part: 'Chat', summary: 'Read the schema of exports', answer: anyObject },
  },
  {
    method: 'GET',
    path: '/api/chat/conversations/:id/shares',
    endpoint: getShares,
    about: { part: 'Chat', summary: 'List links to a conversation', answer: listOf(shareView) },
  },
  {
    method: 'GET',
    path: '/api/chat/conversations/:id/shares/preview',
    endpoint: getSharePreview,
    about: {
      part: 'Chat',
      summary: 'See what a link would show',
      query: z.object({ branch: z.string().optional(), until: z.string().optional() }),
      answer: sharePreview,
    },
  },
  {
    method: 'POST',
    path: '/api/chat/conversations/:id/shares',
    endpoint: postShare,
    about: {
      part: 'Chat',
      summary: 'Share a conversation by a link',
      more: 'Takes the `tasks` of a preview. The link is told once.',
      answer: createdShare,
      status: 201,
      problems: ['conflict', 'rate_limited'],
    },
  },
  {
    method: 'DELETE',
    path: '/api/chat/shares/:id',
    endpoint: removeShare,
    about: { part: 'Chat', summary: 'Revoke a link' },
  },
  {
    method: 'GET',
    path: '/api/chat/tasks/:id/page',
    endpoint: getTaskPage,
    about: {
      part: 'Chat',
      summary: 'Read a page that an agent made',
      more: 'HTML for a sandboxed frame; its own policy lets it do nothing.',
      query: z.object({ artifact: z.string(), part: z.string().optional() }),
      media: 'text/html',
    },
  },
  {
    method: 'GET',
    path: '/api/chat/diagrams/frame',
    endpoint: getDiagramFrame,
    about: {
      part: 'Chat',
      summary: 'Load the frame for diagrams',
      more: 'HTML for a sandboxed frame; its policy lets it run the script for diagrams and nothing else.',
      media: 'text/html',
    },
  },
  {
    method: 'GET',
    path: '/api/chat/diagrams/script',
    endpoint: getDiagramScript,
    about: { part: 'Chat', summary: 'Load the script for diagrams', media: 'text/javascript' },
  },
  {
    method: 'POST',
    path: '/api/chat/pictures',
    endpoint: postPicture,
    about: {
      part: 'Chat',
      summary: 'Have a picture of an agent loaded by Parley',
      more: 'Parley fetches and redraws it; the host learns nothing of you.',
      answer: z.object({ src: z.string() }),
      problems: ['url_refused'],
    },
  },
  {
    method: 'GET',
    path: '/api/chat/tasks/:id/wire',
    endpoint: getTaskWire,
    about: {
      part: 'Chat',
      summary: 'See what went over the wire for a task',
      query: z.object({ conversation: z.string() }),
      answer: wireView,
      problems: ['task_not_found'],
    },
  },
  {
    method: 'PUT',
    path: '/api/chat/tasks/:id/feedback/:seq',
    endpoint: putFeedback,
    about: { part: 'Chat', summary: 'Say what you think of an answer', answer: feedbackView },
  },
  {
    method: 'DELETE',
    path: '/api/chat/tasks/:id/feedback/:seq',
    endpoint: removeFeedback,
    about: { part: 'Chat', summary: 'Take feedback back', query: z.object({ conversation: z.string() }) },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/feedback',
    endpoint: getAgentFeedback,
    about: { part: 'Agents', summary: 'Count feedback on answers of your agent', answer: feedbackCounts },
  },
];
