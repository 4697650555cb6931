'use client';

import { type ReactNode, Suspense } from 'react';
import { lazyComponent } from '../ui/overlays/lazy';
import type { MarkdownProps } from './parts/markdown/markdown-blocks';
import { PartBoundary } from './parts/part-boundary';
import { PlainText } from './parts/plain-text';

const MarkdownBlocks = lazyComponent(async () => (await import('./parts/markdown/markdown-blocks')).MarkdownBlocks);

/** An agent's Markdown, rendered by a separate chunk; until that is loaded, or if it fails, the plain text. */
export function Markdown(props: MarkdownProps): ReactNode {
  const plain = <PlainText text={props.text} />;
  return (
    <PartBoundary fallback={plain}>
      <Suspense fallback={plain}>
        <MarkdownBlocks {...props} />
      </Suspense>
    </PartBoundary>
  );
}
