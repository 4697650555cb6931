import { callApi } from '../../forms/call-api';
import { pushUserItem } from './device-names';

/** Set in a tab that has reported its subscription. */
const reportedItem = 'parley.web-push.reported';

/** `unsupported`: this browser has no Web Push, or, on iPhones, only after installation. `blocked`: by its settings. */
export type PushState = 'unsupported' | 'blocked' | 'off' | 'on';

/** Returns the state of notifications in this browser for a user. */
export async function readPushState(userId: string): Promise<PushState> {
  if (!('serviceWorker' in navigator && 'PushManager' in window) || typeof Notification === 'undefined')
    return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  if (Notification.permission !== 'granted' || localStorage.getItem(pushUserItem) !== userId) return 'off';
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ? 'on' : 'off';
}

/**
 * Asks for the permission and subscribes this browser. Must be called by a press of the user.
 * @throws {Error} with the API's message, for display
 */
export async function turnOnPush(userId: string, publicKey: string): Promise<PushState> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'off';
  await navigator.serviceWorker.register('/sw.js');
  await report(await subscribe(publicKey));
  localStorage.setItem(pushUserItem, userId);
  return 'on';
}

/** Ends the subscription of this browser. The server removes it with its device. */
export async function turnOffPush(): Promise<void> {
  localStorage.removeItem(pushUserItem);
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/**
 * Registers the service worker for a user, with the texts of the offline page as JSON; without one, removes what it
 * keeps of the previous user.
 */
export async function startDevice(userId: string | null, json: string): Promise<void> {
  const { serviceWorker } = navigator;
  if (userId === null) return serviceWorker.controller?.postMessage({ userId });
  await serviceWorker.register('/sw.js');
  const { lang: language, dir: direction } = document.documentElement;
  const texts = { ...JSON.parse(json), language, direction };
  (await serviceWorker.ready).active?.postMessage({ userId, texts });
  if (localStorage.getItem(pushUserItem) === userId) await refreshPush(userId);
}

/** Reports the subscription of this browser once per tab, because it may belong to an earlier session of the user. */
async function refreshPush(userId: string): Promise<void> {
  if (sessionStorage.getItem(reportedItem) === userId || (await readPushState(userId)) !== 'on') return;
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.getSubscription();
  if (subscription) await report(subscription);
  sessionStorage.setItem(reportedItem, userId);
}

async function subscribe(publicKey: string): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    // A subscription with another key, of an earlier installation at this address.
    const existing = await pushManager.getSubscription();
    if (!existing) throw error;
    await existing.unsubscribe();
    return pushManager.subscribe(options);
  }
}

async function report(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const response = await callApi('POST', '/api/web-push/devices', { endpoint, keys });
  if (!response.ok) throw new Error(response.problem.title);
}

/** Reports that this page displays the end of a conversation, and closes its notification on this device. */
export async function reportSeen(conversationId: string, path: string): Promise<void> {
  await callApi('POST', '/api/web-push/seen', { conversationId });
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? []) {
    if (String(notification.data?.url).split('?')[0] === path) notification.close();
  }
}
