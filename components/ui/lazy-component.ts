import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** Retry delays for a script that failed to load, ms; after the last one the load fails. */
const retryDelaysMs = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

/**
 * Like React's `lazy`, with retries for a script that fails to load while the network or the server is down. Offline,
 * the retry waits for the network. A script that never loads (of an old build) fails as with `lazy`.
 */
export function lazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadWithRetries(load) }));
}

async function loadWithRetries<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (const delayMs of retryDelaysMs) {
    try {
      return await load();
    } catch {
      await (navigator.onLine ? sleep(delayMs) : networkBack());
    }
  }
  return load();
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const networkBack = () =>
  new Promise((resolve) => window.addEventListener('online', () => resolve(undefined), { once: true }));
