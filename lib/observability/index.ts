export { recordAgentCall, writeAgentCalls } from './agent-calls';
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
  moderationAsked,
  moderationDecided,
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
export { type CallLog, watchCall } from './call-log';
export { beginConsoleRun, isFromConsole, noteIntrospection, watchTests } from './console-runs';
export { addGauge } from './gauges';
export { dropOldAgentCalls } from './store/agent-calls';
export {
  type AuditRecord,
  appendAudit,
  auditJson,
  deleteAuditPlaces,
  listAudit,
  recordAudit,
} from './store/audit';
export { selectNotes, selectRun, selectTestResults } from './store/console-runs';
export {
  type CallPosition,
  type CallSums,
  type StoredCall,
  selectAgentCall,
  selectAgentCalls,
  selectCallChoices,
  selectCallsOfRun,
  sumAgentCalls,
  sumAgentCallsBy,
} from './store/read-agent-calls';
export { startTelemetry } from './telemetry';
