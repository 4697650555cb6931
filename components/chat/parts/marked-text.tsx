import type { ReactNode } from 'react';
import { markHidden } from './mark-hidden';
import { numbered } from './numbered';

/** A name that somebody else wrote: apart from the text around it, with invisible characters made visible (XSS-3). */
export function MarkedText({ text }: { text: string }): ReactNode {
  return (
    <bdi>
      {numbered(markHidden(text)).map(({ item: piece, at }) => {
        if (piece.kind === 'text') return <span key={at}>{piece.text}</span>;
        return (
          <span className="mx-0.5 rounded-sm bg-warn-soft px-1 font-mono text-xs text-warn" key={at}>
            <span className="sr-only">invisible character </span>
            {piece.code}
          </span>
        );
      })}
    </bdi>
  );
}
