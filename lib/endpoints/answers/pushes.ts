import { z } from 'zod';
import type { PushOverview } from '../../console/schema';
import type { PushReceiver } from '../../gateway/schema';
import { agentName, time } from './common';

export const undelivered = z.object({
  id: z.string().describe('The same as in the `Parley-Delivery` header of its attempts'),
  taskId: z.string(),
  seq: z.int(),
  url: z.string(),
  reason: z.string(),
  httpStatus: z.int().nullable(),
  attempts: z.int(),
  at: time,
  answer: z.string().describe("How the receiver's last answer began"),
});

export const deadLetter = undelivered.extend({ configId: z.string() });

export const pushOverview: z.ZodType<PushOverview> = z.object({
  failing: z.array(
    z.object({
      taskId: z.string(),
      configId: z.string(),
      url: z.string(),
      attempts: z.int(),
      failingSince: time,
      nextTry: time,
      httpStatus: z.int().nullable(),
      answer: z.string(),
    }),
  ),
  undelivered: z.array(undelivered),
});

export const resent = z.union([
  z.object({ taken: z.literal(true) }),
  z.object({ taken: z.literal(false), httpStatus: z.int().nullable(), answer: z.string() }),
]);

export const recovered = z.object({ taken: z.int(), failed: z.int(), more: z.boolean() });

export const pushReceiver: z.ZodType<PushReceiver> = z.object({
  id: z.string(),
  host: z.string().describe('Host and port of its URL; the path may be a secret'),
  taskId: z.string(),
  agent: agentName.nullable(),
  credential: z
    .object({
      kind: z.enum(['session', 'access-token', 'device', 'agent', 'unknown']),
      name: z.string().nullable().describe('Of the token, or of the agent that acts for you'),
    })
    .describe('What it was set with, and what it ends with'),
  createdAt: time,
  isOver: z.boolean().describe('Everything was sent and nothing is to come'),
});
