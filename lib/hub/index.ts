export { acceptWorker, closeHub, countConnections, drainHub, HUB_PATH, startHub } from './accept-connections';
export { isHubAgent } from './authenticate-worker';
export { openDelivery } from './deliveries';
export type { Delivery } from './delivery';
export { findPresence, getPresence } from './presence';
export { type RunSource, setRunSource } from './run-source';
