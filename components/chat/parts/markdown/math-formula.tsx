'use client';

import 'katex/dist/katex.min.css';
import katex from 'katex';
import { type ReactNode, useLayoutEffect, useRef } from 'react';

export interface MathProps {
  /** LaTeX. */
  tex: string;
  /** On a line of its own. */
  display: boolean;
}

/** A formula drawn by KaTeX, with MathML for screen readers. Commands that load or link are off; a faulty formula is its source. */
export function MathFormula({ tex, display }: MathProps): ReactNode {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (!place.current) return;
    try {
      katex.render(tex, place.current, { ...options, displayMode: display });
    } catch {
      place.current.textContent = tex;
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
      ref={place}
    />
  );
}

/** `maxExpand` and `maxSize` (in em) bound what a hostile formula can take of the page. */
const options = { throwOnError: true, trust: false, strict: 'ignore', maxExpand: 200, maxSize: 20 } as const;
