'use client';

import { type ReactNode, Suspense } from 'react';
import { lazyComponent } from '../../../ui/overlays/lazy';
import { PartBoundary } from '../part-boundary';
import type { MathProps } from './math-formula';

const MathFormula = lazyComponent(async () => (await import('./math-formula')).MathFormula);

/** A formula; until its chunk is loaded, or if it fails, its source. */
export function FormulaText(props: MathProps): ReactNode {
  const source = (
    <code
      className={props.display ? 'block overflow-x-auto py-2 font-mono text-sm' : 'font-mono text-[0.9em]'}
      dir="ltr"
    >
      {props.tex}
    </code>
  );
  return (
    <PartBoundary fallback={source}>
      <Suspense fallback={source}>
        <MathFormula {...props} />
      </Suspense>
    </PartBoundary>
  );
}
