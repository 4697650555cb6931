import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator, Page } from '@playwright/test';
import * as agent03 from '../fakes/a2a03';
import type { ScriptedAgent } from '../fakes/scripted-agent';
import { history, say } from './chat-fixture';

/** An app for the choice of a seat: it shows the result of its call, and asks for a link, a message and a tool. */
export const seatApp = `<!doctype html>
<html lang="en">
<title>Seats</title>
<style>
  body{margin:0;padding:16px;font:16px var(--font-sans, sans-serif);background:var(--color-background-primary,#fff);color:var(--color-text-primary,#111)}
  button{font:inherit;min-height:44px;margin:4px;padding:0 16px;border-radius:8px;border:1px solid var(--color-border-primary,#666);background:transparent;color:inherit}
</style>
<main><h1 id="title">Loading</h1><p id="state">none</p>
<button id="link">Seat map</button><button id="say">Take 12A</button><button id="tool">Hold 12A</button></main>
<script>
  let next = 1;
  const waiting = new Map();
  const call = (method, params) => new Promise((resolve) => {
    waiting.set(next, resolve);
    parent.postMessage({ jsonrpc: '2.0', id: next++, method, params }, '*');
  });
  const show = (text) => { document.getElementById('state').textContent = text; };
  addEventListener('message', ({ data }) => {
    if (waiting.has(data.id)) { waiting.get(data.id)(data); waiting.delete(data.id); }
    if (data.method === 'ui/notifications/tool-input') document.getElementById('title').textContent = 'Flight ' + data.params.arguments.flight;
    if (data.method === 'ui/notifications/tool-result') show(data.params.content[0].text);
  });
  document.getElementById('link').onclick = async () => show('link ' + JSON.stringify((await call('ui/open-link', { url: 'https://seats.example/map' })).result));
  document.getElementById('say').onclick = async () => show('message ' + JSON.stringify((await call('ui/message', { role: 'user', content: [{ type: 'text', text: 'Take seat 12A' }] })).result));
  document.getElementById('tool').onclick = async () => show('tool ' + JSON.stringify((await call('tools/call', { name: 'hold_seat', arguments: { seat: '12A' } })).result.isError));
  (async () => {
    const { result } = await call('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'seats', version: '1' }, appCapabilities: {} });
    for (const [name, value] of Object.entries(result.hostContext.styles.variables)) document.documentElement.style.setProperty(name, value);
    parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized' }, '*');
    parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height: document.documentElement.getBoundingClientRect().height } }, '*');
  })();
</script>
</html>`;

/** The agent answers with this app and waits; each further message is answered with "Done". */
export function showsApp(agent: ScriptedAgent, html: string): void {
  agent.answer(({ received, result, end }) => {
    const { taskId } = received.params.message ?? {};
    const id = taskId ?? randomUUID();
    result(agent03.task(id, 'working'));
    if (taskId) {
      result(agent03.status(id, 'completed', 'Done'));
      return end();
    }
    const file = {
      bytes: Buffer.from(html).toString('base64'),
      mimeType: 'text/html;profile=mcp-app',
      name: 'seats.html',
    };
    const call = {
      tool: 'seats',
      arguments: { flight: 'PA 12' },
      result: { content: [{ type: 'text', text: '3 seats are free' }] },
    };
    const metadata = { 'mcp.resourceUri': 'ui://seats/map.html', 'mcp.call': call };
    const artifact = { artifactId: 'app', name: 'Seats', parts: [{ kind: 'file', file, metadata }] };
    result({
      kind: 'artifact-update',
      taskId: id,
      contextId: 'agent-context',
      artifact,
      append: false,
      lastChunk: true,
    });
    result(agent03.status(id, 'input-required', 'Choose a seat'));
    end();
  });
}

/** The messages that the agent received. Parley may also ask for the state of waiting tasks. */
export function messagesTo({ received }: ScriptedAgent) {
  return received.flatMap(({ params }) => params?.message ?? []);
}

/** Opens a conversation in which the agent has sent an app, and starts the app. */
export async function openApp(page: Page, slug: string): Promise<FrameLocator> {
  await page.goto(`/chat/new?agent=${slug}`);
  await say(page, 'Choose a seat');
  await page.waitForURL(/\/chat\/cnv_/);
  await history(page).getByRole('button', { name: 'Open app' }).click();
  return history(page).frameLocator('iframe[title^="App from"]').frameLocator('iframe');
}

/**
 * An app that makes a document within itself in every way. Each document would connect by WebRTC, and reports that it
 * ran. The app also connects by hints, and replaces the functions that a guard in its document could use.
 */
