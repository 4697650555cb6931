export { startBus, stopBus } from './connection';
export { keepInterest, onConnectionGap, onNoticeGap, subscribe, subscribedKeys } from './listeners';
export { looksForNotices, noticePollMs } from './nats-transport';
export {
  deliverMissed,
  describeNotices,
  isCarriedByNats,
  notifyPayload,
  notifyStatements,
  publish,
  publishCommitted,
  publishLocally,
} from './publish';
export { busLagMs, canSeePeers, isListening, isOnlyNode, nodeId, nodeIsDeadSql, nodeIsSilentSql } from './state';
export type { Topic } from './topics';
