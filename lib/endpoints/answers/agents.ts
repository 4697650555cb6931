import { z } from 'zod';
import { agentStatusSchema, badges, visibilitySchema } from '../../catalog/schema';
import { time } from './common';

/** What every answer that has an agent says of it; single ones say more. */
export const agentAnswer = z.looseObject({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.string(),
  tags: z.array(z.string()),
  visibility: visibilitySchema,
  status: agentStatusSchema,
  badges: z.array(z.enum(badges)),
  url: z.string(),
  cardUrl: z.string(),
  updatedAt: time,
});

export const agentPage = z.looseObject({
  items: z.array(agentAnswer),
  nextCursor: z.string().nullable(),
  total: z.int(),
  totalIsCapped: z.boolean(),
});
