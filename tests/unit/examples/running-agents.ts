import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

/** A folder of its own with the agents' bundles as `<slug>.mjs`, made from their sources of today. */
export async function bundleAgents(...slugs: string[]): Promise<{ folder: string; remove: () => void }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-agents-'));
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  await build({
    entryPoints: Object.fromEntries(slugs.map((slug) => [slug, `examples/agents/${slug}/main.ts`])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** A Parley that vouches for `token-<name>` as the person of that name, when our app asks. */
export async function startParley(): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    let form = '';
    for await (const chunk of request) form += chunk;
    if (request.headers.authorization !== `Basic ${Buffer.from('app_1:secret').toString('base64')}`) {
      response.writeHead(401).end('{}');
      return;
    }
    const sub = /^token-(\w+)$/.exec(new URLSearchParams(form).get('token') ?? '')?.[1];
    const exp = Math.floor(Date.now() / 1000) + 900;
    const claims = { active: true, sub, exp, client_id: 'parley-web', scope: 'agent:call', aud: 'https://p/agents/a' };
    response.end(JSON.stringify(sub ? claims : { active: false }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What an agent must be told to ask that Parley. */
export function credentialsFor(parleyUrl: string): Record<string, string> {
  return {
    PARLEY_URL: parleyUrl,
    PARLEY_CLIENT_ID: 'app_1',
    PARLEY_CLIENT_SECRET: 'secret',
    PARLEY_AUDIENCE: 'https://p/agents/a',
  };
}
