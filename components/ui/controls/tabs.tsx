'use client';

import clsx from 'clsx';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';

export interface Tab {
  id: string;
  label: string;
  panel: ReactNode;
}

/**
 * Tabs in the APG pattern, with arrow keys, Home and End. Without JavaScript, all panels are displayed one below the
 * other.
 */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }): ReactNode {
  const [chosen, setChosen] = useState(tabs[0]?.id);
  const name = useId();
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const at = tabs.findIndex(({ id }) => id === chosen);
    const right = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
    const ends = { Home: 0, End: tabs.length - 1 };
    const moves: Record<string, number> = { ArrowRight: at + right, ArrowLeft: at - right, ...ends };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const next = (move + tabs.length) % tabs.length;
    setChosen(tabs[next]?.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  }

  return (
    <div>
      <div
        aria-label={label}
        className="flex gap-1 overflow-x-auto border-b border-line"
        onKeyDown={onKeyDown}
        ref={list}
        role="tablist"
      >
        {tabs.map(({ id, label: text }) => (
          <button
            aria-controls={`${name}-${id}`}
            aria-selected={id === chosen}
            className={clsx(
              'inline-flex min-h-10 shrink-0 items-center border-b-2 px-3 text-sm font-medium -outline-offset-2 touch:min-h-11',
              id === chosen ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink',
            )}
            id={`${name}-${id}-tab`}
            key={id}
            onClick={() => setChosen(id)}
            role="tab"
            tabIndex={id === chosen ? 0 : -1}
            type="button"
          >
            {text}
          </button>
        ))}
      </div>
      <noscript>
        <style>{'[role=tabpanel][hidden]{display:block!important}'}</style>
      </noscript>
      {tabs.map(({ id, panel }) => (
        <div
          aria-labelledby={`${name}-${id}-tab`}
          className="pt-5"
          hidden={id !== chosen}
          id={`${name}-${id}`}
          key={id}
          role="tabpanel"
        >
          {panel}
        </div>
      ))}
    </div>
  );
}
