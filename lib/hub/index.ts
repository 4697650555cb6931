export {
  acceptWorker,
  closeHub,
  countConnections,
  drainHub,
  HUB_PATH,
  namesSubprotocol,
  startHub,
} from './accept-connections';
export { disconnectAll } from './connections/connect-worker';
export type { DeliveredRun, Delivery } from './delivery';
export {
  type AgentCalls,
  type AgentSend,
  type CallingAgent,
  type FoundAgent,
  type HubRuns,
  hubPort,
  type SentTask,
} from './ports';
export { findPresence, getPresence } from './presence';
export { openDelivery } from './runs/deliveries';
export { reserveWorker } from './runs/dispatch';
export { reconnectWorker } from './runs/sessions';
