import { spawn } from 'node:child_process';
import { type AddressInfo, createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findingsOf } from '../../scripts/doctor/database.mjs';
import { createEmptyDatabase, createTestDatabase } from '../support/database';
import { freePort } from '../support/free-port';

const patience = 120_000;

/** Runs `parley` with only these variables; returns its exit code and output. */
function parley(args: string[], variables: Record<string, string> = {}): Promise<[number | null, string]> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production' as const, ...variables };
  const child = spawn(process.execPath, ['scripts/cli/main.mjs', ...args], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  return new Promise((resolve) => child.once('close', (code) => resolve([code, output])));
}

const WRONG: [string, RegExp][] = [
  [
    'start',
    /"start" is not a command; expected one of serve, migrate, shards, keys, fees, tax, x402, audit, backup, doctor/,
  ],
  ['serve --port 3000', /Unknown option '--port'; parley serve --help lists the options/],
  ['serve now', /found the argument "now"; expected at most 0; see parley serve --help/],
  ['migrate --dry-run', /Unknown option '--dry-run'; parley migrate --help/],
  ['shards add', /expected status, add NAME, close NAME, move OWNER NAME or drain NAME/],
  ['keys rotate token card', /found the argument "card"; expected at most 2/],
  ['fees set EUR', /expected no argument, or set CURRENCY BASIS_POINTS \[FIXED\]/],
  ['fees raise EUR 5', /expected no argument, or set CURRENCY BASIS_POINTS \[FIXED\]/],
  ['tax set DE 1900', /expected no argument, or set COUNTRY KIND BASIS_POINTS/],
  ['x402 refund xpm_1', /expected no argument, or one of the actions with its arguments/],
  ['x402 steal a b c', /expected no argument, or one of the actions with its arguments/],
  ['audit 1:a 2:b', /found the argument "2:b"; expected at most 1/],
  ['backup --to', /--to.*; parley backup --help lists the options/],
  [
    'backup delete x',
    /expected parley backup \[--to FOLDER\], parley backup verify BACKUP or parley backup restore BACKUP/,
  ],
  ['backup restore', /expected parley backup \[--to FOLDER\]/],
  ['doctor --fix', /Unknown option '--fix'; parley doctor --help/],
];

test.each(WRONG)(
  'parley %s exits with 2 and prints one line if it is used wrongly',
  async (line, expected) => {
    const [code, said] = await parley(line.split(' '));
    expect(said).toMatch(expected);
    expect(said).toMatch(/^parley: [^\n]+\n$/);
    expect(code).toBe(2);
  },
  patience,
);

test(
  'parley tax sets a rate, prints all of them, and refuses what is not one',
  async () => {
    const database = await createTestDatabase();
    try {
      const secret = 'a key of more than thirty-two characters';
      const variables = { DATABASE_URL: database.url, NEXTAUTH_SECRET: secret, KEY_ENCRYPTION_KEY: secret };
      expect((await parley(['tax'], variables))[1]).toMatch(/^no rates: invoices state no tax$/m);
      const [code, said] = await parley(['tax', 'set', 'DE', 'all', '1900', '--from', '2026-01-01'], variables);
      expect(said).toMatch(/^DE {2}charge {2}19 % since 2026-01-01T00:00:00\.000Z\nDE {2}order {2}19 % since 2026/m);
      expect(code).toBe(0);
      const WRONG_RATES: [string[], RegExp][] = [
        [['Germany', 'all', '1900'], /found the country "Germany"; expected an ISO 3166 code such as DE/],
        [['DE', 'carts', '1900'], /found "carts" for the kind of sale; expected order, charge or all/],
        [['DE', 'all', '19%'], /found "19%" for basis points; expected a whole number/],
        [['DE', 'all', '10001'], /found 10001 basis points; expected an integer from 0 to 10000/],
        [['DE', 'all', '5', '--from', 'soon'], /--from: found "soon"; expected a day/],
      ];
      for (const [words, expected] of WRONG_RATES) {
        const [failed, why] = await parley(['tax', 'set', ...words], variables);
        expect(why).toMatch(expected);
        expect(failed).not.toBe(0);
      }
    } finally {
      await database.drop();
    }
  },
  patience,
);

