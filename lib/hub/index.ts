export {
  acceptWorker,
  closeHub,
  countConnections,
  drainHub,
  HUB_PATH,
  namesSubprotocol,
  startHub,
} from './accept-connections';
export {
  type AgentCalls,
  type AgentSend,
  type CallingAgent,
  type FoundAgent,
  type SentTask,
  setAgentCalls,
} from './agent-calls';
export { isHubAgent } from './authenticate-worker';
export { disconnectAll } from './connect-worker';
export { openDelivery } from './deliveries';
export type { DeliveredRun, Delivery } from './delivery';
export { reserveWorker } from './dispatch';
export { findPresence, getPresence } from './presence';
export { type RunSource, setRunSource } from './run-source';
