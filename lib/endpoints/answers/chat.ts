import { z } from 'zod';
import type { PostedMessage } from '../../chat/schema';
import { time } from './common';

export const conversationAnswer = z.looseObject({
  id: z.string(),
  title: z.string(),
  agent: z.looseObject({ slug: z.string(), name: z.string() }),
  updatedAt: time,
});

export const postedMessage: z.ZodType<PostedMessage> = z.object({
  conversationId: z.string(),
  branch: z.string(),
  taskId: z.string(),
});
