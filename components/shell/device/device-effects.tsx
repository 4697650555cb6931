'use client';

import { useEffect } from 'react';
import { pushUserItem } from './device-names';

interface DeviceWorkerProps {
  /** Null if no one is signed in. */
  userId: string | null;
  /** The texts of the offline page (public/sw.js). */
  texts: Record<string, string>;
}

/** Delay after hydration, milliseconds, so that the page loads first. */
const START_DELAY_MS = 2_000;

/**
 * Registers the service worker for a signed-in user. Without one, removes what the browser keeps of the previous user.
 * Renders nothing. A failure is ignored: the site works without it.
 */
export function DeviceWorker({ userId, texts }: DeviceWorkerProps): null {
  // A new object on every rendering of the server.
  const json = JSON.stringify(texts);
  useEffect(() => {
    const timer = setTimeout(() => void start(userId, json).catch(() => undefined), START_DELAY_MS);
    return () => clearTimeout(timer);
  }, [userId, json]);
  return null;
}

async function start(userId: string | null, json: string): Promise<void> {
  const { serviceWorker } = navigator;
  if (userId === null) return serviceWorker.controller?.postMessage({ userId });
  await serviceWorker.register('/sw.js');
  const { lang: language, dir: direction } = document.documentElement;
  const texts = { ...JSON.parse(json), language, direction };
  (await serviceWorker.ready).active?.postMessage({ userId, texts });
  if (localStorage.getItem(pushUserItem) === userId) await (await import('./web-push')).refreshPush(userId);
}
