'use client';

import 'katex/dist/katex.min.css';
import katex from 'katex';
import { type ReactNode, useLayoutEffect, useRef } from 'react';

export interface MathProps {
  /** LaTeX. */
  tex: string;
  /** True for a display formula on its own line. */
  display: boolean;
}

/**
 * A formula rendered by KaTeX, with MathML for screen readers. Commands that load or link are disabled; an invalid
 * formula shows its source.
 */
export function MathFormula({ tex, display }: MathProps): ReactNode {
  const host = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (!host.current) return;
    try {
      katex.render(tex, host.current, { ...options, displayMode: display });
    } catch {
      host.current.textContent = tex;
    }
  }, [tex, display]);
  return (
    <span
      className={
        display
          ? 'block max-w-full overflow-x-auto overflow-y-hidden py-1'
          : 'inline-block max-w-full overflow-x-auto overflow-y-hidden align-bottom'
      }
      dir="ltr"
      ref={host}
    />
  );
}

/** `maxExpand` and `maxSize` (in em) limit a hostile formula. */
const options = { throwOnError: true, trust: false, strict: 'ignore', maxExpand: 200, maxSize: 20 } as const;
