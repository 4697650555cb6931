import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { markHidden } from './mark-hidden';
import { numbered } from './numbered';

/** A name that somebody else wrote: apart from the text around it, with invisible characters made visible (XSS-3). */
export function MarkedText({ text }: { text: string }): ReactNode {
  return (
    <bdi>
      {numbered(markHidden(text)).map(({ item: piece, at }) => {
        if (piece.kind === 'text') return <span key={at}>{piece.text}</span>;
        return <Invisible code={piece.code} key={at} />;
      })}
    </bdi>
  );
}

/** By itself, so that names without such characters need no texts. */
function Invisible({ code }: { code: string }): ReactNode {
  const t = useTranslations('ui.markedText');
  return (
    <span className="mx-0.5 rounded-sm bg-warn-soft px-1 font-mono text-xs text-warn">
      {t.rich('invisible', { code, hidden: (chunks) => <span className="sr-only">{chunks}</span> })}
    </span>
  );
}
