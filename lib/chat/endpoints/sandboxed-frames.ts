import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { respond } from '../../http/respond';
import { cachedTextRoute } from '../../http/routes/cached-document';
import { requiredText } from '../../http/routes/json-route';
import { env } from '../../platform/runtime/env';
import { getArtifactPage, signImageUrl } from '..';
import { DIAGRAM_FRAME_CACHE_SECONDS, MAX_DIAGRAM_CHARACTERS, MAX_DIAGRAM_EDGES } from '../limits';
import { signImageUrlSchema } from '../schema';

/**
 * Returns the policy of the diagram frame, which may run only the script below, and cannot load resources, send data or
 * follow links. With `sandbox`, it has an opaque origin, even if opened as a page.
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

/** Receives a diagram from the parent page, draws it and reports its height. */
const draw = `
(() => {
  const send = (message) => parent.postMessage(message, '*');
  addEventListener('message', async ({ source, data }) => {
    if (source !== parent || typeof data?.diagram !== 'string') return;
    document.documentElement.style.colorScheme = data.dark ? 'dark' : 'light';
    try {
      mermaid.initialize({
        startOnLoad: false,
        securityLevel: 'strict',
        theme: data.dark ? 'dark' : 'default',
        maxTextSize: ${MAX_DIAGRAM_CHARACTERS},
        maxEdges: ${MAX_DIAGRAM_EDGES},
        suppressErrorRendering: true,
      });
      const { svg } = await mermaid.render('diagram', data.diagram);
      document.body.innerHTML = svg;
      send(Math.ceil(document.documentElement.getBoundingClientRect().height));
    } catch {
      send('failed');
    }
  });
  send('ready');
})();
`;

export const getDiagramFrame = endpoint({
  method: 'GET',
  path: '/api/chat/diagrams/frame',
  mediaType: 'text/html',
  docs: {
    tag: 'Chat',
    summary: 'Load the frame for diagrams',
    description: 'HTML for a sandboxed frame; its policy allows only the diagram script.',
  },
  serve: async () =>
    respond(200, frame, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': framePolicy(),
      'cache-control': `public, max-age=${DIAGRAM_FRAME_CACHE_SECONDS}`,
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    }),
});

/** Mermaid's bundle and the script that draws the diagram. */
export const getDiagramScript = endpoint({
  method: 'GET',
  path: '/api/chat/diagrams/script',
  mediaType: 'text/javascript',
  docs: { tag: 'Chat', summary: 'Load the script for diagrams' },
  serve: cachedTextRoute(async () => ({
    type: 'text/javascript; charset=utf-8',
    text: await loadScript(),
  })),
});

let script: Promise<string> | undefined;

function loadScript(): Promise<string> {
  script ??= readFile(path.resolve('dist/mermaid.min.js'), 'utf8').then((text) => text + draw);
  return script;
}

/**
 * The policy of HTML made by an agent: it cannot run scripts, load resources or navigate. With `sandbox`, it has an
 * opaque origin, even if opened as a page.
 */
const agentHtmlPolicy = [
  'sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

export const getTaskPage = endpoint({
  method: 'GET',
  path: '/api/chat/tasks/:id/page',
  auth: 'chat',
  query: z.object({ artifact: requiredText, part: z.string().optional() }),
  mediaType: 'text/html',
  docs: {
    tag: 'Chat',
    summary: 'Get a page that an agent created',
    description: 'HTML for a sandboxed frame; its policy blocks scripts and requests.',
  },
  handle: async ({ ctx, query: { artifact, part = '0' }, params: { id = '' } }) => {
    const html = await getArtifactPage({ ctx, input: { taskId: id, artifactId: artifact, part: Number(part) } });
    return respond(200, html, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': agentHtmlPolicy,
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  },
});

export const postImageUrl = endpoint({
  method: 'POST',
  path: '/api/chat/pictures',
  auth: 'chat',
  body: signImageUrlSchema,
  response: z.object({ src: z.string() }),
  errors: ['url_refused'],
  docs: {
    tag: 'Chat',
    summary: 'Load an image of an agent through Parley',
    description: 'Parley fetches and re-encodes the image, so its host does not see you.',
  },
  handle: async ({ ctx, input }) => signImageUrl({ ctx, input }),
});
