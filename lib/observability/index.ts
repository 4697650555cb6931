export { recordAgentCall, writeAgentCalls } from './agent-calls';
export {
  type AuditEntry,
  accountDeleted,
  accountExported,
  agentChanged,
  appCreated,
  deviceDecided,
  grantRemoved,
  grantSet,
  keyChanged,
  merchantChanged,
  passkeyChanged,
  passwordChanged,
  paymentDecided,
  paymentLimitSet,
  secretChanged,
  sessionEnded,
  sessionStarted,
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
