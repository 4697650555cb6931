'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useStickToBottom } from 'use-stick-to-bottom';
import { Button } from '../../ui/controls/button';
import { ArrowDownIcon } from '../../ui/display/action-icons';
import { useScrollAnchor } from './use-scroll-anchor';

export interface ThreadLogProps {
  /** Accessible name of the history. */
  label: string;
  /** True if there are tasks before the first one shown. */
  hasOlder: boolean;
  /** Loads them. */
  onLoadOlder: () => Promise<void>;
  /** The task to scroll to; null for the end. */
  targetTaskId: string | null;
  /** The reader's own messages that are being sent. */
  sendingIds: readonly string[];
  children: ReactNode;
}

/**
 * Returns the attributes of the frame. It is scrollable and must therefore be reachable by keyboard (WCAG 2.1.1). It is
 * a log, but not a live region.
 */
function logFrame(label: string): { role: 'log'; 'aria-label': string; 'aria-live': 'off'; tabIndex: 0 } {
  return { role: 'log', 'aria-label': label, 'aria-live': 'off', tabIndex: 0 };
}

/**
 * The message history. Follows new content while the reader is at the end. Otherwise, it scrolls only to the reader's
 * own new message. Announcements are made elsewhere, once and in sentences.
 */
export function ThreadLog({
  label,
  hasOlder,
  onLoadOlder,
  targetTaskId,
  sendingIds,
  children,
}: ThreadLogProps): ReactNode {
  const t = useTranslations('chat.threadLog');
  const { scrollRef, contentRef, isAtBottom, scrollToBottom, stopScroll, state } = useStickToBottom({
    initial: targetTaskId === null ? 'instant' : false,
    resize: 'instant',
  });
  useInitialScroll(scrollRef, targetTaskId);
  useStopFollowing(scrollRef, stopScroll);
  useScrollOnSend(sendingIds, scrollToBottom);
  useScrollAnchor(scrollRef, state);
  const jumpToEnd = (): void => {
    void scrollToBottom('instant');
    // Immediately, because the button is hidden before the next frame.
    scrollRef.current?.scrollTo(0, scrollRef.current.scrollHeight);
  };
  const top = useNearTop(scrollRef, hasOlder, onLoadOlder);
  return (
    <div className="relative min-h-0 flex-1">
      <div
        {...logFrame(label)}
        className="group/log h-full overflow-y-auto overscroll-contain px-4 py-6 -outline-offset-2 sm:px-6"
        ref={scrollRef}
      >
        <div className="mx-auto w-full max-w-[46rem] space-y-6" ref={contentRef}>
          {hasOlder ? (
            <div className="flex justify-center" ref={top}>
              <Button onClick={() => void onLoadOlder()} size="sm" tone="quiet">
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
            onClick={jumpToEnd}
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
 * Scrolls to the requested task and highlights it briefly, otherwise to the end. Runs before paint, so that earlier
 * content does not count as near.
 */
function useInitialScroll(scrollRef: ScrollRef, targetTaskId: string | null): void {
  useLayoutEffect(() => {
    if (targetTaskId === null) {
      scrollRef.current?.scrollTo(0, scrollRef.current.scrollHeight);
      return;
    }
    const target = scrollRef.current?.querySelector(`[data-task="${CSS.escape(targetTaskId)}"]`);
    if (!target) return;
    target.scrollIntoView({ block: 'start' });
    target.setAttribute('data-found', '');
    const timer = setTimeout(() => target.removeAttribute('data-found'), 4_000);
    return () => clearTimeout(timer);
  }, [targetTaskId, scrollRef]);
}

/** Tolerance at the end, because sizes are fractions of pixels and scroll positions are integers. */
const END_TOLERANCE = 2;

/**
 * Stops following when the reader scrolls away from the end by any means. `useStickToBottom` would keep a reader at the
 * end who scrolls just as content arrives.
 */
function useStopFollowing(scrollRef: ScrollRef, stopScroll: () => void): void {
  useEffect(() => {
    const frame = scrollRef.current;
    if (!frame) return;
    let previousTop = frame.scrollTop;
    const onScroll = (): void => {
      const { scrollTop, scrollHeight, clientHeight } = frame;
      // Shrinking content also changes the position, but only the reader scrolls up and away from the end.
      if (scrollTop < previousTop && scrollHeight - clientHeight - scrollTop > END_TOLERANCE) stopScroll();
      previousTop = scrollTop;
    };
    frame.addEventListener('scroll', onScroll, { passive: true });
    return () => frame.removeEventListener('scroll', onScroll);
  }, [scrollRef, stopScroll]);
}

/**
 * Scrolls to the reader's own message once when it is sent, and again only if it is resent. Messages that are already
 * being sent cause no scroll.
 */
function useScrollOnSend(sendingIds: readonly string[], scrollToBottom: (how: 'instant') => unknown): void {
  const previousIds = useRef(sendingIds);
  useEffect(() => {
    const hasNew = sendingIds.some((id) => !previousIds.current.includes(id));
    previousIds.current = sendingIds;
    if (hasNew) void scrollToBottom('instant');
  }, [sendingIds, scrollToBottom]);
}

type ScrollRef = { readonly current: HTMLElement | null };

/** Loads earlier messages when their position comes near the viewport. */
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
