import { z } from 'zod';
import {
  agentStatusSchema,
  badges,
  type CredentialView,
  type OwnershipView,
  visibilitySchema,
} from '../../catalog/schema';
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

export const credentialView: z.ZodType<CredentialView> = z.object({
  kind: z.enum(['bearer', 'api-key', 'oauth-client-credentials']),
  setAt: time,
});

export const ownershipView: z.ZodType<OwnershipView> = z.object({
  proof: z.object({
    host: z.string(),
    text: z.string().describe('The text of the TXT record, or one line of the file'),
    dnsName: z.string().nullable(),
    fileUrl: z.string(),
  }),
  proved: z
    .object({ method: z.enum(['dns', 'file']), at: time, checkedAt: time, missingSince: time.nullable() })
    .nullable(),
});
