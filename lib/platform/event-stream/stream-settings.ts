import type { JetStreamManager, StreamConfig, StreamInfo } from '@nats-io/jetstream';
import { STREAM_MAX_AGE_MS } from '../limits';
import { env } from '../runtime/env';

const NANOSECONDS_PER_MS = 1_000_000;

/** The settings on which the guarantees depend. */
const REQUIRED = ['storage', 'retention', 'discard', 'max_age', 'max_msgs', 'max_msgs_per_subject'] as const;

/**
 * Creates the stream, or checks that an existing one has the required settings, and updates its replicas and size.
 * @throws if a setting differs that cannot be changed, or JetStream responds with an error
 */
export async function requireStream(
  manager: JetStreamManager,
  { name, subjects }: { name: string; subjects: string[] },
): Promise<void> {
  const wanted = streamSettings(name, subjects);
  const found = (await findStream(manager, name))?.config;
  if (!found) {
    await manager.streams.add(wanted);
    return;
  }
  const differences = differencesFrom(found, wanted);
  if (differences)
    throw new Error(`the stream ${name} has other settings: ${differences}. Delete it while no node runs`);
  if (found.num_replicas !== wanted.num_replicas || found.max_bytes !== wanted.max_bytes)
    await manager.streams.update(name, { num_replicas: wanted.num_replicas, max_bytes: wanted.max_bytes });
}

/**
 * Returns the stream; null if there is none.
 * @throws if JetStream responds with another error, or not in time
 */
export async function findStream(manager: JetStreamManager, name: string): Promise<StreamInfo | null> {
  return await manager.streams.info(name).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'JetStreamApiError' && isMissing(error)) return null;
    if (error instanceof Error && error.name === 'StreamNotFoundError') return null;
    throw error;
  });
}

/** Returns the settings that differ and cannot be changed, in words; null if there are none. */
export function differencesFrom(found: StreamConfig, wanted: Partial<StreamConfig>): string | null {
  const differing = REQUIRED.filter((key) => found[key] !== wanted[key]);
  return differing.map((key) => `${key} is ${found[key]}, expected ${wanted[key]}`).join('; ') || null;
}

function isMissing(error: Error): boolean {
  return (error as Error & { code?: number }).code === 10059;
}

/** Returns the configured settings. A full stream refuses messages instead of deleting events that only it has. */
export function streamSettings(name: string, subjects: string[]): Partial<StreamConfig> & { name: string } {
  const { EVENTS_REPLICAS, EVENTS_MAX_BYTES } = env();
  return {
    name,
    subjects,
    storage: 'file',
    retention: 'limits',
    discard: 'new',
    max_age: STREAM_MAX_AGE_MS * NANOSECONDS_PER_MS,
    max_msgs: -1,
    max_msgs_per_subject: -1,
    max_bytes: EVENTS_MAX_BYTES,
    num_replicas: EVENTS_REPLICAS,
  };
}
