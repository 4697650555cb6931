'use client';

import { useRouter } from 'next/navigation';
import {
  type FormEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useTransition,
} from 'react';
import { PendingBar } from '../../ui/controls/link-pending';
import { readSessionItem, setSessionItem } from '../../ui/controls/session-storage';

const keyOf = (address: string): string => `focus ${address}`;

/** Records the link of a list that was followed, and focuses it when the user returns to the list. */
export function RestoreFocus({ children }: { children: ReactNode }): ReactNode {
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const key = keyOf(location.href);
    const href = readSessionItem(key);
    if (!href) return;
    setSessionItem(key, null);
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    links.find((link) => link.getAttribute('href') === href)?.focus({ preventScroll: true });
  }, []);

  function remember(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const href = link?.getAttribute('href');
    if (href) setSessionItem(keyOf(location.href), href);
  }

  return (
    <div onClickCapture={remember} ref={list}>
      {children}
    </div>
  );
}

interface LiveSearchProps {
  /** The catalog's path, to which the form is submitted by GET without JavaScript. */
  action: string;
  /** The search text of the results on the page. */
  q: string;
  /**
   * True if the results are for words that are still being typed. After a pause, the results of a finished search
   * replace them.
   */
  isUnfinished: boolean;
  /** The inputs: one with the name `q`, and hidden ones. */
  children: ReactNode;
}

const pauseMs = 150;
/** Delay after the last key until the words count as finished, milliseconds. */
const finishedMs = 500;

/**
 * A GET form that, with JavaScript, updates the results while typing, without losing scroll position or focus. Searches
 * while typing contain `typing=1`, which is removed from the URL when their results are shown.
 */
export function LiveSearch({ action, q, isUnfinished, children }: LiveSearchProps): ReactNode {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const isStarted = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [pending, startTransition] = useTransition();

  const begin = useEffectEvent((input: HTMLInputElement) => {
    isStarted.current = true;
    if (!isWrittenEarly(input)) return false;
    go('replace', { isTyping: false });
    return true;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    const input = form.current?.elements.namedItem('q');
    if (!(input instanceof HTMLInputElement) || (!isStarted.current && begin(input))) return;
    // After Back or a link, the input follows the URL; while typing, the URL follows the input.
    if (input !== document.activeElement) input.value = q;
  }, [q]);

  useEffect(() => {
    const url = new URL(location.href);
    if (pending || !url.searchParams.has('typing') || url.searchParams.has('cursor')) return;
    url.searchParams.delete('typing');
    history.replaceState(null, '', url);
  }, [pending]);

  const finish = useEffectEvent(() => go('replace', { isTyping: false }));
  useEffect(() => {
    if (!isUnfinished) return;
    const finished = setTimeout(finish, finishedMs);
    return () => clearTimeout(finished);
  }, [isUnfinished]);

  function go(how: 'push' | 'replace', { isTyping }: { isTyping: boolean }): void {
    clearTimeout(timer.current);
    if (!form.current) return;
    const href = hrefOf(action, form.current, isTyping);
    startTransition(() => router[how](href, { scroll: false }));
  }

  function typed(event: FormEvent): void {
    if (event.nativeEvent instanceof InputEvent && event.nativeEvent.isComposing) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => go('replace', { isTyping: true }), pauseMs);
  }

  return (
    <form
      action={action}
      aria-busy={pending}
      className="mt-6"
      onCompositionEnd={typed}
      onInput={typed}
      onSubmit={(event) => {
        event.preventDefault();
        go('push', { isTyping: false });
      }}
      ref={form}
    >
      {children}
      {pending ? <PendingBar /> : null}
    </form>
  );
}

/** Returns true for text typed before hydration, as opposed to text that the browser restored after Back. */
function isWrittenEarly(input: HTMLInputElement): boolean {
  if (input.value === input.defaultValue) return false;
  const [came] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return input === document.activeElement || came?.type === 'navigate';
}

function hrefOf(action: string, form: HTMLFormElement, isTyping: boolean): string {
  const params = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim();
    if (text) params.append(name, text);
  }
  if (isTyping && params.has('q')) params.set('typing', '1');
  return params.size > 0 ? `${action}?${params}` : action;
}
