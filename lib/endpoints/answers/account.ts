import { z } from 'zod';
import { time } from './common';

export const activityView = z.object({
  id: z.int().describe('Its number in the audit log'),
  at: time,
  event: z.string().describe('What happened, such as session.started'),
  object: z.string().describe('The id of what it was done to; empty when that goes without saying'),
  agent: z.object({ slug: z.string(), name: z.string() }).nullable(),
  detail: z.string(),
  by: z.string().describe('The session, token or app; empty for a sign-in'),
  place: z.object({ device: z.string(), address: z.string() }).nullable(),
});

export const deadLetter = z.object({
  id: z.string().describe('The same as in the `Parley-Delivery` header of its attempts'),
  taskId: z.string(),
  configId: z.string(),
  seq: z.int(),
  url: z.string(),
  reason: z.string(),
  httpStatus: z.int().nullable(),
  attempts: z.int(),
  at: time,
  answer: z.string().describe("How the receiver's last answer began"),
});
