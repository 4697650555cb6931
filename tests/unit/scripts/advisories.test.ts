import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';

/** `node scripts/advisories.mjs` with a registry that this test serves. */
let registry: Server | undefined;
afterEach(() => registry?.close());

async function run(advisories: object | null): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const server = createServer((request, response) => {
    if (advisories === null || !request.url?.endsWith('/advisories/bulk')) return response.writeHead(405).end();
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(advisories));
  });
  registry = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_update_notifier: 'false' };
  const child = spawn(process.execPath, ['scripts/advisories.mjs'], { env });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}

test('the advisory check fails for every advisory that applies to a locked dependency', async () => {
  const advisory = { id: 1, url: 'https://advisory.example/1', title: 'Reads files', severity: 'high' };
  const range = { ...advisory, vulnerable_versions: '<99.0.0', cwe: [], cvss: { score: 0, vectorString: null } };
  const { code, stderr } = await run({ nodemailer: [range] });
  expect(code).toBe(1);
  expect(stderr).toContain('nodemailer <99.0.0: high: Reads files (https://advisory.example/1)');
});

test('the advisory check reports that no advisory applies', async () => {
  const { code, stdout } = await run({});
  expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: 'no advisories apply to package-lock.json' });
});

test('the advisory check prints a notice and does not fail if the registry does not support advisories', async () => {
  const { code, stdout } = await run(null);
  expect(code).toBe(0);
  expect(stdout).toContain('advisories not checked');
});
