// Names of what the browser stores for the service worker. public/sw.js has the same database.

export const deviceDatabase = 'parley';

/** The user of this browser for whom notifications are on, in local storage. A new session subscribes again. */
export const pushUserItem = 'parley.web-push.user';

/**
 * Removes the copies of conversations and the mark that notifications are on. Does not wait, because the page is about to
 * be left; the next page removes what remains.
 */
export function forgetDeviceUser(): void {
  try {
    localStorage.removeItem(pushUserItem);
    indexedDB.deleteDatabase(deviceDatabase);
  } catch {
    // Disabled: nothing was stored.
  }
}
