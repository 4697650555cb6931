import { z } from 'zod';
import { cleanLine, cleanText } from '../protocol/a2a/cards/clean-text';
import type { AgentSummary } from './schema';

/** How a person is shown as the publisher of their agents. */
export interface PublisherProfile {
  handle: string;
  name: string;
  bio: string;
  link: string | null;
}

/** `GET /api/publishers/{handle}`: a publisher with their listings that everybody can find. */
export interface PublisherPage extends PublisherProfile {
  joinedAt: string;
  /** Hosts that they proved to hold. */
  hosts: string[];
  agents: AgentSummary[];
}

/** Longest public name and longest description of a publisher, characters. */
export const MAX_PUBLISHER_NAME = 80;
export const MAX_PUBLISHER_BIO = 600;

/** Body of `PUT /api/publishers/own`. An empty name shows that of the account. */
export const publisherInputSchema = z.strictObject({
  handle: z.string().trim().toLowerCase(),
  name: z.string().transform(cleanLine).pipe(z.string().max(MAX_PUBLISHER_NAME)).default(''),
  bio: z.string().transform(cleanText).pipe(z.string().max(MAX_PUBLISHER_BIO)).default(''),
  link: z
    .union([z.literal(''), z.url({ protocol: /^https$/, error: 'expected an https address' }).max(300)])
    .default(''),
});
export type PublisherInput = z.infer<typeof publisherInputSchema>;
