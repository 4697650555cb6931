export { flushAgentCalls, recordAgentCall } from './agent-call-log';
export {
  type AuditEntry,
  accountDeleted,
  accountExported,
  agentChanged,
  agentTransferred,
  appChanged,
  changeUndone,
  clientBlocked,
  connectionDecided,
  connectionReused,
  connectionRevoked,
  deviceDecided,
  grantRemoved,
  grantSet,
  keyChanged,
  merchantChanged,
  moderationDecided,
  moderationRequested,
  paidByStanding,
  passkeyChanged,
  passwordChanged,
  paymentDecided,
  paymentLimitSet,
  priceDecided,
  recoveryChanged,
  saleAccepted,
  secretChanged,
  sessionEnded,
  sessionStarted,
  spendingLimitSet,
  spendingZoneSet,
  standingChanged,
  teamChanged,
  tokenCreated,
  tokenRevoked,
} from './audit-events';
export { type CallLog, countRouting, measureProcess, measureResponse, startCallLog } from './metrics';
export {
  type CallPosition,
  eraseCallContent,
  pruneAgentCalls,
  type StoredCall,
  selectAgentCall,
  selectAgentCalls,
  selectCallsOfRun,
  selectLatestCalls,
} from './store/agent-call-rows';
export { selectCallChoices, selectTestResults, sumAgentCalls, sumAgentCallsBy } from './store/agent-call-sums';
export {
  type AuditRecord,
  appendAudit,
  auditJson,
  deleteAuditClients,
  listAudit,
  recordAudit,
} from './store/audit';
export {
  type CallSlot,
  countMissingCalls,
  percentileOf,
  selectCallerCounts,
  selectCallSlots,
} from './store/call-hours';
export { selectIntrospections, selectTestRun } from './store/test-run-rows';
export { addGauge, addGauges, isTelemetryEnabled, startTelemetry } from './telemetry';
export { createTestRun, isFromConsole, recordIntrospection, syncTestedAgents } from './test-runs';
