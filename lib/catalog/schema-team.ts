import { z } from 'zod';
import { MAX_ID_LENGTH, MAX_INVITATION_TOKEN_LENGTH } from './limits';
import { type MemberRole, memberRoleSchema, type TeamRole } from './schema';

/** A member of an agent's team. */
export interface TeamMember {
  /** Null for the owner, who cannot be removed. */
  id: string | null;
  name: string;
  email: string;
  role: TeamRole;
  /** ISO 8601; for the owner, when the agent was listed. */
  since: string;
  /** True for the caller. */
  you: boolean;
}

/** A pending invitation into an agent's team. Times are ISO 8601. */
export interface InvitationView {
  id: string;
  email: string;
  role: MemberRole;
  createdAt: string;
  expiresAt: string;
}

/** `GET /api/agents/{slug}/team`. */
export interface TeamView {
  /** The caller's role. */
  role: TeamRole;
  members: TeamMember[];
  /** Empty unless the caller is the owner. */
  invitations: InvitationView[];
}

/** Body of `POST /api/agents/{slug}/invitations`. */
export const invitationInputSchema = z.strictObject({
  email: z.string().trim().toLowerCase().pipe(z.email('expected an e-mail address').max(254)),
  role: memberRoleSchema,
});
export type InvitationInput = z.infer<typeof invitationInputSchema>;

/** Body of `PATCH /api/agents/{slug}/team/{id}`. */
export const memberInputSchema = z.strictObject({ role: memberRoleSchema });

/** Body of `POST /api/agents/{slug}/transfer`: the member who becomes the owner. */
export const transferInputSchema = z.strictObject({ memberId: z.string().min(1).max(MAX_ID_LENGTH) });

/** Body of `POST /api/invitations/accept` and `/decline`: the token of the e-mail's link. */
export const answerInputSchema = z.strictObject({ token: z.string().min(1).max(MAX_INVITATION_TOKEN_LENGTH) });

/** An invitation as its addressee sees it. */
export interface InvitationOffer {
  agent: { slug: string; name: string };
  role: MemberRole;
  invitedBy: string;
  email: string;
  expiresAt: string;
}
