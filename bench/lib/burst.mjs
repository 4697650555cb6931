import { open } from './open-stream.mjs';
import { cpuMicros } from './peer.mjs';

/**
 * Measures concurrent streams whose events the agent sends as fast as possible.
 *
 * @param {{ pid: number, origin: string, path: string, tokens?: string[], event?: RegExp }} target `event`: matches each
 *   event in the text of a stream
 * @param {{ streams: number, events: number }} plan
 * @returns {Promise<{ cpu: number, rate: number }>} CPU µs of the target per event; events per second
 */
export async function burst(target, { streams, events }) {
  const before = cpuMicros(target.pid);
  const startedAt = performance.now();
  const opened = await Promise.all(Array.from({ length: streams }, (_, at) => open(target, `burst ${events}`, at)));
  for (const { done } of opened) {
    const seen = (await done).match(target.event ?? /artifact-update/g)?.length;
    if (seen !== events) throw new Error(`${target.origin} sent ${seen} of ${events} events`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { cpu: (cpuMicros(target.pid) - before) / (streams * events), rate: (streams * events) / seconds };
}
