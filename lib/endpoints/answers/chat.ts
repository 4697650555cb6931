import { z } from 'zod';
import type {
  ConversationView,
  CreatedShare,
  FeedbackCounts,
  FeedbackView,
  HttpTraceView,
  PostedMessage,
  SearchResult,
  ShareView,
} from '../../chat/schema';
import { agentName, time } from './common';

export const conversationAnswer: z.ZodType<ConversationView> = z.object({
  id: z.string(),
  title: z.string(),
  agent: agentName,
  updatedAt: time,
});

export const postedMessage: z.ZodType<PostedMessage> = z.object({
  conversationId: z.string(),
  branch: z.string(),
  taskId: z.string(),
});

export const searchResult: z.ZodType<SearchResult> = z.object({
  hits: z.array(
    z.object({
      conversation: conversationAnswer,
      branch: z.string(),
      taskId: z.string(),
      role: z.enum(['user', 'agent']),
      at: time,
      excerpt: z.object({ before: z.string(), match: z.string(), after: z.string() }),
    }),
  ),
  more: z.boolean().describe('There are more; more words find fewer'),
});

const share = z.object({ id: z.string(), createdAt: time, tasks: z.int().describe('How many it shows') });

export const shareView: z.ZodType<ShareView> = share;
export const createdShare: z.ZodType<CreatedShare> = share.extend({ url: z.string().describe('Told only here') });

export const feedbackView: z.ZodType<FeedbackView> = z.object({
  taskId: z.string(),
  seq: z.int(),
  verdict: z.enum(['good', 'bad']),
  category: z.string().nullable(),
  note: z.string().nullable(),
});

export const feedbackCounts: z.ZodType<FeedbackCounts> = z.object({
  good: z.int(),
  bad: z.int(),
  categories: z.array(z.object({ category: z.string(), count: z.int() })).describe('Of the bad ones'),
  notes: z.array(z.object({ verdict: z.string(), category: z.string().nullable(), note: z.string(), at: time })),
  since: time,
});

const bytes = z.int().describe('Bytes on the wire');
const ms = z.number().describe('Milliseconds');
const headers = z.record(z.string(), z.string());

export const wireView: z.ZodType<HttpTraceView> = z.object({
  exchanges: z.array(
    z.object({
      at: time,
      ms,
      method: z.string(),
      dialect: z.string(),
      requestId: z.string(),
      request: z.object({ method: z.string(), url: z.string(), headers, body: z.string(), bytes }),
      answer: z
        .object({
          status: z.int(),
          headers,
          bytes,
          events: z.array(z.object({ ms, bytes, text: z.string() })),
          moreEvents: z.int(),
        })
        .nullable(),
      failure: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
  ),
  open: z.boolean().describe('An exchange is under way; it is told at its end'),
});
