import { z } from 'zod';
import { time } from '../platform/schema';
import { cleanLine, cleanText } from '../protocol/a2a/cards/clean-text';
import {
  MAX_ID_LENGTH,
  MAX_INVITATION_TOKEN_LENGTH,
  MAX_PUBLISHER_BIO,
  MAX_PUBLISHER_LINK,
  MAX_PUBLISHER_NAME,
} from './limits';
import { agentSummarySchema, type MemberRole, memberRoleSchema, teamRoles } from './schema';

/** A member of an agent's team. */
const teamMemberSchema = z.object({
  id: z.string().nullable().describe('Null for the owner'),
  name: z.string(),
  email: z.string(),
  role: z.enum(teamRoles),
  /** The time at which the member joined or, for the owner, at which the agent was listed. */
  since: time,
  /** True for the caller. */
  you: z.boolean(),
});
export type TeamMember = z.infer<typeof teamMemberSchema>;

/** A pending invitation into an agent's team. */
export const invitationViewSchema = z.object({
  id: z.string(),
  email: z.string(),
  role: memberRoleSchema,
  createdAt: time,
  expiresAt: time,
});
export type InvitationView = z.infer<typeof invitationViewSchema>;

/** The response to the creation of an invitation. No other response contains `url`, the link in the email. */
export const newInvitationSchema = invitationViewSchema.extend({ url: z.string() });
export type NewInvitation = z.infer<typeof newInvitationSchema>;

/** Response of `GET /api/agents/{slug}/team`. */
export const teamViewSchema = z.object({
  role: z.enum(teamRoles).describe('Role of the caller'),
  members: z.array(teamMemberSchema),
  invitations: z.array(invitationViewSchema).describe('Only for the owner'),
});
export type TeamView = z.infer<typeof teamViewSchema>;

/** Body of `POST /api/agents/{slug}/invitations`. */
export const invitationInputSchema = z.strictObject({
  email: z.string().trim().toLowerCase().pipe(z.email('expected an email address').max(254)),
  role: memberRoleSchema,
});
export type InvitationInput = z.infer<typeof invitationInputSchema>;

/** Body of `PATCH /api/agents/{slug}/team/{id}`. */
export const memberInputSchema = z.strictObject({ role: memberRoleSchema });

/** Body of `POST /api/agents/{slug}/transfer`: the member who becomes the owner. */
export const transferInputSchema = z.strictObject({ memberId: z.string().min(1).max(MAX_ID_LENGTH) });

/** Body of `POST /api/invitations/accept` and `/decline`: the token in the email's link. */
export const answerInputSchema = z.strictObject({ token: z.string().min(1).max(MAX_INVITATION_TOKEN_LENGTH) });

/** An invitation with the fields for its addressee. */
export interface InvitationOffer {
  agent: { slug: string; name: string };
  role: MemberRole;
  invitedBy: string;
  email: string;
  expiresAt: string;
}

/** The proof that an owner controls their agent's host: a TXT record or a file. */
const ownershipProofSchema = z.object({
  host: z.string(),
  text: z.string().describe('The value of the TXT record, or a line of the file'),
  /** The name of the TXT record; null if the host is an IP address. */
  dnsName: z.string().nullable(),
  fileUrl: z.string(),
});
export type OwnershipProof = z.infer<typeof ownershipProofSchema>;

/** Response of `GET /api/agents/{slug}/ownership`. */
export const ownershipSchema = z.object({
  proof: ownershipProofSchema,
  /** Null until the proof is found. */
  proved: z
    .object({ method: z.enum(['dns', 'file']), at: time, checkedAt: time, missingSince: time.nullable() })
    .nullable(),
});
export type OwnershipView = z.infer<typeof ownershipSchema>;

/** The public profile of a user who lists agents. */
export const publisherProfileSchema = z.object({
  handle: z.string(),
  name: z.string(),
  bio: z.string(),
  link: z.string().nullable(),
});
export type PublisherProfile = z.infer<typeof publisherProfileSchema>;

/** Response of `GET /api/publishers/{handle}`: a publisher with their public listings. */
export const publisherPageSchema = publisherProfileSchema.extend({
  joinedAt: time,
  hosts: z.array(z.string()).describe('Hosts that the publisher has verified'),
  agents: z.array(agentSummarySchema),
});
export type PublisherPage = z.infer<typeof publisherPageSchema>;

/** Body of `PUT /api/publishers/own`. With an empty name, the account's name is displayed. */
export const publisherInputSchema = z.strictObject({
  handle: z.string().trim().toLowerCase(),
  name: z.string().transform(cleanLine).pipe(z.string().max(MAX_PUBLISHER_NAME)).default(''),
  bio: z.string().transform(cleanText).pipe(z.string().max(MAX_PUBLISHER_BIO)).default(''),
  link: z
    .union([z.literal(''), z.url({ protocol: /^https$/, error: 'expected an https URL' }).max(MAX_PUBLISHER_LINK)])
    .default(''),
});
export type PublisherInput = z.infer<typeof publisherInputSchema>;
