import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parseRetention, type RetentionKind } from '../schema-retention';
import { DAY_MS } from '../time';
import { databaseUrlsOf, replicaUrlsOf, taskDatabasesOf } from './database-url';
import { once } from './once';

const flag = z.enum(['0', '1']).transform((value) => value === '1');
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
const networksExpected = 'expected IP addresses or networks, such as 10.0.0.0/8,::1';
function isNetwork(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}
const originExpected = 'expected an origin such as https://parley.example, without a path';
const origin = z
  .url({ protocol: /^https?$/, error: originExpected, abort: true })
  .refine((value) => new URL(value).origin === value.replace(/\/$/, ''), originExpected);
/** The Stripe key is sent to this URL, so it must be that of a fake on the same machine. */
const loopbackExpected = 'expected a URL of this machine, such as http://127.0.0.1:12111';
function isLoopback(host: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(host);
}
const databaseExpected =
  'expected postgresql://user:password@host:5432/database, or several hosts: host1:5432,host2:5432';
const replicaExpected =
  'expected the URL of one or several standbys: postgresql://user:password@host1:5432,host2:5432/database';
const taskDatabasesExpected =
  'expected name=url, separated by spaces: t1=postgresql://user:password@host1/parley t2=postgresql://user:password@host2/parley';
const taskDatabases = z.string().transform((value, context) => {
  const databases = taskDatabasesOf(value);
  if (databases) return databases;
  context.addIssue({ code: 'custom', message: taskDatabasesExpected });
  return z.NEVER;
});
const grpcExpected = 'expected a name and a port, such as grpc.parley.example:443';
const natsExpected = 'expected nats:// or tls:// URLs, comma-separated, such as nats://user:password@127.0.0.1:4222';
const secret = z.string().min(32, 'expected at least 32 characters of random text');

