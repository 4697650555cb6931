import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { decodeJwt } from 'jose';
import { sdkSources } from '@/scripts/bundle.mjs';
import { goodToken } from '../tokens/hostile-tokens';

/** A private folder with the agents' bundles as `<slug>.mjs`, built from current sources. */
export async function bundleAgents(...slugs: string[]): Promise<{ folder: string; remove: () => void }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-agents-'));
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  await build({
    entryPoints: Object.fromEntries(slugs.map((slug) => [slug, `examples/agents/${slug}/main.ts`])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    alias: sdkSources(),
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

const AGENT = 'a';
const KEY_ID = 'tok-000000000000000000000000';

interface FakeParley {
  url: string;
  /** The token with which this user calls the agent. */
  tokenOf(person: string): string;
  stop(): Promise<void>;
}

/** A Parley that publishes its keys, and reports every token it signed as active to our app. */
export async function startParley(): Promise<FakeParley> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const tokens = new Map<string, string>();
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  const server = createServer(async (request, response) => {
    if (request.url === '/.well-known/jwks.json') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
      return;
    }
    let form = '';
    for await (const chunk of request) form += chunk;
    if (request.headers.authorization !== `Basic ${Buffer.from('app_1:secret').toString('base64')}`) {
      response.writeHead(401).end('{}');
      return;
    }
    response.end(JSON.stringify({ active: true, ...decodeJwt(new URLSearchParams(form).get('token') ?? '') }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    tokenOf(person) {
      const token =
        tokens.get(person) ?? goodToken({ kid: KEY_ID, privateKey, claims: claimsOf(url, person), canary: '' });
      tokens.set(person, token);
      return token;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function claimsOf(url: string, sub: string): Record<string, unknown> {
  const iat = Math.floor(Date.now() / 1000);
  const times = { iat, exp: iat + 900, jti: randomUUID() };
  const agent = { aud: `${url}/agents/${AGENT}`, agent_id: 'agt_1', agent_slug: AGENT };
  return { iss: url, sub, client_id: 'parley-web', scope: 'agent:call', ...agent, ...times };
}

/** Settings with which an agent introspects at that Parley. */
export function credentialsFor(parleyUrl: string): Record<string, string> {
  return {
    PARLEY_URL: parleyUrl,
    PARLEY_AGENT: AGENT,
    PARLEY_CLIENT_ID: 'app_1',
    PARLEY_CLIENT_SECRET: 'secret',
  };
}
