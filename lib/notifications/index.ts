export { pruneWebPush, startWebPush, stopWebPush, sweepEvents } from './delivery-worker';
export { markSeen, removeDevice, subscribeDevice } from './devices';
export { getWebPush, updateWebPush } from './settings';
export { hasDevices } from './store/device-rows';
