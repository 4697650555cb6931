import pg from 'pg';
import { call, message, repeat } from './calls.mjs';
import { connectWorker, listConnectedAgent } from './connected-agent.mjs';
import { startIntrospections, startWrites } from './ledger.mjs';
import { followStream } from './numbered-streams.mjs';
import { startTopUp } from './stripe.mjs';
import { until, wait } from './wait.mjs';

const hubSlug = 'connected';
const pieces = 500;
const pieceMs = 4;
const streamers = 3;
const topUpMs = 2_000;
const probeMs = 50;

/**
 * Starts messages, streams through an agent with a URL and through a connected one, introspections, revocations and
 * payments at two nodes.
 *
 * @param {object} plan
 * @param {Awaited<ReturnType<import('../../lib/parley.mjs').startParley>>} plan.parley
 * @param {{ origin: string }} plan.other the other node
 * @param {Awaited<ReturnType<import('./stripe.mjs').startStripe>>} plan.stripe
 * @param {string} plan.numberedUrl the agent `numbered-agent`
 * @param {number} plan.people
 */
export async function startFailoverLoad({ parley, other, stripe, numberedUrl, people }) {
  const origins = () => [parley.origin, other.origin];
  const pick = () => origins()[Math.floor(Math.random() * 2)];
  const client = new pg.Pool({ connectionString: parley.databaseUrl, max: 2, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  const tokens = await parley.tokens();
  const writes = startWrites({ ...parley, origins, tokens });
  const introspections = startIntrospections({
    origins,
    app: parley.app,
    good: tokens,
    ...revocationsOf(parley, pick),
  });
  const streams = { exact: 0, failed: 0, failedConnected: 0, wrong: [] };
  const starts = new Map();
  const worker = await connectWorker(parley, {
    agent: hubSlug,
    token: await listConnectedAgent(parley, hubSlug),
    pick,
    capacity: people,
    async *handle({ taskId, text }) {
      starts.set(taskId, (starts.get(taskId) ?? 0) + 1);
      for (let at = 0; at < Number(text.split(' ')[1]); at++) {
        yield `${at};`;
        await wait(pieceMs);
      }
    },
  });
  await until(() => worker.state === 'online', { withinMs: 30_000, what: 'the worker' });
  const slugs = [hubSlug, await parley.list(numberedUrl)];
  const follow = async (slug, token) => {
    const found = await followStream({ pick, path: `/agents/${slug}/a2a/jsonrpc`, token, pieces });
    if (found.isExact) streams.exact += 1;
    else if (found.isInOrder && found.state === 'failed') streams[slug === hubSlug ? 'failedConnected' : 'failed'] += 1;
    else streams.wrong.push(`${slug}: ${found.state}${found.isInOrder ? '' : ', pieces lost or repeated'}`);
  };
  const stops = [writes.stop, introspections.stop];
  for (const slug of slugs) {
    const streamTokens = await parley.tokens(slug);
    for (let at = 0; at < streamers; at++) stops.push(repeat(100, () => follow(slug, streamTokens[at])));
  }
  const paid = new Map();
  stops.push(
    repeat(topUpMs, async () => {
      const user = (paid.size % people) + 1;
      const { id, redirectUrl } = await startTopUp({ origin: pick(), client, user, amount: 1_000 + paid.size });
      await stripe.pay(redirectUrl);
      paid.set(id, 1_000);
      for (const event of stripe.events().slice(-4)) await stripe.deliver(pick(), event);
    }),
  );
  const recovery = watchRecovery({ origins, slug: parley.slug, token: tokens[0] });
  stops.push(recovery.stop);
  return {
    ...{ ledger: writes.ledger, answers: introspections.answers, revoked: introspections.revoked },
    ...{ streams, starts, paid, client, worker, untilServed: recovery.untilServed },
    /** Stops all load and waits for it. */
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
      // Events of payments whose delivery failed are sent again, as Stripe does.
      for (const event of stripe.events()) await stripe.deliver(parley.origin, event);
      await worker.drain({ timeoutMs: 0 });
    },
  };
}

function revocationsOf({ origin, slug, app }, pick) {
  const authorization = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`;
  const form = (path, fields) =>
    fetch(`${pick()}${path}`, { method: 'POST', headers: { authorization }, body: new URLSearchParams(fields) });
  return {
    async issue() {
      const fields = { grant_type: 'client_credentials', resource: `${origin}/agents/${slug}` };
      const response = await form('/api/auth/token', fields).catch(() => null);
      return response?.ok ? (await response.json()).access_token : null;
    },
    async revoke(token) {
      const response = await form('/api/auth/revoke', { token }).catch(() => null);
      return response?.status === 200;
    },
  };
}

/** Sends messages to each node to determine from when on it serves. */
function watchRecovery({ origins, slug, token }) {
  const servedAt = new Map();
  const stops = origins().map((origin) =>
    repeat(probeMs, async () => {
      const startedAt = performance.now();
      const { body } = await call({ origin, slug, token }, 'message/send', { message: message('probe') });
      if (body.result?.status.state === 'completed') servedAt.set(origin, startedAt);
    }),
  );
  return {
    /** Waits until a message sent to each node after this call was served; returns the time of the last first one. */
    async untilServed() {
      const from = performance.now();
      const firsts = origins().map(async (origin) => {
        await until(() => servedAt.get(origin) > from, {
          withinMs: 120_000,
          what: `service at ${origin}`,
          everyMs: 10,
        });
        return performance.now();
      });
      return Math.max(...(await Promise.all(firsts)));
    },
    stop: () => Promise.all(stops.map((stop) => stop())),
  };
}
