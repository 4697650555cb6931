import { z } from 'zod';
import { cleanLine, cleanText } from '../protocol/a2a/cards/clean-text';
import { MAX_PUBLISHER_BIO, MAX_PUBLISHER_LINK, MAX_PUBLISHER_NAME } from './limits';
import type { AgentSummary } from './schema';

/** The public profile of a user who lists agents. */
export interface PublisherProfile {
  handle: string;
  name: string;
  bio: string;
  link: string | null;
}

/** `GET /api/publishers/{handle}`: a publisher with their public listings. */
export interface PublisherPage extends PublisherProfile {
  joinedAt: string;
  /** Hosts that they proved to control. */
  hosts: string[];
  agents: AgentSummary[];
}

/** Body of `PUT /api/publishers/own`. An empty name shows the account's name. */
export const publisherInputSchema = z.strictObject({
  handle: z.string().trim().toLowerCase(),
  name: z.string().transform(cleanLine).pipe(z.string().max(MAX_PUBLISHER_NAME)).default(''),
  bio: z.string().transform(cleanText).pipe(z.string().max(MAX_PUBLISHER_BIO)).default(''),
  link: z
    .union([z.literal(''), z.url({ protocol: /^https$/, error: 'expected an https address' }).max(MAX_PUBLISHER_LINK)])
    .default(''),
});
export type PublisherInput = z.infer<typeof publisherInputSchema>;
