import { z } from 'zod';
import {
  acceptInvitation,
  changeMember,
  declineInvitation,
  getTeam,
  inviteMember,
  removeMember,
  transferAgent,
  withdrawInvitation,
} from '../../catalog';
import {
  answerInputSchema,
  invitationInputSchema,
  memberInputSchema,
  newInvitationSchema,
  teamViewSchema,
  transferInputSchema,
} from '../../catalog/schema-team';
import { endpoint } from '../../http/endpoint';
import { jsonResponse } from '../../http/respond';
import { hasSold } from '../../payments';
import { ownsApp } from '../../tokens';

export const getAgentTeam = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/team',
  auth: { scope: 'agents:read' },
  response: teamViewSchema,
  docs: { tag: 'Console', summary: 'List the team of an agent', description: 'The owner also sees open invitations.' },
  handle: ({ ctx, params: { slug = '' } }) => getTeam({ ctx, input: { slug } }),
});

export const postInvitation = endpoint({
  method: 'POST',
  path: '/api/agents/:slug/invitations',
  auth: 'session',
  body: invitationInputSchema,
  response: newInvitationSchema,
  status: 201,
  errors: ['conflict', 'rate_limited', 'unavailable'],
  docs: {
    tag: 'Console',
    summary: 'Invite a person to the team of an agent',
    description: 'The link is emailed and works only for an account with that email.',
  },
  handle: async ({ ctx, input, params: { slug = '' } }) =>
    jsonResponse(await inviteMember({ ctx, input: { ...input, slug } }), { status: 201 }),
});

export const deleteInvitation = endpoint({
  method: 'DELETE',
  path: '/api/agents/:slug/invitations/:id',
  auth: 'session',
  docs: { tag: 'Console', summary: 'Revoke an invitation' },
  handle: async ({ ctx, params: { slug = '', id = '' } }) => {
    await withdrawInvitation({ ctx, input: { slug, id } });
    return undefined;
  },
});

export const patchMember = endpoint({
  method: 'PATCH',
  path: '/api/agents/:slug/team/:id',
  auth: 'session',
  body: memberInputSchema,
  docs: { tag: 'Console', summary: 'Change the role of a team member' },
  handle: async ({ ctx, input, params: { slug = '', id = '' } }) => {
    await changeMember({ ctx, input: { ...input, slug, id }, ownsApp });
    return undefined;
  },
});

export const deleteMember = endpoint({
  method: 'DELETE',
  path: '/api/agents/:slug/team/:id',
  auth: 'session',
  docs: { tag: 'Console', summary: 'Remove a team member, or leave the team' },
  handle: async ({ ctx, params: { slug = '', id = '' } }) => {
    await removeMember({ ctx, input: { slug, id }, ownsApp });
    return undefined;
  },
});

export const postTransfer = endpoint({
  method: 'POST',
  path: '/api/agents/:slug/transfer',
  auth: 'session',
  body: transferInputSchema,
  errors: ['sign_in_again', 'conflict'],
  docs: { tag: 'Console', summary: 'Transfer an agent to a team member' },
  handle: async ({ ctx, input, params: { slug = '' } }) => {
    await transferAgent({ ctx, input: { ...input, slug }, hasSold });
    return undefined;
  },
});

export const postAcceptInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/accept',
  auth: 'session',
  body: answerInputSchema,
  response: z.object({ slug: z.string() }),
  docs: { tag: 'Console', summary: 'Accept an invitation' },
  handle: acceptInvitation,
});

export const postDeclineInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/decline',
  auth: 'session',
  body: answerInputSchema,
  docs: { tag: 'Console', summary: 'Decline an invitation' },
  handle: async (call) => {
    await declineInvitation(call);
    return undefined;
  },
});
