// Names of what the browser stores for the service worker. public/sw.js has the same database.

export const deviceDatabase = 'parley';

/** The user of this browser for whom notifications are on, in local storage. A new session subscribes again. */
export const pushUserItem = 'parley.web-push.user';
