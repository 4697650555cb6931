import { z } from 'zod';
import { time } from '../platform/schema';
import { MAX_ID_LENGTH, MAX_INVITATION_TOKEN_LENGTH } from './limits';
import { type MemberRole, memberRoleSchema, teamRoles } from './schema';

/** A member of an agent's team. */
const teamMemberSchema = z.object({
  id: z.string().nullable().describe('Null for the owner'),
  name: z.string(),
  email: z.string(),
  role: z.enum(teamRoles),
  /** The time of joining; for the owner, the time at which the agent was listed. */
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

/** Response to an invitation: the only time `url`, the link of its e-mail, is shown. */
export const newInvitationSchema = invitationViewSchema.extend({ url: z.string() });
export type NewInvitation = z.infer<typeof newInvitationSchema>;

/** `GET /api/agents/{slug}/team`. */
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

/** Body of `POST /api/invitations/accept` and `/decline`: the token of the e-mail's link. */
export const answerInputSchema = z.strictObject({ token: z.string().min(1).max(MAX_INVITATION_TOKEN_LENGTH) });

/** An invitation with the fields for its addressee. */
export interface InvitationOffer {
  agent: { slug: string; name: string };
  role: MemberRole;
  invitedBy: string;
  email: string;
  expiresAt: string;
}
