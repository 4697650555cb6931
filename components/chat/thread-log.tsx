'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useStickToBottom } from 'use-stick-to-bottom';
import { Button } from '../ui/button';
import { ArrowDownIcon } from './icons';
import { useKeptPlace } from './use-kept-place';

export interface ThreadLogProps {
  /** Name of the history, for screen readers. */
  label: string;
  /** There is more before the first of what is shown. */
  hasOlder: boolean;
  /** Reads it. */
  onOlder: () => Promise<void>;
  /** The task to begin reading at; none: the end. */
  at: string | null;
  /** The messages that the reader sent from here and that are on their way. */
  underway: readonly string[];
  children: ReactNode;
}

/** Scrolls by itself, so the keyboard must reach it (WCAG 2.1.1). A log, but no live region. */
function logFrame(label: string): { role: 'log'; 'aria-label': string; 'aria-live': 'off'; tabIndex: 0 } {
  return { role: 'log', 'aria-label': label, 'aria-live': 'off', tabIndex: 0 };
}

/**
 * The history of a conversation. Follows what comes while the reader is at the end, and never moves a reader who is not, except
 * to what they send themselves.
 * What is worth saying aloud is announced elsewhere, once and in sentences.
 */
export function ThreadLog({ label, hasOlder, onOlder, at, underway, children }: ThreadLogProps): ReactNode {
  const t = useTranslations('chat.threadLog');
  const { scrollRef, contentRef, isAtBottom, scrollToBottom, stopScroll } = useStickToBottom({
    initial: at === null ? 'instant' : false,
    resize: 'instant',
  });
  useStart(scrollRef, at);
  useLetGo(scrollRef, stopScroll);
  useOwnMessages(underway, scrollToBottom);
  useKeptPlace(scrollRef);
  const top = useNearTop(scrollRef, hasOlder, onOlder);
  return (
    <div className="relative min-h-0 flex-1">
      <div
        {...logFrame(label)}
        className="h-full overflow-y-auto overscroll-contain px-4 py-6 -outline-offset-2 sm:px-6"
        ref={scrollRef}
      >
        <div className="mx-auto w-full max-w-[46rem] space-y-6" ref={contentRef}>
          {hasOlder ? (
            <div className="flex justify-center" ref={top}>
              <Button onClick={() => void onOlder()} size="sm" tone="quiet">
                {t('earlier')}
              </Button>
            </div>
          ) : null}
          {children}
        </div>
      </div>
      {isAtBottom ? null : (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button
            className="pointer-events-auto shadow-pop"
            icon={<ArrowDownIcon size={16} />}
            onClick={() => void scrollToBottom('instant')}
            size="sm"
          >
            {t('latest')}
          </Button>
        </div>
      )}
    </div>
  );
}

/**
 * Puts the task that was asked for to the top of the window, and marks it for a moment; none: begins at the end. Before the
 * window is painted, so what came earlier is not taken to be near.
 */
function useStart(scrollRef: ScrollRef, at: string | null): void {
  useLayoutEffect(() => {
    if (at === null) {
      scrollRef.current?.scrollTo(0, scrollRef.current.scrollHeight);
      return;
    }
    const target = scrollRef.current?.querySelector(`[data-task="${CSS.escape(at)}"]`);
    if (!target) return;
    target.scrollIntoView({ block: 'start' });
    target.setAttribute('data-found', '');
    const timer = setTimeout(() => target.removeAttribute('data-found'), 4_000);
    return () => clearTimeout(timer);
  }, [at, scrollRef]);
}

/** What is left below a reader at the end: sizes are fractions of pixels, scrolls are whole ones. */
const END = 2;

/** Lets a reader go who leaves the end, whatever they scroll by. `useStickToBottom` alone holds who does so just when something comes. */
function useLetGo(scrollRef: ScrollRef, stopScroll: () => void): void {
  useEffect(() => {
    const frame = scrollRef.current;
    if (!frame) return;
    let before = frame.scrollTop;
    const onScroll = (): void => {
      const { scrollTop, scrollHeight, clientHeight } = frame;
      // Less of a history brings its end nearer; only a reader goes up and away from it.
      if (scrollTop < before && scrollHeight - clientHeight - scrollTop > END) stopScroll();
      before = scrollTop;
    };
    frame.addEventListener('scroll', onScroll, { passive: true });
    return () => frame.removeEventListener('scroll', onScroll);
  }, [scrollRef, stopScroll]);
}

/**
 * Shows the reader what they just sent, wherever they were reading: once, when it leaves, and again only when it leaves again.
 * What was on its way before moves nobody.
 */
function useOwnMessages(underway: readonly string[], scrollToBottom: (how: 'instant') => unknown): void {
  const before = useRef(underway);
  useEffect(() => {
    const left = underway.some((id) => !before.current.includes(id));
    before.current = underway;
    if (left) void scrollToBottom('instant');
  }, [underway, scrollToBottom]);
}

type ScrollRef = { readonly current: HTMLElement | null };

/** Reads what came before as soon as its place comes near the window. */
function useNearTop(
  scrollRef: ScrollRef,
  hasOlder: boolean,
  onOlder: () => Promise<void>,
): RefObject<HTMLDivElement | null> {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const frame = scrollRef.current;
    if (!hasOlder || !frame || !top.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void onOlder(), {
      root: frame,
      rootMargin: '600px 0px',
    });
    observer.observe(top.current);
    return () => observer.disconnect();
  }, [hasOlder, onOlder, scrollRef]);
  return top;
}
