import { z } from 'zod';
import { time } from './common';

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
