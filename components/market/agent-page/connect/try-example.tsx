'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { newChatPath } from '../../../routes';
import { ArrowRightIcon } from '../../../ui/display/icons';

const eventName = 'parley:try';

/** Subscribes to examples selected on this page. Returns a function that unsubscribes. */
export function subscribeToExamples(onExample: (text: string) => void): () => void {
  const listener = (event: Event): void => {
    if (event instanceof CustomEvent) onExample(String(event.detail));
  };
  window.addEventListener(eventName, listener);
  return () => window.removeEventListener(eventName, listener);
}

/** An example of a skill. Fills the page's own field or, without JavaScript, that of the chat. */
export function TryExample({ slug, example }: { slug: string; example: string }): ReactNode {
  return (
    <Link
      className="group -mx-2 flex min-h-10 items-center gap-3 rounded-md px-2 py-1.5 text-sm hover:bg-sunken touch:min-h-11"
      href={newChatPath(slug, example)}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        window.dispatchEvent(new CustomEvent(eventName, { detail: example }));
      }}
      prefetch={false}
    >
      <span className="min-w-0 flex-1" dir="auto">
        {example}
      </span>
      <ArrowRightIcon className="shrink-0 text-muted group-hover:text-accent" size={16} />
    </Link>
  );
}
