import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** How long it is waited before a script that did not come is asked for again, in ms; it is given up after the last. */
const waits = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

/**
 * Like React's `lazy`, for scripts that may not come at first: the network is away, the server restarts. They are asked for
 * again, without a network as soon as it is back. A script that never comes (of a version that is gone) fails as with `lazy`.
 */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadAgain(load) }));
}

async function loadAgain<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (const wait of waits) {
    try {
      return await load();
    } catch {
      await (navigator.onLine ? pass(wait) : networkBack());
    }
  }
  return load();
}

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const networkBack = () =>
  new Promise((resolve) => window.addEventListener('online', () => resolve(undefined), { once: true }));
