'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { deviceDatabase, pushUserItem } from './device-names';

const loadDevice = () => import('./device-store');

/**
 * After the page has loaded, registers the service worker for a signed-in user. Without one, removes what the browser
 * keeps of the previous user. Renders nothing.
 */
export function DeviceWorker({ userId }: { userId: string | null }): null {
  const t = useTranslations('shell.offline');
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    return whenIdle(async () => {
      if (userId === null) {
        if (navigator.serviceWorker.controller) await (await loadDevice()).forgetConversations();
        return;
      }
      const texts = {
        title: t('title'),
        lead: t('lead'),
        retry: t('retry'),
        saved: t('saved'),
        copy: t('copy'),
        you: t('you'),
        language: document.documentElement.lang,
        direction: document.documentElement.dir,
      };
      await (await loadDevice()).startDevice(userId, texts);
      if ('PushManager' in window) await (await import('./web-push')).refreshPush(userId);
    });
  }, [userId, t]);
  return null;
}

/**
 * Removes the copies of conversations and the mark that notifications are on. Does not wait, because the page is about to
 * be left; the next page removes what remains.
 */
export function forgetDeviceUser(): void {
  try {
    localStorage.removeItem(pushUserItem);
    indexedDB.deleteDatabase(deviceDatabase);
  } catch {
    // Disabled: nothing was stored.
  }
}

const LATEST_START_MS = 5_000;

/** Runs work when the browser is idle. A failure is ignored: the site works without what the work would add. */
function whenIdle(work: () => Promise<void>): () => void {
  const start = (): void => void work().catch(() => undefined);
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(start, LATEST_START_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(start, { timeout: LATEST_START_MS });
  return () => cancelIdleCallback(handle);
}
