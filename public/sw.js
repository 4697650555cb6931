// The service worker: notifications, pages without a network, and what other apps share. Every response comes from the
// network unless there is none. components/shell/device/device-store.ts writes what is read here.

const databaseName = 'parley';
const sharePath = '/chat/share';
const maxSharedFiles = 10;
const maxSharedBytes = 25_000_000;

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode !== 'navigate') return;
  if (request.method === 'GET') event.respondWith(navigate(event));
  else if (new URL(request.url).pathname === sharePath) event.respondWith(receiveShare(request));
});

/** The page from the network; without one, the copy of the conversation, or the list of copies. */
async function navigate(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return offlinePage(new URL(event.request.url));
  }
}

/** Stores what another app shares on this device, for the composer. Uploads nothing. */
async function receiveShare(request) {
  try {
    const form = await request.formData();
    const text = ['title', 'text', 'url']
      .map((name) => form.get(name))
      .filter((value) => typeof value === 'string' && value !== '')
      .join('\n');
    const files = form.getAll('files').filter((file) => file instanceof File);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const isTooMuch = files.length > maxSharedFiles || bytes > maxSharedBytes;
    await write('shared', { id: 'share', text, files: isTooMuch ? [] : files, isTooMuch, at: Date.now() });
  } catch {
    // Storage is full or disabled: the composer opens empty.
  }
  return Response.redirect('/chat/start', 303);
}

self.addEventListener('message', (event) => event.waitUntil(receive(event.data)));

/** Receives the user of a page, null if no one is signed in, or the id of a conversation that was deleted. */
async function receive({ removed, userId, texts }) {
  if (removed) return use('conversations', 'readwrite', (rows) => rows.delete(removed));
  const owner = await use('meta', 'readonly', (rows) => rows.get('owner'));
  if (!userId || owner?.value !== userId) await use('conversations', 'readwrite', (rows) => rows.clear());
  if (owner?.value && owner.value !== userId) await endNotifications();
  await write('meta', { id: 'owner', value: userId });
  if (userId) await write('meta', { id: 'texts', ...texts });
}

/** Ends the subscription of the previous user, and closes what it displays. */
async function endNotifications() {
  await use('shared', 'readwrite', (rows) => rows.clear());
  for (const notification of await self.registration.getNotifications()) notification.close();
  await (await self.registration.pushManager?.getSubscription())?.unsubscribe();
}

self.addEventListener('push', (event) => event.waitUntil(show(event.data)));

/** Displays a message, unless a page that displays it has the focus. */
async function show(data) {
  const { title, body, tag, url, at } = data.json();
  const path = new URL(url, self.location.origin).pathname;
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (pages.some((page) => page.focused && new URL(page.url).pathname === path)) return;
  await self.registration.showNotification(title, {
    body,
    tag,
    timestamp: at,
    icon: '/icons/icon-192.png',
    badge: '/icons/badge-96.png',
    data: { url },
  });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

/** Opens a path of this site in the window that displays its page, otherwise in a new one or, if refused, in any. */
async function open(url) {
  const target = new URL(url, self.location.origin);
  if (target.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: 'window' });
  const page = pages.find((one) => new URL(one.url).pathname === target.pathname);
  if (!page) return self.clients.openWindow(target.href).catch(() => pages[0]?.navigate(target.href));
  await page.focus().catch(() => undefined);
  await page.navigate(target.href);
}

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)));

/** Reports the subscription with which the browser replaced an earlier one. */
async function renew({ oldSubscription, newSubscription }) {
  const key = oldSubscription?.options.applicationServerKey;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = newSubscription ?? (key && (await self.registration.pushManager.subscribe(options)));
  const owner = await use('meta', 'readonly', (rows) => rows.get('owner'));
  if (!subscription || !owner?.value) return;
  const { endpoint, keys } = subscription.toJSON();
  const headers = { 'content-type': 'application/json' };
  await fetch('/api/web-push/devices', { method: 'POST', headers, body: JSON.stringify({ endpoint, keys }) });
}

function database() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(databaseName, 1);
    opening.onupgradeneeded = () => {
      for (const name of ['conversations', 'shared', 'meta']) opening.result.createObjectStore(name, { keyPath: 'id' });
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}

