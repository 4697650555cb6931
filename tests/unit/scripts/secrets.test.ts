import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSecrets } from '../../../scripts/secrets.mjs';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'parley-secrets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function load(environment: Record<string, string> = {}): Record<string, string | undefined> {
  const target: Record<string, string | undefined> = { ...environment };
  loadSecrets({ dataDir, environment: target });
  return target;
}

test('the secret generator creates distinct 256-bit secrets, and returns the same ones at the next start', () => {
  const first = load();
  expect(Buffer.from(first.NEXTAUTH_SECRET ?? '', 'base64url')).toHaveLength(32);
  expect(Buffer.from(first.KEY_ENCRYPTION_KEY ?? '', 'base64url')).toHaveLength(32);
  expect(first.NEXTAUTH_SECRET).not.toBe(first.KEY_ENCRYPTION_KEY);
  expect(load()).toEqual(first);
});

test('the secrets file can be read only by its owner', () => {
  load();
  expect(statSync(path.join(dataDir, 'secrets.env')).mode & 0o777).toBe(0o600);
});

test('a secret in the environment takes precedence and is not stored', () => {
  const given = 'from-the-environment-0123456789-0123456789';
  expect(load({ NEXTAUTH_SECRET: given }).NEXTAUTH_SECRET).toBe(given);
  expect(readFileSync(path.join(dataDir, 'secrets.env'), 'utf8')).not.toContain(given);
});
