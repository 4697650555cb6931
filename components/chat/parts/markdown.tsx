'use client';

import { type ReactNode, Suspense } from 'react';
import { lazyComponent } from '../../ui/overlays/lazy';
import type { MarkdownProps } from './markdown/markdown-blocks';
import { PartBoundary, PlainText } from './part-boundary';

const MarkdownBlocks = lazyComponent(async () => (await import('./markdown/markdown-blocks')).MarkdownBlocks);

/** An agent's Markdown, rendered by a separate chunk. Plain text until that is loaded, or if it fails to load. */
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
