import { z } from 'zod';
import { callQuerySchema } from '../../console/schema';
import { getAgentCall, getAgentCalls, getAgentRun, getAgentStats, postAgentRun } from '../agent-calls';
import { postKeepCard, postLint, postRefresh, postRestore } from '../agent-card-upkeep';
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
import { getPushes, postPushRecovery, postPushResend } from '../pushes';
import type { Row } from '../row';

/** What people do with the agents that they manage. */
export const consoleRows: Row[] = [
  {
    method: 'GET',
    path: '/api/agents/:slug/team',
    endpoint: getAgentTeam,
    about: {
      part: 'Console',
      summary: 'List who manages an agent',
      more: 'Its owner also sees open invitations.',
      answer: teamView,
    },
  },
  {
    method: 'PATCH',
    path: '/api/agents/:slug/team/:id',
    endpoint: patchMember,
    about: { part: 'Console', summary: 'Give a member of a team another role' },
  },
  {
    method: 'DELETE',
    path: '/api/agents/:slug/team/:id',
    endpoint: deleteMember,
    about: { part: 'Console', summary: 'Remove a member of a team, or leave it' },
  },
  {
    method: 'POST',
    path: '/api/agents/:slug/invitations',
    endpoint: postInvitation,
    about: {
      part: 'Console',
      summary: 'Invite a person to help run an agent',
      more: 'The link goes by mail and opens for an account with that address alone.',
      answer: newInvitation,
      status: 201,
      problems: ['conflict', 'rate_limited', 'unavailable'],
    },
  },
  {
    method: 'DELETE',
    path: '/api/agents/:slug/invitations/:id',
    endpoint: deleteInvitation,
    about: { part: 'Console', summary: 'Take an invitation back' },
  },
  {
    method: 'POST',
    path: '/api/agents/:slug/transfer',
    endpoint: postTransfer,
    about: { part: 'Console', summary: 'Make a member the owner of an agent', problems: ['sign_in_again', 'conflict'] },
  },
  {
    method: 'POST',
    path: '/api/invitations/accept',
    endpoint: postAcceptInvitation,
    about: { part: 'Console', summary: 'Join the team of an agent', answer: z.object({ slug: z.string() }) },
  },
  {
    method: 'POST',
    path: '/api/invitations/decline',
    endpoint: postDeclineInvitation,
    about: { part: 'Console', summary: 'Decline an invitation' },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/calls',
    endpoint: getAgentCalls,
    about: {
      part: 'Console',
      summary: 'List calls of an agent',
      more: 'The latest 10,000 of a week, and as many that failed. With format=csv a file of all that the filter finds.',
      query: callQuerySchema,
      answer: callPage,
    },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/calls/:id',
    endpoint: getAgentCall,
    about: { part: 'Console', summary: 'Get a call with what went over the wire', answer: callDetail },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/stats',
    endpoint: getAgentStats,
    about: {
      part: 'Console',
      summary: 'Sum up calls of an agent by the hour or day',
      more: 'Counts are exactly those of the log for the same filter.',
      query: callQuerySchema,
      answer: agentStats,
    },
  },
  {
    method: 'POST',
    path: '/api/agents/:slug/runs',
    endpoint: postAgentRun,
    about: {
      part: 'Console',
      summary: 'Begin a test, or repeat a call that failed',
      more: 'Make the call yourself, with the answered id as X-Request-Id.',
      answer: consoleRun,
      status: 201,
      problems: ['conflict'],
    },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/runs/:requestId',
    endpoint: getAgentRun,
    about: { part: 'Console', summary: 'Get what became of a test behind Parley', answer: runResult },
  },
  {
    method: 'POST',
    path: '/api/cards/lint',
    endpoint: postLint,
    about: {
      part: 'Agents',
      summary: 'Check the text of a card',
      more: 'Every fault has its line, column and rule, and edits where it can be mended without asking anybody.',
      answer: cardLint,
      problems: ['rate_limited', 'url_refused'],
    },
  },
  {
    method: 'POST',
    path: '/api/agents/:slug/refresh',
    endpoint: postRefresh,
    about: {
      part: 'Agents',
      summary: 'Compare the served card with the listed one, or list it',
      answer: cardRefresh,
      problems: ['card_invalid', 'card_unreachable', 'conflict', 'rate_limited'],
    },
  },
  {
    method: 'POST',
    path: '/api/agents/:slug/card/keep',
    endpoint: postKeepCard,
    about: { part: 'Agents', summary: 'Keep the listed card and drop the one that waits', problems: ['conflict'] },
  },
  {
    method: 'POST',
    path: '/api/agents/:slug/restore',
    endpoint: postRestore,
    about: { part: 'Agents', summary: 'Bring a withdrawn agent back', answer: agentView, problems: ['conflict'] },
  },
  {
    method: 'GET',
    path: '/api/agents/:slug/checklist',
    endpoint: getChecklist,
    about: {
      part: 'Console',
      summary: 'Get what is left to do for an agent, and why it is not in search',
      answer: checklist,
    },
  },
  {
    method: 'GET',
    path: '/api/push/deliveries',
    endpoint: getPushes,
    about: { part: 'Console', summary: 'List your push receivers and what they did not take', answer: pushOverview },
  },
  {
    method: 'POST',
    path: '/api/push/dead-letters/:id/resend',
    endpoint: postPushResend,
    about: { part: 'Console', summary: 'Send a push again that nobody took', answer: resent, problems: ['conflict'] },
  },
  {
    method: 'POST',
    path: '/api/push/dead-letters/recover',
    endpoint: postPushRecovery,
    about: { part: 'Console', summary: 'Send all pushes of a time again that nobody took', answer: recovered },
  },
];
