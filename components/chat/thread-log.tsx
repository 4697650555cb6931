'use client';

import type { ReactNode } from 'react';
import { useStickToBottom } from 'use-stick-to-bottom';
import { Button } from '../ui/button';
import { ArrowDownIcon } from './icons';

export interface ThreadLogProps {
  /** Name of the history, for screen readers. */
  label: string;
  children: ReactNode;
}

/** Scrolls by itself, so the keyboard must reach it (WCAG 2.1.1). A log, but no live region. */
function logFrame(label: string): { role: 'log'; 'aria-label': string; 'aria-live': 'off'; tabIndex: 0 } {
  return { role: 'log', 'aria-label': label, 'aria-live': 'off', tabIndex: 0 };
}

/**
 * The history of a conversation. Follows what comes while the reader is at the end, and never moves a reader who is not.
 * What is worth saying aloud is announced elsewhere, once and in sentences.
 */
export function ThreadLog({ label, children }: ThreadLogProps): ReactNode {
  const { scrollRef, contentRef, isAtBottom, scrollToBottom } = useStickToBottom({
    initial: 'instant',
    resize: 'instant',
  });
  return (
    <div className="relative min-h-0 flex-1">
      <div
        {...logFrame(label)}
        className="h-full overflow-y-auto overscroll-contain px-4 py-6 -outline-offset-2 sm:px-6"
        ref={scrollRef}
      >
        <div className="mx-auto w-full max-w-[46rem] space-y-6" ref={contentRef}>
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
            Jump to latest
          </Button>
        </div>
      )}
    </div>
  );
}
