import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import path from 'node:path';
import { findAgent, readOwnAgents, registerAgent, updateAgent } from '@/lib/catalog';
import { ensureLocalUser } from '@/lib/identity';
import { getMerchant, setMerchant } from '@/lib/payments';
import type { Ctx } from '@/lib/platform/context';
import { allowOrigin } from '@/lib/platform/http-client/external-urls';
import { newId } from '@/lib/platform/ids';
import { env } from '@/lib/platform/runtime/env';
import { addReadinessCheck } from '@/lib/platform/runtime/readiness';
import { loadRootSecret } from '@/lib/platform/secrets/stored-secrets';
import { authenticateClient, createApp, ownsApp } from '@/lib/tokens';
import { CliError } from './cli-output.mjs';
import { ensureAgent, isHealthy, originOf, stopAgent } from './demo/agent-process';
import { addDemoCollections } from './demo/demo-collections';
import { addDemoData } from './demo/demo-data';
import { publishExamples } from './demo/demo-examples';
import { hubAgentsRun, listHubAgents, startHubAgents, stopHubAgents } from './demo/hub-agents';
import { type DemoAgentState, type DemoState, type MerchantKey, readDemoState, writeDemoState } from './demo/state';
import { isAlive, processMark } from './processes.mjs';

const EMAIL = 'demo@parley.test';
const NAME = 'Demo';
/** Timeout of fetching one card. */
const CARD_TIMEOUT_MS = 30_000;
/** Below the ephemeral port range. */
const FIRST_PORT = 20_000;
const PORTS = 12_000;

/** The agent that sells with its own key, and the one whose carts Parley signs. */
const SHOP = 'pizzeria';
const MANAGED_SHOP = 'calendar';

/** The agent that hires others, which guests cannot. */
const HIRER = 'researcher';
/** Messages of all visitors without an account per day, for each agent. */
const GUEST_TURNS_PER_DAY = 500;

const demoAgents = [
  { slug: SHOP, visibility: 'public' },
  { slug: 'analyst', visibility: 'public' },
  { slug: 'conformance', visibility: 'unlisted' },
] as const;
type DemoAgent = (typeof demoAgents)[number];

