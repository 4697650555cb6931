import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { splitInvisible } from './reveal-invisible-chars';
import { withIndex } from './with-index';

/** A third-party name: isolated from the surrounding text direction, with invisible characters revealed. */
export function UntrustedText({ text }: { text: string }): ReactNode {
  return (
    <bdi>
      {withIndex(splitInvisible(text)).map(({ item: piece, index }) => {
        if (piece.kind === 'text') return <span key={index}>{piece.text}</span>;
        return <Invisible code={piece.code} key={index} />;
      })}
    </bdi>
  );
}

/** A component of its own, so that names without such characters need no texts. */
function Invisible({ code }: { code: string }): ReactNode {
  const t = useTranslations('ui.markedText');
  return (
    <span className="mx-0.5 rounded-sm bg-warn-soft px-1 font-mono text-xs text-warn">
      {t.rich('invisible', { code, hidden: (chunks) => <span className="sr-only">{chunks}</span> })}
    </span>
  );
}
