export { startBus, stopBus } from './connection';
export { looksForNotices, noticePollMs } from './nats-transport';
export {
  deliverMissed,
  describeNotices,
  isCarriedByNats,
  keepInterest,
  notifyPayload,
  notifyStatements,
  onConnectionGap,
  onNoticeGap,
  publish,
  publishCommitted,
  publishLocally,
  subscribe,
  subscribedKeys,
} from './notifications';
export {
  busLagMs,
  canSeePeers,
  doPeersReadEvents,
  isListening,
  isOnlyNode,
  nodeId,
  nodeIsDeadSql,
  nodeIsSilentSql,
} from './state';
export { startTaskListeners, stopTaskListeners } from './task-listeners';
export type { Topic } from './topics';