interface Demo {
  email: string;
  password: string | null;
  /** The origins of the agents, which other processes of the server must allow too. */
  origins: string[];
  /**
   * Starts the agents that connect to the server, and publishes their example conversations in the background. Must be
   * called when the server listens.
   */
  connect(): Promise<void>;
  /** Stops both. Must be called before the server stops, so that they finish their runs. */
  disconnect(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Sets up the demo: a user who can sign in, and agents that run, are listed and can introspect tokens. Requires the
 * migrated database and the bundles in `dist/agents`, but not the server. `password` is set only in the run that
 * generated it; `DATA_DIR/demo.json` stores it.
 * @throws {CliError} if another server runs the demo of this DATA_DIR, or an agent does not start
 */
export async function startDemo(): Promise<Demo> {
  // The server starts afterwards.
  const keyError = await loadRootSecret();
  if (keyError) throw new CliError(keyError);
  const file = path.join(env().DATA_DIR, 'demo.json');
  const known = readDemoState(file);
  rejectSecondServer(known);
  const { DEMO_PASSWORD } = env();
  const generated = DEMO_PASSWORD || known ? null : randomBytes(12).toString('base64url');
  const password = DEMO_PASSWORD ?? known?.password ?? generated ?? '';
  const state: DemoState = {
    email: EMAIL,
    password,
    server: processMark(process.pid),
    app: known?.app ?? null,
    agents: known?.agents ?? {},
    served: known?.served ?? {},
    examples: known?.examples ?? [],
    merchantKey: known?.merchantKey ?? newMerchantKey(),
  };
  writeDemoState(file, state);

  const ctx = await signInDemoUser(password);
  state.app = (await isValid(state.app, ctx)) ? state.app : await createDemoApp(ctx);
  writeDemoState(file, state);
  try {
    await runAgents(state);
    for (const agent of demoAgents) await listAgent(state, agent, ctx);
    await pinKey(state, ctx);
    await listHubAgents(state, ctx);
    await signCarts(ctx);
    await openToGuests(ctx);
    await addDemoData(ctx.now);
    // Only once, so that deleted collections are not created again.
    if (!known) await addDemoCollections(ctx);
  } catch (error) {
    await stopDemo(file, state);
    throw error;
  }
  writeDemoState(file, state);
  addReadinessCheck({
    name: 'demo agents',
    check: async () => (hubAgentsRun(state) && (await allHealthy(state)) ? null : 'a demo agent does not answer'),
  });
  const stopping = new AbortController();
  let examples = Promise.resolve();
  const save = (): void => writeDemoState(file, state);
  return {
    email: EMAIL,
    password: generated,
    origins: Object.values(state.agents).map(originOf),
    connect: async () => {
      await startHubAgents(state);
      save();
      examples = publishExamples({ state, save, signal: stopping.signal });
    },
    disconnect: async () => {
      stopping.abort();
      await examples;
      await stopHubAgents(state);
    },
    stop: () => stopDemo(file, state),
  };
}

/** Rejects a second server, because two servers cannot share the agents: an agent introspects tokens at one server. */
function rejectSecondServer(known: DemoState | null): void {
  if (!known?.server || known.server === processMark(process.pid) || !isAlive(known.server)) return;
  const pid = Number.parseInt(known.server, 10);
  throw new CliError(
    `the demo of this DATA_DIR is run by another Parley (process ${pid}); set DEMO=0 or another DATA_DIR`,
  );
}

async function signInDemoUser(password: string): Promise<Ctx> {
  const now = new Date();
  const { userId } = await ensureLocalUser({ email: EMAIL, password, name: NAME, now });
  const credential = { kind: 'session' as const, id: 'demo' };
  return {
    actor: { kind: 'user', userId, email: EMAIL, name: NAME, credential },
    requestId: newId('req'),
    signal: new AbortController().signal,
    now,
  };
}

/** Returns false if the app no longer exists or belongs to another user. */
async function isValid(app: DemoState['app'], { actor, now }: Ctx): Promise<boolean> {
  if (app === null || actor.kind !== 'user') return false;
  const client = await authenticateClient({ ...app, now });
  return client?.appId === app.id && (await ownsApp({ userId: actor.userId, appId: app.id }));
}

async function createDemoApp(ctx: Ctx): Promise<NonNullable<DemoState['app']>> {
  const { id, clientId, clientSecret } = await createApp({ ctx, input: { name: 'Demo agents' } });
  return { id, clientId, clientSecret };
}

/** Starts all in parallel and waits for all of them, so that none is still starting when another one fails. */
async function runAgents(state: DemoState): Promise<void> {
  const started = await Promise.allSettled(demoAgents.map(({ slug }) => runAgent(state, slug)));
  for (const outcome of started) if (outcome.status === 'rejected') throw outcome.reason;
}

async function runAgent(state: DemoState, slug: string): Promise<void> {
  const { APP_URL, DATA_DIR, DEMO_TRICKS } = env();
  const known = state.agents[slug] ?? null;
  const launch = {
    slug,
    bundle: path.join('dist', 'agents', `${slug}.mjs`),
    logFile: path.join(DATA_DIR, 'logs', `${slug}.log`),
    variables: {
      PARLEY_URL: APP_URL,
      PARLEY_AGENT: slug,
      PARLEY_CLIENT_ID: state.app?.clientId ?? '',
      PARLEY_CLIENT_SECRET: state.app?.clientSecret ?? '',
      ...(slug === SHOP && {
        MERCHANT_KEY: JSON.stringify(state.merchantKey),
        MERCHANT_TRICKS: DEMO_TRICKS ? '1' : '',
      }),
    },
    preferredPort: preferredPort(DATA_DIR, slug),
  };
  const agent = await ensureAgent(launch, known);
  state.agents[slug] = { ...agent, listedBuild: known?.listedBuild ?? null };
  allowOrigin(originOf(agent));
}

/** Returns a port derived from the folder, so that the agents keep their URLs if demo.json is lost. */
function preferredPort(dataDir: string, slug: string): number {
  const digest = createHash('sha256')
    .update(`${path.resolve(dataDir)} ${slug}`)
    .digest();
  return FIRST_PORT + (digest.readUInt32BE(0) % PORTS);
}

/** Creates or updates the listing, unless build, URL and app are unchanged. */
async function listAgent(state: DemoState, { slug, visibility }: DemoAgent, ctx: Ctx): Promise<void> {
  const agent = state.agents[slug];
  const appId = state.app?.id ?? null;
  if (!agent || (await isListed({ slug, agent, appId }))) return;
  const input = { url: originOf(agent), slug, visibility, appId };
  await registerAgent({ ctx: { ...ctx, signal: AbortSignal.timeout(CARD_TIMEOUT_MS) }, input, ownsApp });
  agent.listedBuild = agent.build;
}

/** Lets visitors without an account try the free agents, unless a limit was set before. */
async function openToGuests(ctx: Ctx): Promise<void> {
  for await (const { slug, visibility } of readOwnAgents({ ctx })) {
    const { callLimits } = (await findAgent(slug)) ?? {};
    if (visibility !== 'public' || slug === HIRER || callLimits?.guestTurnsPerDay !== undefined) continue;
    const limits = { ...callLimits, guestTurnsPerDay: GUEST_TURNS_PER_DAY };
    await updateAgent({ ctx, input: { slug, callLimits: limits }, ownsApp });
  }
}

function newMerchantKey(): MerchantKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
  return { kty: 'EC', crv: 'P-256', kid: `shop-${randomBytes(6).toString('hex')}`, x, y, d };
}

/** Pins the shop's key to its listing, so that a fresh clone's first cart can be paid. */
async function pinKey({ merchantKey, agents }: DemoState, ctx: Ctx): Promise<void> {
  const agent = agents[SHOP];
  if (!merchantKey || !agent) return;
  const issuer = originOf(agent);
  const pinned = await getMerchant({ ctx, input: { slug: SHOP } });
  if (pinned.issuer === issuer && pinned.keys.some(({ kid }) => kid === merchantKey.kid)) return;
  const { kty, crv, kid, x, y } = merchantKey;
  await setMerchant({ ctx, input: { slug: SHOP, signing: 'own', issuer, keys: [{ kty, crv, kid, x, y }] } });
}

/** Has Parley sign the carts of the agent that has no key. */
async function signCarts(ctx: Ctx): Promise<void> {
  const known = await getMerchant({ ctx, input: { slug: MANAGED_SHOP } });
  if (known.signing !== 'platform') await setMerchant({ ctx, input: { slug: MANAGED_SHOP, signing: 'platform' } });
}

interface Listing {
  slug: string;
  agent: DemoAgentState;
  appId: string | null;
}

async function isListed({ slug, agent, appId }: Listing): Promise<boolean> {
  const listed = await findAgent(slug);
  return (
    listed?.url === originOf(agent) &&
    listed.appId === appId &&
    listed.status === 'active' &&
    agent.listedBuild === agent.build
  );
}

async function allHealthy({ agents }: DemoState): Promise<boolean> {
  const all = await Promise.all(Object.entries(agents).map(([slug, agent]) => isHealthy(slug, agent)));
  return all.every(Boolean);
}

async function stopDemo(file: string, state: DemoState): Promise<void> {
  await stopHubAgents(state);
  await Promise.all(Object.entries(state.agents).map(([slug, agent]) => stopAgent(slug, agent)));
  writeDemoState(file, { ...state, server: null });
}
