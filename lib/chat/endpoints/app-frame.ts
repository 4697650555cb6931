import { endpoint } from '../../http/endpoint';
import { respond } from '../../http/respond';
import { MAX_MCP_APP_MESSAGE, MCP_APP_BURST, MCP_APP_EXCESS, MCP_APP_MESSAGES_PER_SECOND } from '../../protocol/limits';
import { DIAGRAM_FRAME_CACHE_SECONDS } from '../limits';
import { guardedPage } from './app-guard';

/**
 * The policy of the sandbox and, because its page is written there, of every app: an opaque origin; scripts and styles
 * of the page itself; no requests, frames of other pages, forms or navigation.
 */
const policy = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'media-src data: blob:',
  'font-src data:',
  "connect-src 'none'",
  "frame-src 'none'",
  "worker-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/**
 * The sandbox proxy of MCP Apps: it writes the app into a frame of its own and passes messages on, at a limited rate.
 * Navigation of the app is blocked by the policy of this page, so that nothing of it reaches the policy of the chat.
 * A guard runs before the app's first script, against connections that no policy of a browser covers.
 */
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>App</title>
<style>html,body,iframe{margin:0;width:100%;height:100%;border:0;display:block;color-scheme:normal}</style>
<body></body>
<script>
(() => {
  const host = parent;
  const guarded = ${guardedPage};
  let app = null;
  let tokens = ${MCP_APP_BURST};
  let last = performance.now();
  let excess = 0;
  const send = (message) => host.postMessage(message, '*');
  const notify = (method) => send({ jsonrpc: '2.0', method, params: {} });
  const start = (html) => {
    app = document.createElement('iframe');
    app.setAttribute('sandbox', 'allow-scripts');
    app.referrerPolicy = 'no-referrer';
    app.title = 'App';
    app.srcdoc = guarded(html);
    document.body.append(app);
  };
  const admits = () => {
    const now = performance.now();
    tokens = Math.min(${MCP_APP_BURST}, tokens + ((now - last) / 1000) * ${MCP_APP_MESSAGES_PER_SECOND});
    last = now;
    if (tokens >= 1) {
      tokens -= 1;
      return true;
    }
    excess += 1;
    if (excess === ${MCP_APP_EXCESS}) {
      app.remove();
      app = null;
      notify('parley/stopped');
    }
    return false;
  };
  addEventListener('message', ({ source, data }) => {
    if (source === host && host !== window) {
      if (data?.method !== 'ui/notifications/sandbox-resource-ready') app?.contentWindow.postMessage(data, '*');
      else if (!app && typeof data.params?.html === 'string') start(data.params.html);
    } else if (app && source === app.contentWindow && admits()) {
      let text = '';
      try {
        text = JSON.stringify(data) ?? '';
      } catch {}
      const isOwn = /^(parley|ui\\/notifications\\/sandbox)/.test(data?.method);
      if (text.length > 2 && text.length <= ${MAX_MCP_APP_MESSAGE} && !isOwn) send(JSON.parse(text));
    }
  });
  if (host !== window) notify('ui/notifications/sandbox-proxy-ready');
})();
</script>
</html>
`;

export const getAppFrame = endpoint({
  method: 'GET',
  path: '/api/chat/apps/frame',
  mediaType: 'text/html',
  docs: {
    tag: 'Chat',
    summary: 'Load the sandbox for apps',
    description: 'HTML for a sandboxed frame (MCP Apps); its policy allows the scripts of an app, but no requests.',
  },
  serve: async () =>
    respond(200, page, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'permissions-policy':
        'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), midi=(), clipboard-read=(), clipboard-write=(), display-capture=(), fullscreen=(), publickey-credentials-get=(), browsing-topics=()',
      'cache-control': `public, max-age=${DIAGRAM_FRAME_CACHE_SECONDS}`,
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-dns-prefetch-control': 'off',
    }),
});