const endpointExpected = 'expected a URL such as http://localhost:11434/v1, without a user name or password';
const endpoint = z
  .url({ protocol: /^https?$/, error: endpointExpected, abort: true })
  .refine((value) => !/^\w+:\/\/[^/?#]*@/.test(value), endpointExpected);
/** A token to send in a header. */
const bearer = z.string().regex(/^[\x21-\x7e]+$/, 'expected printable ASCII characters without spaces');

const jsonObjectExpected = 'expected a JSON object such as {"name":"USD Coin","version":"2"}';
const jsonObject = z.string().transform((value, context) => {
  try {
    const parsed = z.record(z.string(), z.json()).safeParse(JSON.parse(value));
    if (parsed.success) return parsed.data;
  } catch {
    // Reported below.
  }
  context.addIssue({ code: 'custom', message: jsonObjectExpected });
  return z.NEVER;
});

const schema = z
  .object({
    PORT: z.coerce.number().int().min(1).max(65535).default(3000),
    HOST: z.string().min(1).default('127.0.0.1'),
    APP_URL: origin.optional(),
    GRPC_PORT: z.coerce.number().int().min(1).max(65535).optional(),
    GRPC_URL: z
      .string()
      .regex(/^(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i, grpcExpected)
      .optional(),
    GRPC_CERT_FILE: z.string().min(1).optional(),
    GRPC_KEY_FILE: z.string().min(1).optional(),
    TRUSTED_PROXIES: list.refine((all) => all.every(isNetwork), networksExpected).default([]),
    WORKERS: z.coerce.number().int().min(1).max(64).default(1),
    DATA_DIR: z.string().min(1).default('.data'),
    DATABASE_URL: z.string().refine((url) => databaseUrlsOf(url).length > 0, databaseExpected),
    DATABASE_REPLICA_URL: z
      .string()
      .refine((url) => replicaUrlsOf(url).length > 0, replicaExpected)
      .optional(),
    TASK_DATABASE_URLS: taskDatabases.default([]),
    NOTICES_URL: list.pipe(z.array(z.url({ protocol: /^(nats|tls)$/, error: natsExpected }))).default([]),
    NOTICES_CREDENTIALS: z.string().min(1).optional(),
    EVENTS_URL: list.pipe(z.array(z.url({ protocol: /^(nats|tls)$/, error: natsExpected }))).default([]),
    EVENTS_CREDENTIALS: z.string().min(1).optional(),
    EVENTS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
    EVENTS_MAX_BYTES: z.coerce.number().int().min(1_048_576).default(1_073_741_824),
    DATABASE_POOL_SIZE: z.coerce.number().int().min(4).max(500).default(12),
    NEXTAUTH_SECRET: secret,
    KEY_ENCRYPTION_KEY: secret,
    KEY_DECRYPTION_KEY: secret.optional(),
    DEMO: flag.default(false),
    DEMO_PASSWORD: z.string().min(8).optional(),
    DEMO_TRICKS: flag.default(false),
    AGENT_URL_ALLOW: list.default([]),
    ADMIN_EMAILS: list.transform((emails) => emails.map((email) => email.toLowerCase())).default([]),
    DEFAULT_AGENT: z.string().min(1).optional(),
    CONCIERGE: z.enum(['on', 'off']).default('on'),
    ROUTER_URL: endpoint.optional(),
    ROUTER_KEY: bearer.optional(),
    ROUTER_MODEL: z.string().min(1).optional(),
    GITHUB_ID: z.string().optional(),
    GITHUB_SECRET: z.string().optional(),
    GOOGLE_ID: z.string().optional(),
    GOOGLE_SECRET: z.string().optional(),
    OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
    OIDC_CLIENT_ID: z.string().optional(),
    OIDC_CLIENT_SECRET: z.string().optional(),
    SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    MAIL_FROM: z.string().min(3).default('Parley <no-reply@parley.test>'),
    EMBEDDINGS: z.enum(['on', 'off']).default('on'),
    STRIPE_SECRET_KEY: z.string().min(12).optional(),
    STRIPE_WEBHOOK_SECRET: list.optional(),
    STRIPE_API_BASE: origin.refine((value) => isLoopback(new URL(value).hostname), loopbackExpected).optional(),
    PAYOUT_CANCEL_SECONDS: z.coerce.number().int().min(0).max(86_400).default(600),
    PAYOUT_TEST_SECONDS: z.coerce.number().int().min(0).max(86_400).default(60),
    PLATFORM_FEE_BPS: z.coerce.number().int().min(0).max(5_000).default(500),
    TAX_LIABLE: z.enum(['seller', 'platform']).default('seller'),
    PLATFORM_NAME: z.string().min(1).max(200).optional(),
    PLATFORM_ADDRESS: z.string().min(1).max(200).optional(),
    PLATFORM_COUNTRY: z
      .string()
      .regex(/^[A-Z]{2}$/, 'expected an ISO 3166 code such as DE')
      .optional(),
    PLATFORM_VAT_ID: z.string().min(4).max(30).optional(),
    REFUND_WINDOW_DAYS: z.coerce.number().int().min(0).max(90).default(7),
    NEW_SELLER_HOLD_DAYS: z.coerce.number().int().min(0).max(90).default(7),
    TEST_HOLD_MINUTES: z.coerce.number().int().min(0).max(129_600).default(10),
    X402_FACILITATOR_URL: endpoint.optional(),
    X402_FACILITATOR_KEY: bearer.optional(),
    X402_NETWORK: z
      .string()
      .regex(/^[-a-z0-9]{3,8}:[-\w]{1,32}$/, 'expected a network (CAIP-2) such as eip155:8453')
      .optional(),
    X402_ASSET: z.string().min(1).max(200).optional(),
    X402_ASSET_CODE: z.enum(['USDC', 'USDT', 'EURC']).default('USDC'),
    X402_ASSET_DECIMALS: z.coerce.number().int().min(2).max(18).default(6),
    X402_ASSET_EXTRA: jsonObject.default({}),
    X402_PAY_TO: z.string().min(1).max(200).optional(),
    X402_TEST: flag.default(false),
    EMBEDDINGS_URL: endpoint.optional(),
    EMBEDDINGS_KEY: bearer.optional(),
    EMBEDDINGS_MODEL: z.string().min(1).max(200).optional(),
    EMBEDDINGS_DIMENSIONS: z.coerce.number().int().min(16).max(8_192).optional(),
    EMBEDDINGS_QUERY_PREFIX: z.string().max(200).default(''),
    EMBEDDINGS_DOCUMENT_PREFIX: z.string().max(200).default(''),
    EMBEDDINGS_BATCH: z.coerce.number().int().min(1).max(128).default(10),
    PROBE_INTERVAL_SECONDS: z.coerce.number().int().min(0).max(86_400).default(900),
    PROBE_RUN_INTERVAL_SECONDS: z.coerce.number().int().min(0).max(2_592_000).default(86_400),
    SHUTDOWN_DELAY_SECONDS: z.coerce.number().int().min(0).max(600).default(0),
    DRAIN_SECONDS: z.coerce.number().int().min(0).max(3_600).default(30),
    RETENTION_DAYS: z
      .string()
      .default('')
      .transform((value, context) => parseRetention(value, context)),
    HUB_GRACE_SECONDS: z.coerce.number().int().min(0).max(600).default(30),
    LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    METRICS_PORT: z.coerce.number().int().min(1).max(65535).optional(),
    METRICS_HOST: z
      .string()
      .refine((host) => ipaddr.isValid(host), 'expected an IP address')
      .default('127.0.0.1'),
    METRICS_TOKEN: secret.and(bearer).optional(),
    OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    // For tests only: the failpoint at which the process kills itself (lib/platform/runtime/failpoint.ts).
    FAULT_POINT: z.string().optional(),
    NODE_ENV: z.string().default('development'),
  })
  .superRefine((value, context) => {
    if (value.METRICS_TOKEN === undefined && ipaddr.parse(value.METRICS_HOST).range() !== 'loopback') {
      const message = 'expected a token, because METRICS_HOST is not a loopback address';
      context.addIssue({ code: 'custom', path: ['METRICS_TOKEN'], message });
    }
    if (value.KEY_DECRYPTION_KEY === value.KEY_ENCRYPTION_KEY) {
      const message = 'expected another value than that of KEY_ENCRYPTION_KEY, which decrypts too';
      context.addIssue({ code: 'custom', path: ['KEY_DECRYPTION_KEY'], message });
    }
    for (const id of value.TAX_LIABLE === 'platform' ? issuerVariables : []) {
      const message = 'expected a value, because TAX_LIABLE is "platform" and invoices state who issues them';
      if (!value[id]) context.addIssue({ code: 'custom', path: [id], message });
    }
    for (const [id, other] of pairedVariables) {
      if (Boolean(value[id]) !== Boolean(value[other])) {
        const missing = value[id] ? other : id;
        context.addIssue({
          code: 'custom',
          path: [missing],
          message: `expected together with ${value[id] ? id : other}`,
        });
      }
    }
  });

const issuerVariables = ['PLATFORM_NAME', 'PLATFORM_ADDRESS', 'PLATFORM_COUNTRY'] as const;

const pairedVariables = [
  ['GRPC_CERT_FILE', 'GRPC_KEY_FILE'],
  ['GITHUB_ID', 'GITHUB_SECRET'],
  ['GOOGLE_ID', 'GOOGLE_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['ROUTER_URL', 'ROUTER_MODEL'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['EMBEDDINGS_URL', 'EMBEDDINGS_MODEL'],
  ['X402_FACILITATOR_URL', 'X402_NETWORK'],
  ['X402_FACILITATOR_URL', 'X402_ASSET'],
  ['X402_FACILITATOR_URL', 'X402_PAY_TO'],
] as const;

/** The demo agent that serves calls without an agent. */
const demoDefaultAgent = 'analyst';

const secretNames =
  /SECRET|KEY(?!_FILE)|PASSWORD|TOKEN|^(DATABASE|DATABASE_REPLICA|NOTICES|EVENTS|SMTP|EMBEDDINGS)_URL$|^TASK_DATABASE_URLS$/;

export type Env = Omit<z.infer<typeof schema>, 'APP_URL'> & { APP_URL: string };

/** The error for an invalid environment variable. `message` contains its name, and the actual and expected values. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

/**
 * Validates every environment variable.
 * @throws {EnvError} one line per invalid variable, without the values of secrets
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      const found =
        given[name] === undefined ? 'nothing' : secretNames.test(name) ? 'a value' : JSON.stringify(given[name]);
      return `${name}: found ${found}; ${issue.message}`;
    });
    throw new EnvError(lines.join('\n'));
  }
  const value = parsed.data;
  const defaultAgent = value.DEFAULT_AGENT ?? (value.DEMO ? demoDefaultAgent : undefined);
  const appUrl = (value.APP_URL ?? `http://localhost:${value.PORT}`).replace(/\/$/, '');
  const { GRPC_PORT: grpcPort } = value;
  return {
    ...value,
    DEFAULT_AGENT: defaultAgent,
    APP_URL: appUrl,
    GRPC_URL: value.GRPC_URL ?? (grpcPort === undefined ? undefined : `${new URL(appUrl).hostname}:${grpcPort}`),
  };
}

/** The validated environment of this process, read once. */
export const env = once((): Env => {
  const checked = readEnv(process.env);
  // next-auth reads its origin only from this variable.
  process.env.NEXTAUTH_URL = checked.APP_URL;
  return checked;
});

/** Returns the time before which data has exceeded its retention time; null if this kind of data has no limit. */
export function cutoffOf(kind: RetentionKind, now: Date): Date | null {
  const days = env().RETENTION_DAYS[kind];
  return days === null ? null : new Date(now.getTime() - days * DAY_MS);
}
