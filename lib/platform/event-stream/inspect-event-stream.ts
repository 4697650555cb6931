import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { natsOptions, readDatabaseId } from '../bus/nats-options';
import { STREAM_INSPECT_TIMEOUT_MS, STREAM_SIZE_WARNING_SHARE } from '../limits';
import { env } from '../runtime/env';
import { eventStreamName, eventStreamSettings } from './event-stream';
import { differencesFrom, findStream, streamSettings } from './stream-settings';

/** What is wrong with the event stream, and what to do. */
export interface StreamFault {
  found: string;
  advice: string;
}

/**
 * Checks the event stream of EVENTS_URL without changing it: a server accepts the credentials, JetStream is enabled and
 * has the size and the replicas that are configured, and an existing stream has the settings and is not nearly full.
 * Returns what it found, or the first fault.
 */
export async function inspectEventStream(): Promise<StreamFault | { found: string; advice: null }> {
  let connection: NatsConnection;
  try {
    connection = await connect({ ...natsOptions(eventStreamSettings()), name: 'parley doctor' });
  } catch (error) {
    return { found: textOf(error), advice: 'start NATS there and check EVENTS_CREDENTIALS' };
  }
  try {
    const { jetstreamManager } = await import('@nats-io/jetstream');
    const manager = await jetstreamManager(connection, { timeout: STREAM_INSPECT_TIMEOUT_MS, checkAPI: false });
    return faultOfServer(connection) ?? (await inspectStream(manager));
  } catch (error) {
    return { found: textOf(error), advice: 'permit the user to publish and subscribe below $JS.API.> and _INBOX.>' };
  } finally {
    await connection.close();
  }
}

function faultOfServer({ info }: NatsConnection): StreamFault | null {
  const { EVENTS_REPLICAS } = env();
  if (!info?.jetstream) return { found: 'JetStream is not enabled', advice: 'add jetstream {} to its configuration' };
  if (EVENTS_REPLICAS > 1 && !info.cluster)
    return {
      found: `EVENTS_REPLICAS: ${EVENTS_REPLICAS}, but the server is not in a cluster`,
      advice: 'set EVENTS_REPLICAS=1, or run a cluster of three or more servers',
    };
  return null;
}

async function inspectStream(manager: JetStreamManager): Promise<StreamFault | { found: string; advice: null }> {
  const name = eventStreamName(await readDatabaseId());
  const stream = await findStream(manager, name);
  if (!stream)
    return (await faultOfLimits(manager)) ?? { found: 'no stream yet; the first node creates it', advice: null };
  const differences = differencesFrom(stream.config, streamSettings(name, []));
  if (differences) return { found: `${name}: ${differences}`, advice: 'delete the stream while no node runs' };
  return faultOfState(stream) ?? { found: sizeOf(stream), advice: null };
}

async function faultOfLimits(manager: JetStreamManager): Promise<StreamFault | null> {
  const { EVENTS_MAX_BYTES } = env();
  const { limits, storage } = await manager.getAccountInfo();
  if (limits.max_storage < 0 || limits.max_storage - storage >= EVENTS_MAX_BYTES) return null;
  return {
    found: `the account has ${inMegabytes(limits.max_storage - storage)} of storage left`,
    advice: `raise its limit, or lower EVENTS_MAX_BYTES, which is ${inMegabytes(EVENTS_MAX_BYTES)}`,
  };
}

function faultOfState({ state, cluster }: StreamInfo): StreamFault | null {
  const { EVENTS_MAX_BYTES } = env();
  const late = (cluster?.replicas ?? []).filter(({ current, offline }) => offline || !current);
  if (cluster && !cluster.leader) return { found: 'the stream has no leader', advice: 'start most of the servers' };
  if (late.length > 0)
    return {
      found: `without a current copy: ${late.map(({ name }) => name).join(', ')}`,
      advice: 'start these servers and check their connection to the others',
    };
  if (state.bytes < STREAM_SIZE_WARNING_SHARE * EVENTS_MAX_BYTES) return null;
  return {
    found: `the stream has ${inMegabytes(state.bytes)} of ${inMegabytes(EVENTS_MAX_BYTES)}`,
    advice: 'raise EVENTS_MAX_BYTES; a full stream refuses events, which PostgreSQL then receives one by one',
  };
}

function sizeOf({ state, config }: StreamInfo): string {
  const size = `${inMegabytes(state.bytes)} of ${inMegabytes(env().EVENTS_MAX_BYTES)}`;
  return `JetStream stores events on ${config.num_replicas === 1 ? '1 server' : `${config.num_replicas} servers`}, ${size}`;
}

function inMegabytes(bytes: number): string {
  return `${Math.max(0, Math.round(bytes / 1_048_576))} MB`;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
