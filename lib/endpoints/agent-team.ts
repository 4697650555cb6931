import {
  acceptInvitation,
  changeMember,
  declineInvitation,
  getTeam,
  inviteMember,
  removeMember,
  transferAgent,
  withdrawInvitation,
} from '../catalog';
import {
  answerInputSchema,
  invitationInputSchema,
  memberInputSchema,
  transferInputSchema,
} from '../catalog/schema-team';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';
import { hasSold } from '../payments';
import { ownsApp } from '../tokens';

/** `GET /api/agents/{slug}/team`: who manages the agent, and who was invited. */
export const getAgentTeam: Endpoint = jsonRoute({
  auth: { scope: 'agents:read' },
  handle: ({ ctx, params: { slug = '' } }) => getTeam({ ctx, input: { slug } }),
});

/** `POST /api/agents/{slug}/invitations`: invites somebody by e-mail; 201 with the link. */
export const postInvitation: Endpoint = jsonRoute({
  auth: 'session',
  body: invitationInputSchema,
  handle: async ({ ctx, input, params: { slug = '' } }) =>
    Response.json(await inviteMember({ ctx, input: { ...input, slug } }), { status: 201 }),
});

/** `DELETE /api/agents/{slug}/invitations/{id}`: takes an invitation back; 204. */
export const deleteInvitation: Endpoint = jsonRoute({
  auth: 'session',
  handle: async ({ ctx, params: { slug = '', id = '' } }) => {
    await withdrawInvitation({ ctx, input: { slug, id } });
    return undefined;
  },
});

/** `PATCH /api/agents/{slug}/team/{id}`: another role for a member; 204. */
export const patchMember: Endpoint = jsonRoute({
  auth: 'session',
  body: memberInputSchema,
  handle: async ({ ctx, input, params: { slug = '', id = '' } }) => {
    await changeMember({ ctx, input: { ...input, slug, id }, ownsApp });
    return undefined;
  },
});

/** `DELETE /api/agents/{slug}/team/{id}`: the owner removes a member, or a member leaves; 204. */
export const deleteMember: Endpoint = jsonRoute({
  auth: 'session',
  handle: async ({ ctx, params: { slug = '', id = '' } }) => {
    await removeMember({ ctx, input: { slug, id }, ownsApp });
    return undefined;
  },
});

/** `POST /api/agents/{slug}/transfer`: makes a member the owner; needs a sign-in of the last minutes; 204. */
export const postTransfer: Endpoint = jsonRoute({
  auth: 'session',
  body: transferInputSchema,
  handle: async ({ ctx, input, params: { slug = '' } }) => {
    await transferAgent({ ctx, input: { ...input, slug }, hasSold });
    return undefined;
  },
});

/** `POST /api/invitations/accept`: joins the team; answers the agent's slug. */
export const postAcceptInvitation: Endpoint = jsonRoute({
  auth: 'session',
  body: answerInputSchema,
  handle: acceptInvitation,
});

/** `POST /api/invitations/decline`: turns the invitation down; 204. */
export const postDeclineInvitation: Endpoint = jsonRoute({
  auth: 'session',
  body: answerInputSchema,
  handle: async (call) => {
    await declineInvitation(call);
    return undefined;
  },
});