export function nestedApp(url: string, port: number): string {
  const connect = `const p = new RTCPeerConnection({ iceServers: [{ urls: &quot;stun:127.0.0.1:${port}&quot; }] }); p.createDataChannel(&quot;x&quot;); p.createOffer().then((o) => p.setLocalDescription(o))`;
  const frame = (name: string): string =>
    `<iframe srcdoc="<script>parent.postMessage({ ran: &quot;${name}&quot; }, &quot;*&quot;); ${connect}&lt;/script>"></iframe>`;
  const hidden = (name: string): string =>
    `<div><template shadowrootmode="closed" ShadowRootClonable>${frame(name)}</template></div>`;
  return `<!doctype html><title>Nested</title>
<link rel="preconnect" href="${url}"><link rel="dns-prefetch" href="${url}">
<body><p id="done"></p><div id="place"></div>${frame('markup')}${hidden('hidden')}<iframe src="javascript:${connect}"></iframe>
<script>
  const ran = [];
  addEventListener('message', ({ data }) => { if (data.ran) ran.push(data.ran); });
  const markup = (name) => ${JSON.stringify(frame('NAME')).replaceAll('</', '<\\/').replaceAll('<script', '<\\u0073cript')}.replace('NAME', name);
  const hidden = (name) => '<div><template shadowroot' + 'mode="closed">' + markup(name) + '</template></div>';
  const parsed = (name) => new DOMParser().parseFromString(markup(name), 'text/html').body.firstChild;
  const text = (name) => parsed(name).getAttribute('srcdoc');
  const created = (set) => { const f = document.createElement('iframe'); set(f); document.body.append(f); return f; };
  const host = (mode) => { const e = document.createElement('div'); return [e, e.attachShadow(mode)]; };
  const ways = {
    inner: () => { place.innerHTML = markup('inner'); },
    property: () => created((f) => { f.srcdoc = text('property'); }),
    attribute: () => created((f) => f.setAttribute('srcdoc', text('attribute'))),
    later: () => { created(() => {}).srcdoc = text('later'); },
    adopted: () => document.body.append(parsed('adopted')),
    write: () => document.write(markup('write')),
    hiddenWrite: () => document.write(hidden('hiddenWrite')),
    open: () => { const [e, root] = host({ mode: 'open' }); document.body.append(e); root.innerHTML = markup('open'); },
    closed: () => { const [e, root] = host({ mode: 'closed' }); root.innerHTML = markup('closed'); document.body.append(e); },
    cloned: () => { const [e, root] = host({ mode: 'closed', clonable: true }); root.innerHTML = markup('cloned'); document.body.append(e.cloneNode(true)); },
    unsafe: () => place.setHTMLUnsafe(hidden('unsafe')),
    parsed: () => document.body.append(Document.parseHTMLUnsafe(hidden('parsed')).body.firstChild),
    script: () => created((f) => { f.src = 'javascript:' + ${JSON.stringify(connect.replaceAll('&quot;', "'"))}; }),
    blank: () => new (created(() => {}).contentWindow.RTCPeerConnection)({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] }).createDataChannel('x'),
    location: () => created(() => {}).contentWindow.location.replace('${url}/nested'),
    hint: () => { for (const rel of ['preconnect', 'dns-prefetch']) document.head.append(Object.assign(document.createElement('link'), { rel, href: '${url}' })); },
    replaced: () => {
      Element.prototype.querySelector = Document.prototype.querySelector = Element.prototype.remove = () => null;
      MutationObserver.prototype.observe = Reflect.apply = Function.prototype.call = () => {};
      place.innerHTML = markup('replaced');
    },
  };
  (async () => {
    for (const way of Object.values(ways)) {
      try { way(); } catch {}
      await new Promise((next) => setTimeout(next, 50));
    }
    setTimeout(() => { done.textContent = 'ran: ' + ran.join(' '); }, 1000);
  })();
</script>`;
}

/** A host that must never be asked: it counts connections, requests and datagrams. */
export interface OtherHost {
  url: string;
  port: number;
  contacts: string[];
  stop: () => Promise<void>;
}

export async function startOtherHost(): Promise<OtherHost> {
  const contacts: string[] = [];
  const server = createServer((request, response) => {
    contacts.push(`${request.method} ${request.url}`);
    response.end('ok');
  });
  server.on('connection', () => contacts.push('connection'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = createSocket('udp4');
  socket.on('message', () => contacts.push('datagram'));
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  return {
    ...{ url: `http://127.0.0.1:${port}`, port, contacts },
    stop: async () => {
      socket.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
