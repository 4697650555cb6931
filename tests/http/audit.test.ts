import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordAudit } from '@/lib/observability';
import { ensureSigningKeys, removeSigningKey, rotateKeys } from '@/lib/tokens';
import { fileDatabase } from '../support/database';
import { query } from '../support/sql';

let databaseUrl: string;

beforeAll(async () => {
  databaseUrl = (await fileDatabase()).url;
});

/** The command's exit code and output. */
function verify(...args: string[]): { status: number | null; said: string } {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/cli/main.mjs', 'audit', ...args], {
    env,
    encoding: 'utf8',
  });
  return { status, said: `${stdout}${stderr}`.trim() };
}

async function write(count: number, detail = ''): Promise<void> {
  const entry = { at: new Date(), event: 'grant.set', subject: 'usr_x', object: 'agt_x', detail } as const;
  await Promise.all(Array.from({ length: count }, () => recordAudit(entry)));
}

/** Changes the log as only a holder of the whole database can: bypassing the trigger. */
async function tamper(sql: string): Promise<void> {
  await query(`off-${sql}`, 'ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only');
  await query(sql, sql);
  await query(`on-${sql}`, 'ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_append_only');
}

describe('the audit log', () => {
  let mark: string;

  test('AUD-1 is complete after many concurrent entries, which are numbered without gaps', async () => {
    await write(50);
    const { status, said } = verify();
    expect(said).toMatch(/^50 entries verified; mark 50:[0-9a-f]{64}$/);
    expect(status).toBe(0);
    mark = said.split('mark ')[1] ?? '';
    await write(5);
    expect(verify(mark)).toMatchObject({ status: 0, said: expect.stringMatching(/^55 entries verified/) });
  });

  test.each([
    "UPDATE audit_entry SET detail = 'x' WHERE seq = 1",
    'DELETE FROM audit_entry WHERE seq = 1',
    'DELETE FROM audit_entry WHERE false',
    'TRUNCATE audit_entry',
  ])('AUD-1 is append-only: the database rejects %s', async (sql) => {
    await expect(query(sql, sql)).rejects.toThrow('audit_entry is append-only');
  });

  test('LOG-1 accepts no line breaks or control characters, so that no entry can look like two', async () => {
    for (const detail of ['a\nb', 'a\rb', '\u001b[31m', '\u007f']) {
      await expect(write(1, detail)).rejects.toThrow('audit_entry_no_control_characters');
    }
    expect(verify().status).toBe(0);
  });

  test('contains no entry for a change that is rolled back', async () => {
    await expect(query('undone', 'SELECT audit_append(\'{"at": "2026-01-01"}\'::jsonb)')).rejects.toThrow();
    expect(verify(mark).said).toMatch(/^55 entries verified/);
  });

  test('AUD-1 names the first altered entry', async () => {
    await tamper("UPDATE audit_entry SET detail = 'other' WHERE seq = 7");
    expect(verify()).toEqual({
      status: 1,
      said: 'parley: the audit log is broken: entry 7 was changed after it was written',
    });
    await tamper("UPDATE audit_entry SET detail = '' WHERE seq = 7");
    expect(verify().status).toBe(0);
  });

  test('AUD-1 names the first missing entry', async () => {
    await tamper('DELETE FROM audit_entry WHERE seq = 20');
    expect(verify()).toEqual({ status: 1, said: 'parley: the audit log is broken: entry 20 is missing' });
    await tamper('DELETE FROM audit_entry WHERE seq > 19');
  });

  test('AUD-1 reveals a truncated or rewritten end if a checkpoint was recorded', async () => {
    expect(verify().said).toMatch(/^19 entries verified/);
    expect(verify(mark)).toMatchObject({ status: 1, said: expect.stringContaining('it ends before entry 50') });
    await write(40);
    expect(verify().status).toBe(0);
    expect(verify(mark)).toMatchObject({
      status: 1,
      said: expect.stringContaining('entry 50 differs from the mark'),
    });
  });

  test('rejects an invalid checkpoint', () => {
    expect(verify('50')).toMatchObject({ status: 1, said: expect.stringContaining('expected a mark') });
  });
});

test('AUD-1 KEY-6 the audit log records signing keys that were added, removed in an emergency or retired', async () => {
  const now = new Date();
  const loggedDetails = async (event: string): Promise<string[]> => {
    const text = 'SELECT object FROM audit_entry WHERE event = $1 AND detail = $2 ORDER BY seq';
    return (await query<{ object: string }>('test-keys', text, [event, 'token'])).map(({ object }) => object);
  };
  await ensureSigningKeys(now);
  await rotateKeys({ now, purpose: 'token' });
  const [first = '', second = ''] = await loggedDetails('key.added');
  expect(await loggedDetails('key.removed')).toEqual([]);
  await removeSigningKey({ kid: second, now });
  expect(await loggedDetails('key.removed')).toEqual([second]);
  await query('test-retire', 'UPDATE signing_key SET retires_at = $1 WHERE kid = $2', [now, first]);
  await ensureSigningKeys(now);
  expect(await loggedDetails('key.removed')).toEqual([second, first]);
  expect(verify().status).toBe(0);
});
