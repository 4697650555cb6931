export {
  acceptWorker,
  closeHub,
  countConnections,
  drainHub,
  HUB_PATH,
  namesSubprotocol,
  startHub,
} from './connections/accept-connections';
export { disconnectAll } from './connections/connect-worker';
export { openDelivery } from './deliveries';
export type { DeliveredRun, Delivery } from './delivery';
export { reserveWorker } from './dispatch';
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
