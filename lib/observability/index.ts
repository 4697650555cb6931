export { type CallLog, watchCall } from './call-log';
export { addGauge } from './gauges';
export { recordCallError } from './record-call-error';
export { listCallErrors } from './store';
export { startTelemetry } from './telemetry';
