import { z } from 'zod';
import { type MemberRole, memberRoleSchema, type TeamRole } from './schema';

/** Somebody in an agent's team. */
export interface TeamMember {
  /** Null for the owner, who cannot be removed. */
  id: string | null;
  name: string;
  email: string;
  role: TeamRole;
  /** ISO 8601; for the owner since the agent was listed. */
  since: string;
  /** True for the person who asks. */
  you: boolean;
}

/** An invitation into an agent's team that waits for an answer. Times are ISO 8601. */
export interface InvitationView {
  id: string;
  email: string;
  role: MemberRole;
  createdAt: string;
  expiresAt: string;
}

/** `GET /api/agents/{slug}/team`. */
export interface TeamView {
  /** The role of the person who asks. */
  role: TeamRole;
  members: TeamMember[];
  /** Empty for everybody but the owner. */
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

/** Body of `POST /api/agents/{slug}/transfer`: the member who is to be the owner. */
export const transferInputSchema = z.strictObject({ memberId: z.string().min(1).max(60) });

/** Body of `POST /api/invitations/accept` and `/decline`: what stands in the link of the mail. */
export const answerInputSchema = z.strictObject({ token: z.string().min(1).max(100) });

/** What an invitation says to the person who opens its link. */
export interface InvitationOffer {
  agent: { slug: string; name: string };
  role: MemberRole;
  invitedBy: string;
  email: string;
  expiresAt: string;
}
