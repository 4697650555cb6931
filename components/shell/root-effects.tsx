'use client';

import { useTimeZone, useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { setApiTexts } from '../forms/call-api';
import { timeZoneCookie } from '../texts/time-zone';

/**
 * Signals that the page is hydrated, so that earlier clicks are replayed (`lib/http/pages/serve-pages.ts`). Deferred by
 * one task, so that text typed before hydration is restored first. Mounted once, in the root layout.
 */
export function EventReplay(): null {
  useEffect(() => {
    const timer = setTimeout(() => window.dispatchEvent(new Event('parley:listens')));
    return () => clearTimeout(timer);
  }, []);
  return null;
}

/**
 * Preserves the tab's title during navigation, because React removes a page's title before the next one exists. A
 * second `<title>` with the same text follows the page's and is used only in between. Mounted once, in the root layout.
 */
export function DocumentTitle(): null {
  useEffect(() => {
    const { head } = document;
    const fallback = document.createElement('title');
    function follow(): void {
      const title = head.querySelector('title');
      if (!title || title === fallback) return;
      if (fallback.text !== title.text) fallback.text = title.text;
      if (!fallback.isConnected) head.append(fallback);
    }
    const observer = new MutationObserver(follow);
    observer.observe(head, { childList: true, characterData: true, subtree: true });
    follow();
    return () => {
      observer.disconnect();
      fallback.remove();
    };
  }, []);
  return null;
}

const YEAR_SECONDS = 31_536_000;

/** Stores the browser's time zone, so that the server renders the next page's times in it. */
export function TimeZoneMemory(): null {
  const known = useTimeZone();
  useEffect(() => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (zone === known) return;
    const secure = window.location.protocol === 'https:' ? '; secure' : '';
    document.cookie = `${timeZoneCookie}=${encodeURIComponent(zone)}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
  }, [known]);
  return null;
}

/**
 * Sets the texts of API calls: for an unreachable server, and for a passkey that did not confirm a change. Renders
 * nothing. Mounted once, in the root layout.
 */
export function ApiTexts(): null {
  const t = useTranslations('shell.unreachable');
  const tPasskey = useTranslations('payments.askPasskey');
  useEffect(() => {
    setApiTexts({ unreachable: t('text'), passkey: (reason) => tPasskey(reason) });
  }, [t, tPasskey]);
  return null;
}

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
    const start = async (): Promise<void> => (await import('./device/web-push')).startDevice(userId, json);
    const timer = setTimeout(() => void start().catch(() => undefined), START_DELAY_MS);
    return () => clearTimeout(timer);
  }, [userId, json]);
  return null;
}
