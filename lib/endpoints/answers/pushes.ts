import { z } from 'zod';
import type { PushOverview } from '../../console/schema';
import { time } from './common';

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
