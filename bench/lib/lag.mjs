import { median } from './compare.mjs';
import { open } from './open-stream.mjs';

const paced = 250;

/**
 * Measures the latency of events from agent to reader in concurrent streams of an agent that sends an event with the
 * time every 20 ms.
 *
 * @param {{ origin: string, path: string, tokens?: string[] }} target
 * @param {number} streams
 * @returns {Promise<number>} median, milliseconds
 */
export async function lagOf(target, streams) {
  const begin = async (at) => {
    // Staggered, as real agents are.
    await new Promise((resolve) => setTimeout(resolve, at * 0.4));
    return lagsOfOne(target, at);
  };
  return median((await Promise.all(Array.from({ length: streams }, (_, at) => begin(at)))).flat());
}

async function lagsOfOne(target, at) {
  const { done, arrivals } = await open(target, `pace ${paced}`, at);
  await done;
  const lags = arrivals.flatMap(({ at: receivedAt, text }) =>
    [...text.matchAll(/<([\d.]+)>/g)].map(([, sentAt]) => receivedAt - Number(sentAt)),
  );
  if (lags.length !== paced) throw new Error(`${target.origin} sent ${lags.length} of ${paced} events`);
  return lags;
}
