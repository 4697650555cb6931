import { beforeEach, describe, expect, test } from 'vitest';
import { type Checks, getStatus, recordStatus } from '@/lib/status';
import type { ComponentStatus } from '@/lib/status/schema';
import { useTestDatabase } from '../../support/database';
import { query } from '../../support/sql';

useTestDatabase();

beforeEach(async () => {
  await query('test-no-checks', 'DELETE FROM status_check');
});

/** Every test has its own time: a response is cached for half a minute. */
let start = Date.parse('2026-05-20T10:00:00Z');
beforeEach(() => {
  start += 5 * 86_400_000;
});

const at = (minutes: number): Date => new Date(start + minutes * 60_000);
const finds = (ok: boolean): Checks => ({ web: async () => ok, database: async () => ok });

async function statusOf(component: string, now: Date): Promise<ComponentStatus | undefined> {
  const { components } = await getStatus({ ctx: { now } });
  return components.find((one) => one.component === component);
}

async function counted(): Promise<{ checks: number; failures: number } | undefined> {
  const text =
    "SELECT sum(checks)::int AS checks, sum(failures)::int AS failures FROM status_check WHERE component = 'web'";
  return (await query<{ checks: number; failures: number }>('test-counted', text))[0];
}

describe('Parley’s status', () => {
  test('is up while its checks pass, down from the first failure on, and unknown if there are no checks', async () => {
    expect(await getStatus({ ctx: { now: at(-9) } })).toEqual({ health: 'unknown', components: [], incidents: [] });
    await recordStatus(finds(true), at(0));
    expect(await statusOf('web', at(0))).toMatchObject({ health: 'up', uptime: 1, checkedAt: at(0).toISOString() });
    await recordStatus(finds(false), at(1));
    expect(await statusOf('web', at(1))).toMatchObject({ health: 'down', uptime: 0.5 });
    expect((await statusOf('web', at(30)))?.health).toBe('unknown');
  });

  test('counts several nodes’ results in one minute once, and as a failure if one of them failed', async () => {
    await recordStatus(finds(true), at(0));
    await recordStatus(finds(true), at(0.3));
    expect(await counted()).toEqual({ checks: 1, failures: 0 });
    await recordStatus(finds(false), at(0.5));
    await recordStatus(finds(true), at(0.6));
    await recordStatus(finds(false), at(0.7));
    expect(await counted()).toEqual({ checks: 1, failures: 1 });
    await recordStatus(finds(true), at(1));
    expect(await counted()).toEqual({ checks: 2, failures: 1 });
  });

  test('reports a time without stored results as an outage of every known part', async () => {
    await recordStatus(finds(true), at(0));
    await recordStatus({ ...finds(true), mail: async () => true }, at(121));
    expect(await counted()).toEqual({ checks: 122, failures: 120 });
    const { components, incidents } = await getStatus({ ctx: { now: at(121) } });
    expect(components.map(({ component, health }) => [component, health])).toEqual([
      ['web', 'up'],
      ['database', 'up'],
      ['mail', 'up'],
    ]);
    expect(incidents.map(({ component, from, to }) => ({ component, from, to }))).toEqual(
      ['web', 'database'].map((component) => ({ component, from: at(0).toISOString(), to: at(180).toISOString() })),
    );
    expect(components.find(({ component }) => component === 'mail')?.uptime).toBe(1);
  });

  test('does not count a late round as an outage', async () => {
    await recordStatus(finds(true), at(0));
    await recordStatus(finds(true), at(2.5));
    expect(await counted()).toEqual({ checks: 2, failures: 0 });
  });

  test('is read at most once per half minute, however many requests there are', async () => {
    await recordStatus(finds(true), at(0));
    const [first, second] = await Promise.all([
      getStatus({ ctx: { now: at(0) } }),
      getStatus({ ctx: { now: at(0.2) } }),
    ]);
    expect(second).toBe(first);
    expect(await getStatus({ ctx: { now: at(1) } })).not.toBe(first);
  });
});
