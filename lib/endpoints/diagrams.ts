import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Endpoint } from '../http/endpoint';
import { cachedTextRoute } from '../http/routes/cached-document';
import { env } from '../platform/env';

/**
 * What the frame of a diagram may do: run the one script below and draw. `sandbox` gives it an origin of its own, also when
 * somebody opens the address by hand; it loads nothing else, sends nothing and leads nowhere (XSS-2).
 */
function framePolicy(): string {
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'self' ${new URL(env().APP_URL).origin}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

const frame = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Diagram</title>
<style>body{margin:0;padding:12px;display:flow-root}svg{display:block;margin:auto;max-width:100%;height:auto}</style>
<body></body>
<script src="/api/chat/diagrams/script"></script>
</html>
`;

/** Takes a diagram from the page around it, draws it and says how high it is. */
const draw = `
(() => {
  const tell = (message) => parent.postMessage(message, '*');
  addEventListener('message', async ({ source, data }) => {
    if (source !== parent || typeof data?.diagram !== 'string') return;
    document.documentElement.style.colorScheme = data.dark ? 'dark' : 'light';
    try {
      mermaid.initialize({
        startOnLoad: false,
        securityLevel: 'strict',
        theme: data.dark ? 'dark' : 'default',
        maxTextSize: 20000,
        maxEdges: 300,
        suppressErrorRendering: true,
      });
      const { svg } = await mermaid.render('diagram', data.diagram);
      document.body.innerHTML = svg;
      tell(Math.ceil(document.documentElement.getBoundingClientRect().height));
    } catch {
      tell('failed');
    }
  });
  tell('ready');
})();
`;

/** `GET /api/chat/diagrams/frame`: the page in which a diagram of an agent is drawn; it holds no diagram. */
export const getDiagramFrame: Endpoint = async () =>
  new Response(frame, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': framePolicy(),
      'cache-control': 'public, max-age=300',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });

/** `GET /api/chat/diagrams/script`: Mermaid, as its package has it, and the lines that call it. */
export const getDiagramScript: Endpoint = cachedTextRoute(async () => ({
  type: 'text/javascript; charset=utf-8',
  text: await loadScript(),
}));

let script: Promise<string> | undefined;

function loadScript(): Promise<string> {
  script ??= readFile(path.resolve('node_modules/mermaid/dist/mermaid.min.js'), 'utf8').then((text) => text + draw);
  return script;
}
