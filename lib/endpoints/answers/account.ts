import { z } from 'zod';
import { agentName, time } from './common';

export const activityView = z.object({
  id: z.int().describe('Its number in the audit log'),
  at: time,
  event: z.string().describe('What happened, such as session.started'),
  object: z.string().describe('The id of what it was done to; empty when that goes without saying'),
  agent: agentName.nullable(),
  detail: z.string(),
  by: z.string().describe('The session, token or app; empty for a sign-in'),
  place: z.object({ device: z.string(), address: z.string() }).nullable(),
});
