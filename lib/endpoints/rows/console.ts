import {
  deleteInvitation,
  deleteMember,
  getAgentTeam,
  patchMember,
  postAcceptInvitation,
  postDeclineInvitation,
  postInvitation,
  postTransfer,
} from '../agent-team';
import type { Row } from '../row';

/** What people do with the agents that they manage. */
export const consoleRows: Row[] = [
  { method: 'GET', path: '/api/agents/:slug/team', endpoint: getAgentTeam },
  { method: 'PATCH', path: '/api/agents/:slug/team/:id', endpoint: patchMember },
  { method: 'DELETE', path: '/api/agents/:slug/team/:id', endpoint: deleteMember },
  { method: 'POST', path: '/api/agents/:slug/invitations', endpoint: postInvitation },
  { method: 'DELETE', path: '/api/agents/:slug/invitations/:id', endpoint: deleteInvitation },
  { method: 'POST', path: '/api/agents/:slug/transfer', endpoint: postTransfer },
  { method: 'POST', path: '/api/invitations/accept', endpoint: postAcceptInvitation },
  { method: 'POST', path: '/api/invitations/decline', endpoint: postDeclineInvitation },
];
