import { z } from 'zod';
import { time } from '../platform/schema';
import { cleanLine, cleanText } from '../protocol/a2a/cards/clean-text';
import { MAX_PUBLISHER_BIO, MAX_PUBLISHER_LINK, MAX_PUBLISHER_NAME } from './limits';
import { agentSummarySchema } from './schema';

/** The public profile of a user who lists agents. */
export const publisherProfileSchema = z.object({
  handle: z.string(),
  name: z.string(),
  bio: z.string(),
  link: z.string().nullable(),
});
export type PublisherProfile = z.infer<typeof publisherProfileSchema>;

/** `GET /api/publishers/{handle}`: a publisher with their public listings. */
export const publisherPageSchema = publisherProfileSchema.extend({
  joinedAt: time,
  hosts: z.array(z.string()).describe('Hosts that the publisher has verified'),
  agents: z.array(agentSummarySchema),
});
export type PublisherPage = z.infer<typeof publisherPageSchema>;

/** Body of `PUT /api/publishers/own`. An empty name shows the account's name. */
export const publisherInputSchema = z.strictObject({
  handle: z.string().trim().toLowerCase(),
  name: z.string().transform(cleanLine).pipe(z.string().max(MAX_PUBLISHER_NAME)).default(''),
  bio: z.string().transform(cleanText).pipe(z.string().max(MAX_PUBLISHER_BIO)).default(''),
  link: z
    .union([z.literal(''), z.url({ protocol: /^https$/, error: 'expected an https URL' }).max(MAX_PUBLISHER_LINK)])
    .default(''),
});
export type PublisherInput = z.infer<typeof publisherInputSchema>;
