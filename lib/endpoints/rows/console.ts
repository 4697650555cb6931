import { z } from 'zod';
import { callQuerySchema } from '../../console/schema';
import { getAgentCall, getAgentCalls, getAgentRun, getAgentStats, postAgentRun } from '../agent-calls';
import { postLint, postRefresh, postRejectCard, postRestore } from '../agent-card-updates';
import { getChecklist } from '../agent-checklist';
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
import { agentView } from '../answers/agents';
import { cardLint, cardRefresh } from '../answers/cards';
import {
  agentStats,
  callDetail,
  callPage,
  checklist,
  consoleRun,
  newInvitation,
  runResult,
  teamView,
} from '../answers/console';
import { pushOverview, recovered, resent } from '../answers/pushes';
import { getPushes, postPushRecovery, postPushResend } from '../push-deliveries';
import type { Route } from '../route';

/** What people do with the agents that they manage. */
export const consoleRoutes: Route[] = [
  {
    method: 'GET',
    path: '/api/agents/:slug/team',
    endpoint: getAgentTeam,
    docs: {
      tag: 'Console',
      summary: 'List who manages an agent',
      description: 'Its owner also sees open invitations.',
      response: teamView,
    },
  },
  {
    method: 'PATCH',
    path: '/api/agents/:slug/team/:id',
    endpoint: patchMember,
    docs: { tag: 'Console', summary: 'Give a member of a team another role' },
  },
  {
    method: 'DELETE',
    path: '/api/agents/:slug/team/:id',
    endpoint: deleteMember,
    docs: { tag: 'Console', summary: 'Remove a member of a team, or leave it' },
  },
  {
    method: 'POST',
    path: '/api/agents/:slug/invitations',
    endpoint: postInvitation,
    docs: {
      tag: 'Console',
      summary: 'Invite a person to help run an agent',
      description: 'The link goes by mail and opens for an account with that address alone.',
      response: newInvitation,
      status: 201,
      problems: ['conflict', 'rate_limited', 'unavailable'],
    },
  },
  {
    method: 'DELETE',
    path: '/api/agents/:slug/invitations/:id',
    endpoint: deleteInvitation,
    docs: { tag: 'Console', summary: 'Take an invitation back' },
  },
  {
    method: 'POST',
    path: '/api/agents/:slug/transfer',
    endpoint: postTransfer,
    docs: { tag: 'Console', summary: 'Make a member the owner of an agent', problems: ['sign_in_again', 'conflict'] },
  },
  {
    method: 'POST',
    path: '/api/invitations/accept',
    endpoint: postAcceptInvitation,
    docs: { tag: 'Console', summary: 'Join the team of an agent', response: z.object({ slug: z.string() }) },
  },
  {
    method: 'POST',
    path: '/api/invitations/decline',
    endpoint: postDeclineInvitation,
    docs: { tag: 'Console', summary: 'Decline an invitation' },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/calls',
    endpoint: getAgentCalls,
    docs: {
      tag: 'Console',
      summary: 'List calls of an agent',
      description:
        'The latest 10,000 of a week, and as many that failed. With format=csv a file of all that the filter finds.',
      query: callQuerySchema,
      response: callPage,
    },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/calls/:id',
    endpoint: getAgentCall,
    docs: { tag: 'Console', summary: 'Get a call with what went over the wire', response: callDetail },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/stats',
    endpoint: getAgentStats,
    docs: {
      tag: 'Console',
      summary: 'Sum up calls of an agent by the hour or day',
      description: 'Counts are exactly those of the log for the same filter.',
      query: callQuerySchema,
      response: agentStats,
    },
  },
  {
    method: 'POST',
    path: '/api/agents/:slug/runs',
    endpoint: postAgentRun,
    docs: {
      tag: 'Console',
      summary: 'Begin a test, or repeat a call that failed',
      description: 'Make the call yourself, with the answered id as X-Request-Id.',
      response: consoleRun,
      status: 201,
      problems: ['conflict'],
    },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/runs/:requestId',
    endpoint: getAgentRun,
    docs: { tag: 'Console', summary: 'Get what became of a test behind Parley', response: runResult },
  },
  {
    method: 'POST',
    path: '/api/cards/lint',
    endpoint: postLint,
    docs: {
      tag: 'Agents',
      summary: 'Check the text of a card',
      description:
        'Every fault has its line, column and rule, and edits where it can be mended without asking anybody.',
      response: cardLint,
      problems: ['rate_limited', 'url_refused'],
    },
  },
  {
    method: 'POST',
    path: '/api/agents/:slug/refresh',
    endpoint: postRefresh,
    docs: {
      tag: 'Agents',
      summary: 'Compare the served card with the listed one, or list it',
      response: cardRefresh,
      problems: ['card_invalid', 'card_unreachable', 'conflict', 'rate_limited'],
    },
  },
  {
    method: 'POST',
    path: '/api/agents/:slug/card/keep',
    endpoint: postRejectCard,
    docs: { tag: 'Agents', summary: 'Keep the listed card and drop the one that waits', problems: ['conflict'] },
  },
  {
    method: 'POST',
    path: '/api/agents/:slug/restore',
    endpoint: postRestore,
    docs: { tag: 'Agents', summary: 'Bring a withdrawn agent back', response: agentView, problems: ['conflict'] },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/checklist',
    endpoint: getChecklist,
    docs: {
      tag: 'Console',
      summary: 'Get what is left to do for an agent, and why it is not in search',
      response: checklist,
    },
  },
  {
    method: 'GET',
    path: '/api/push/deliveries',
    endpoint: getPushes,
    docs: { tag: 'Console', summary: 'List your push receivers and what they did not take', response: pushOverview },
  },
  {
    method: 'POST',
    path: '/api/push/dead-letters/:id/resend',
    endpoint: postPushResend,
    docs: { tag: 'Console', summary: 'Send a push again that nobody took', response: resent, problems: ['conflict'] },
  },
  {
    method: 'POST',
    path: '/api/push/dead-letters/recover',
    endpoint: postPushRecovery,
    docs: { tag: 'Console', summary: 'Send all pushes of a time again that nobody took', response: recovered },
  },
];
