import { postLint, postRefresh, postRejectCard, postRestore } from '../../catalog/endpoints/card-updates';
import type { Endpoint } from '../../http/endpoint';
import { getPushes, postPushRecovery, postPushResend } from '../../tasks/endpoints/push';
import {
  getAgentCall,
  getAgentCalls,
  getAgentRun,
  getAgentStats,
  getChecklist,
  getConsoleOverview,
  postAgentChecks,
  postAgentRun,
} from './call-endpoints';
import {
  deleteInvitation,
  deleteMember,
  getAgentTeam,
  patchMember,
  postAcceptInvitation,
  postDeclineInvitation,
  postInvitation,
  postTransfer,
} from './team-endpoints';

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
  postAgentChecks,
  postLint,
  postRefresh,
  postRejectCard,
  postRestore,
  getChecklist,
  getPushes,
  postPushResend,
  postPushRecovery,
];
