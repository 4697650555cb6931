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
export { addGauge } from './gauges';
export { dropOldAgentCalls, listAgentCalls } from './store/agent-calls';
export {
  type AuditRecord,
  appendAudit,
  auditJson,
  deleteAuditPlaces,
  listAudit,
  recordAudit,
} from './store/audit';
export { startTelemetry } from './telemetry';
