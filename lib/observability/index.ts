export { flushAgentCalls, recordAgentCall } from './agent-calls';
export {
  type AuditEntry,
  accountDeleted,
  accountExported,
  agentChanged,
  agentTransferred,
  appCreated,
  deviceDecided,
  grantRemoved,
  grantSet,
  keyChanged,
  merchantChanged,
  moderationDecided,
  moderationRequested,
  passkeyChanged,
  passwordChanged,
  paymentDecided,
  paymentLimitSet,
  secretChanged,
  sessionEnded,
  sessionStarted,
  teamChanged,
  tokenCreated,
  tokenRevoked,
} from './audit-events';
export { type CallLog, startCallLog } from './call-log';
export { addGauge } from './gauges';
export { pruneAgentCalls } from './store/agent-calls';
export {
  type AuditRecord,
  appendAudit,
  auditJson,
  deleteAuditClients,
  listAudit,
  recordAudit,
} from './store/audit';
export {
  type CallPosition,
  type StoredCall,
  selectAgentCall,
  selectAgentCalls,
  selectCallChoices,
  selectCallsOfRun,
  sumAgentCalls,
  sumAgentCallsBy,
} from './store/read-agent-calls';
export { selectIntrospections, selectTestResults, selectTestRun } from './store/test-runs';
export { startTelemetry } from './telemetry';
export { createTestRun, isFromConsole, recordIntrospection, syncTestedAgents } from './test-runs';
