import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../support/free-port';

const digest = `sha256:${'ab'.repeat(32)}`;
const folder = mkdtempSync(path.join(tmpdir(), 'parley-images-'));
let registry: Server;
let host: string;

/** A registry that issues a token to every client and has one image. */
beforeAll(async () => {
  registry = createServer((request, response) => {
    const { url = '', headers } = request;
    if (url.startsWith('/token')) return response.end(JSON.stringify({ token: 'anonymous' }));
    if (headers.authorization !== 'Bearer anonymous') {
      const challenge = `Bearer realm="http://${host}/token",service="registry",scope="repository:library/node:pull"`;
      return response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
    if (url !== '/v2/library/node/manifests/20.1') return response.writeHead(404).end();
    return response.writeHead(200, { 'docker-content-digest': digest }).end();
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  host = `localhost:${(registry.address() as AddressInfo).port}`;
});

afterAll(() => {
  registry.close();
  rmSync(folder, { recursive: true });
});

function fileWith(text: string): string {
  const file = path.join(folder, 'Containerfile');
  writeFileSync(file, text);
  return file;
}

async function check(...args: string[]): Promise<{ status: number | null; errors: string }> {
  const child = spawn(process.execPath, ['scripts/check-images.mjs', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, errors };
}

test('the image check rejects a tag without a digest, and names the digest in the registry', async () => {
  const { status, errors } = await check(fileWith(`ARG NODE_IMAGE=${host}/library/node:20.1\n`));
  expect(status).toBe(1);
  expect(errors).toContain(`expected ${host}/library/node:20.1@${digest}`);
});

test('the image fix adds the digests to a file, which then passes', async () => {
  const file = fileWith(`services:\n  node:\n    image: ${host}/library/node:20.1\n  own:\n    image: parley:0.1.0\n`);
  expect(await check('--pin', file)).toEqual({ status: 0, errors: '' });
  expect(readFileSync(file, 'utf8')).toContain(`image: ${host}/library/node:20.1@${digest}\n`);
  expect(await check(file)).toEqual({ status: 0, errors: '' });
});

test('an image that is missing from the registry is an error, and no digest is added', async () => {
  const file = fileWith(`FROM ${host}/library/node:20.2\n`);
  const { status, errors } = await check('--pin', file);
  expect(status).toBe(1);
  expect(errors).toContain('responded 404');
  expect(readFileSync(file, 'utf8')).not.toContain('sha256');
});

test('an unreachable image registry is reported but does not fail the check', async () => {
  const away = `localhost:${await freePort()}`;
  const { status, errors } = await check(fileWith(`FROM ${away}/library/node:20.1\n`));
  expect(status).toBe(0);
  expect(errors).toContain('cannot be reached');
});
