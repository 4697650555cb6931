import { getPushes, postPushRecovery, postPushResend } from '../a2a/push';
import { postLint, postRefresh, postRejectCard, postRestore } from '../catalog/card-updates';
import type { Endpoint } from '../endpoint';
import {
  getAgentCall,
  getAgentCalls,
  getAgentRun,
  getAgentStats,
  getChecklist,
  getConsoleOverview,
  postAgentRun,
} from './calls';
import {
  deleteInvitation,
  deleteMember,
  getAgentTeam,
  patchMember,
  postAcceptInvitation,
  postDeclineInvitation,
  postInvitation,
  postTransfer,
} from './team';

export const consoleEndpoints: Endpoint[] = [
  getAgentTeam,
  patchMember,
  deleteMember,
  postInvitation,
  deleteInvitation,
  postTransfer,
  postAcceptInvitation,
  postDeclineInvitation,
  getConsoleOverview,
  getAgentCalls,
  getAgentCall,
  getAgentStats,
  postAgentRun,
  getAgentRun,
  postLint,
  postRefresh,
  postRejectCard,
  postRestore,
  getChecklist,
  getPushes,
  postPushResend,
  postPushRecovery,
];