test(
  'parley fees sets a fee, prints all of them, and refuses what is not one',
  async () => {
    const database = await createTestDatabase();
    try {
      const secret = 'a key of more than thirty-two characters';
      const variables = { DATABASE_URL: database.url, NEXTAUTH_SECRET: secret, KEY_ENCRYPTION_KEY: secret };
      const [code, said] = await parley(['fees', 'set', 'GBP', '450', '20'], variables);
      expect(said).toMatch(/^EUR {2}5 % \+ 0 minor units$/m);
      expect(said).toMatch(/^GBP {2}4\.5 % \+ 20 minor units since 20/m);
      expect(code).toBe(0);
      const WRONG_FEES: [string[], RegExp][] = [
        [['GBP', '5%'], /found "5%" for basis points; expected a whole number/],
        [['GBP', '5001'], /found 5001 basis points/],
        [['GBP', '5', '0.3'], /found "0.3" for the fixed part/],
        [['pounds', '5'], /found the currency "pounds"; expected a code such as EUR/],
        [['GBP', '5', '--from', 'soon'], /--from: found "soon"; expected a day/],
        [['GBP', '5', '--from', '2020-01-01'], /because no fee begins in the past/],
      ];
      for (const [words, expected] of WRONG_FEES) {
        const [failed, why] = await parley(['fees', 'set', ...words], variables);
        expect(why).toMatch(expected);
        expect(failed).not.toBe(0);
      }
    } finally {
      await database.drop();
    }
  },
  patience,
);

test(
  'parley x402 prints what is owed, and refuses to record what is not',
  async () => {
    const database = await createTestDatabase();
    try {
      const secret = 'a key of more than thirty-two characters';
      const variables = { DATABASE_URL: database.url, NEXTAUTH_SECRET: secret, KEY_ENCRYPTION_KEY: secret };
      const [code, said] = await parley(['x402'], variables);
      expect(said).toBe('Owed to payers: 0\nOwed to sellers: 0\nUnclear: 0\n');
      expect(code).toBe(0);
      const WRONG_RECORDS: [string[], RegExp][] = [
        [['refund', 'xpm_1', '50', '0x1'], /There is no settled payment xpm_1/],
        [['refund', 'xpm_1', '0.50', '0x1'], /found "0.50" for the amount; expected a whole number/],
        [['payout', 'usr_1', 'USD', '50', '0x1'], /found "USD"; expected an asset such as USDC/],
        [['payout', 'usr_1', 'USDC', '50', '0x1'], /Found 0.50 USDC, but 0.00 USDC is owed/],
        [['taken', 'xpm_1', '0x 1'], /found "0x 1" for the transaction/],
        [['not-taken', 'xpm_1'], /There is no unclear payment xpm_1/],
      ];
      for (const [words, expected] of WRONG_RECORDS) {
        const [failed, why] = await parley(['x402', ...words], variables);
        expect(why).toMatch(expected);
        expect(failed).not.toBe(0);
      }
    } finally {
      await database.drop();
    }
  },
  patience,
);

test(
  'an unknown parley keys command returns an error that lists the known ones',
  async () => {
    const secret = 'a key of more than thirty-two characters';
    const variables = { DATABASE_URL: 'postgresql://db', NEXTAUTH_SECRET: secret, KEY_ENCRYPTION_KEY: secret };
    const [code, said] = await parley(['keys', 'rotate', 'door'], variables);
    expect(code).toBe(2);
    for (const verb of ['rotate token|card', 'remove <kid>', 'reencrypt'])
      expect(said).toContain(`parley keys ${verb}`);
  },
  patience,
);

test(
  'every command has a help text, and parley lists all commands if it has no arguments',
  async () => {
    const [code, overview] = await parley([]);
    expect(code).toBe(0);
    const names = [...overview.matchAll(/^ {2}(\w+) {2}/gm)].map(([, name]) => name ?? '');
    expect(names).toEqual(['serve', 'migrate', 'shards', 'keys', 'fees', 'tax', 'x402', 'audit', 'backup', 'doctor']);
    const helps = await Promise.all(names.map((name) => parley([name, '--help'])));
    for (const [index, [status, text]] of helps.entries()) {
      expect(status).toBe(0);
      expect(text).toContain(`Usage:\n  parley ${names[index]}`);
    }
  },
  patience,
);

interface Finding {
  check: string;
  status: string;
  found: string;
  advice?: string;
}