async function use(store, mode, call) {
  const opened = await database();
  try {
    return await new Promise((resolve, reject) => {
      const request = call(opened.transaction(store, mode).objectStore(store));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } finally {
    opened.close();
  }
}

function write(store, value) {
  return use(store, 'readwrite', (rows) => rows.put(value));
}

const defaultTexts = {
  title: 'You are offline',
  lead: 'This page needs a network connection.',
  retry: 'Try again',
  saved: 'Conversations last read on this device',
  copy: 'Read-only copy from this device',
  you: 'You',
  language: 'en',
  direction: 'ltr',
};

async function offlinePage({ pathname, href }) {
  let conversations = [];
  let texts = defaultTexts;
  try {
    conversations = await use('conversations', 'readonly', (rows) => rows.getAll());
    texts = { ...defaultTexts, ...(await use('meta', 'readonly', (rows) => rows.get('texts'))) };
  } catch {
    // Storage is disabled: the page without copies.
  }
  const id = pathname.startsWith('/chat/') ? decodeURIComponent(pathname.slice('/chat/'.length)) : null;
  const conversation = conversations.find((one) => one.id === id);
  const retry = `<p><a class="button" href="${escapeHtml(href)}">${escapeHtml(texts.retry)}</a></p>`;
  const content = conversation ? copyOf(conversation, texts) : listOf(conversations, texts);
  return new Response(documentOf({ title: conversation?.title ?? texts.title, content: content + retry, texts }), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    },
  });
}

function copyOf({ title, agent, messages, readAt }, texts) {
  const shown = messages.map(({ role, text }) => {
    const author = role === 'user' ? texts.you : agent;
    return `<section class="${role === 'user' ? 'user' : 'agent'}"><h2>${escapeHtml(author)}</h2><p>${escapeHtml(text)}</p></section>`;
  });
  const time = new Date(readAt).toLocaleString(texts.language);
  return `<h1>${escapeHtml(title)}</h1><p class="note">${escapeHtml(texts.copy)} · ${escapeHtml(time)}</p>${shown.join('')}`;
}

function listOf(conversations, texts) {
  const rows = conversations
    .sort((a, b) => b.readAt - a.readAt)
    .map(({ id, title, agent }) => {
      const href = escapeHtml(`/chat/${encodeURIComponent(id)}`);
      return `<li><a href="${href}">${escapeHtml(title)}</a> <span class="note">${escapeHtml(agent)}</span></li>`;
    });
  const list = rows.length > 0 ? `<h2>${escapeHtml(texts.saved)}</h2><ul>${rows.join('')}</ul>` : '';
  return `<h1>${escapeHtml(texts.title)}</h1><p class="note">${escapeHtml(texts.lead)}</p>${list}`;
}

function documentOf({ title, content, texts }) {
  return `<!doctype html><html lang="${escapeHtml(texts.language)}" dir="${escapeHtml(texts.direction)}"><head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${escapeHtml(title)}</title><style>
:root{color-scheme:light dark;--canvas:#faf9f6;--ink:#16222b;--muted:#55626c;--line:#d8d5cc;--surface:#fff;--accent:#0b5c7a}
@media (prefers-color-scheme:dark){:root{--canvas:#08141c;--ink:#e8edf0;--muted:#9fb0bb;--line:#243540;--surface:#0f1f29;--accent:#7cc7e8}}
body{margin:0;background:var(--canvas);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto;padding:max(1.5rem,env(safe-area-inset-top)) max(1rem,env(safe-area-inset-right)) max(2rem,env(safe-area-inset-bottom)) max(1rem,env(safe-area-inset-left))}
h1{font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}h2{font-size:.875rem;margin:1.5rem 0 .25rem}
.note{color:var(--muted);font-size:.875rem}a{color:var(--accent)}ul{list-style:none;padding:0;margin:0}
li{border-top:1px solid var(--line);padding:.75rem 0;overflow-wrap:anywhere}li a{font-weight:500}
section p{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
section.user p{background:var(--surface);border:1px solid var(--line);border-radius:.75rem;padding:.625rem .875rem}
.button{display:inline-block;margin-top:1.5rem;padding:.625rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--surface);text-decoration:none}
</style></head><body><main>${content}</main></body></html>`;
}

function escapeHtml(text) {
  return String(text).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
