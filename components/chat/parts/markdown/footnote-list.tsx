'use client';

import { useTranslations } from 'next-intl';
import { createContext, type MouseEvent, type ReactNode, useContext } from 'react';
import type { ExtraProps } from 'react-markdown';
import type { Footnote } from './footnotes';

/** Id prefix of a message's footnotes: a page has many messages. */
export const FootnoteScope = createContext<string>('');

/** A footnote's number in running text; links to it. */
export function FootnoteReference({ node }: ExtraProps): ReactNode {
  const t = useTranslations('parts.markdown');
  const scope = useContext(FootnoteScope);
  const [child] = node?.children ?? [];
  const number = child?.type === 'text' ? child.value : '';
  if (scope === '' || !/^\d+$/.test(number)) return <sup>{number}</sup>;
  return (
    <sup className="text-xs leading-none">
      <a
        aria-label={t('footnote', { number })}
        className="text-link -m-1 p-1"
        href={`#${scope}note-${number}`}
        id={`${scope}ref-${number}`}
        onClick={scrollToTarget}
      >
        {number}
      </a>
    </sup>
  );
}

export interface FootnoteListProps {
  footnotes: Footnote[];
  render: (text: string) => ReactNode;
}

/** The footnotes of a message, each with a link back to its reference. */
export function FootnoteList({ footnotes, render }: FootnoteListProps): ReactNode {
  const t = useTranslations('parts.markdown');
  const scope = useContext(FootnoteScope);
  return (
    <div className="border-t border-line pt-3 text-sm text-muted">
      <ol aria-label={t('footnotes')} className="list-decimal space-y-1">
        {footnotes.map(({ number, text, isUsed }) => (
          <li className="ms-6" id={`${scope}note-${number}`} key={number} tabIndex={-1}>
            <div className="space-y-2">{render(text)}</div>
            {isUsed ? (
              <a
                aria-label={t('backToText', { number })}
                className="text-link inline-flex min-h-6 min-w-6 items-center justify-center"
                href={`#${scope}ref-${number}`}
                onClick={scrollToTarget}
              >
                ↑
              </a>
            ) : null}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Scrolls without a new history entry. */
function scrollToTarget(event: MouseEvent<HTMLAnchorElement>): void {
  const target = document.getElementById(event.currentTarget.hash.slice(1));
  if (!target) return;
  event.preventDefault();
  target.scrollIntoView({ block: 'nearest' });
  target.focus({ preventScroll: true });
}