describe('parley doctor', () => {
  let complete: Record<string, string>;
  let taken: Server;

  beforeAll(async () => {
    const database = await createTestDatabase();
    taken = createServer((socket) => socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'));
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    complete = {
      DATABASE_URL: database.url,
      ...{
        NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET ?? '',
        KEY_ENCRYPTION_KEY: process.env.KEY_ENCRYPTION_KEY ?? '',
      },
      ...{ PORT: String(await freePort()), DATA_DIR: '/tmp', EMBEDDINGS: 'off' },
    };
    // The first command creates the signing keys, like a first node.
    const [code, said] = await parley(['keys', 'rotate', 'token'], complete);
    expect(code, said).toBe(0);
  }, patience);
  afterAll(() => taken.close());

  async function examine(
    variables: Record<string, string>,
  ): Promise<{ code: number | null; findings: Finding[]; said: string }> {
    const [code, said] = await parley(['doctor', '--json'], { ...complete, ...variables });
    return { code, said, findings: JSON.parse(said) };
  }

  test(
    'reports no failed check for a healthy installation',
    async () => {
      const { code, findings, said } = await examine({});
      expect(
        findings.filter(({ status }) => status === 'fail'),
        said,
      ).toEqual([]);
      expect(code).toBe(0);
      const checks = [
        'node',
        'secrets',
        'port',
        'variables',
        'database',
        'schema',
        'sessions',
        'budget',
        'replicas',
        'clock',
        'writable',
        'keys',
      ];
      expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(checks));
      const secrets = [
        complete.NEXTAUTH_SECRET,
        complete.KEY_ENCRYPTION_KEY,
        new URL(complete.DATABASE_URL ?? '').password,
      ];
      for (const secret of secrets.filter(Boolean)) expect(said).not.toContain(secret);
    },
    patience,
  );

  const clock = { NODE_OPTIONS: `--import ${path.resolve('tests/fakes/shifted-clock.mjs')}`, SHIFT_MS: '90000' };

  test.each<{
    is: string;
    variables: () => Record<string, string> | Promise<Record<string, string>>;
    check: string;
    found: RegExp;
    advice: RegExp;
    status?: string;
  }>([
    {
      is: 'no database responds',
      variables: () => ({ DATABASE_URL: 'postgresql://parley:hush@127.0.0.1:1/parley' }),
      ...{ check: 'database', found: /ECONNREFUSED/, advice: /check host, port, user and password/ },
    },
    {
      is: 'the schema is missing',
      variables: async () => ({ DATABASE_URL: (await createEmptyDatabase()).url }),
      ...{ check: 'schema', found: /no Parley schema, or an older one/, advice: /run parley migrate/ },
    },
    {
      is: 'KEY_ENCRYPTION_KEY is another one',
      variables: () => ({ KEY_ENCRYPTION_KEY: 'Another key with more than 32 characters' }),
      ...{ check: 'keys', found: /cannot decrypt 1 of 1 signing keys/, advice: /KEY_ENCRYPTION_KEY/ },
    },
    {
      is: 'a variable is invalid',
      variables: () => ({ RETENTION_DAYS: 'chat=soon' }),
      ...{ check: 'variables', found: /RETENTION_DAYS: found "chat=soon"/, advice: /\.env\.example/ },
    },
    {
      is: 'another program uses the port',
      variables: () => ({ PORT: String((taken.address() as AddressInfo).port) }),
      ...{ check: 'port', found: /another program uses 127\.0\.0\.1:\d+/, advice: /stop it, or choose another PORT/ },
    },
    {
      is: 'the clock differs by 90 s',
      variables: () => clock,
      ...{ check: 'clock', found: /clock is 90 s ahead of the database's/, advice: /NTP/ },
    },
    {
      is: 'NATS does not respond',
      variables: () => ({ NOTICES_URL: 'nats://user:hush@127.0.0.1:1' }),
      ...{ check: 'notices', found: /127\.0\.0\.1:1 does not respond/, advice: /start NATS/, status: 'warn' },
    },
    {
      is: 'a replica is the primary',
      variables: () => ({ DATABASE_REPLICA_URL: complete.DATABASE_URL ?? '' }),
      ...{ check: 'replicas', found: /: The server is not a standby/, advice: /DATABASE_REPLICA_URL/, status: 'warn' },
    },
    {
      is: 'a replica does not respond',
      variables: () => ({ DATABASE_REPLICA_URL: 'postgresql://parley:hush@127.0.0.1:1/parley' }),
      ...{ check: 'replicas', found: /127\.0\.0\.1:1: .*ECONNREFUSED/, advice: /DATABASE_REPLICA_URL/, status: 'warn' },
    },
  ])(
    'reports the finding and the required action: $is',
    async ({ variables, check, found, advice, status = 'fail' }) => {
      const { code, findings, said } = await examine(await variables());
      const finding = findings.find((each) => each.check === check);
      expect(finding, said).toMatchObject({ status });
      expect(finding?.found).toMatch(found);
      expect(finding?.advice).toMatch(advice);
      expect(
        findings.filter((each) => each.status === 'fail' && each.check !== check),
        said,
      ).toEqual([]);
      expect(code).toBe(status === 'fail' ? 1 : 0);
      expect(said).not.toContain('hush');
    },
    patience,
  );

  test('reports a server that is too old, and a standby', () => {
    const facts = {
      ...{ version: '15.2', standby: false, encoding: 'UTF8', foldsCase: true, mayCreate: true, mayUseTemporary: true },
      ...{ ownsTables: true, installed: ['pg_trgm 1.6'], available: [] },
    };
    expect(findingsOf(facts).database?.status).toBe('ok');
    const old = findingsOf({ ...facts, version: '14.9' });
    expect(old.database).toMatchObject({
      status: 'fail',
      found: 'PostgreSQL 14.9 is too old',
      advice: expect.stringContaining('15'),
    });
    expect(findingsOf({ ...facts, standby: true }).database).toMatchObject({
      status: 'fail',
      advice: 'set DATABASE_URL to the primary',
    });
  });
});
