export { recordAgentCall, writeAgentCalls } from './agent-calls';
export { type CallLog, watchCall } from './call-log';
export { addGauge } from './gauges';
export { dropOldAgentCalls, listAgentCalls } from './store';
export { startTelemetry } from './telemetry';
