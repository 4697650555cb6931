'use client';

import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../ui/lazy-part';
import type { MarkdownProps } from './parts/markdown/markdown-blocks';
import { PartBoundary } from './parts/part-boundary';
import { PlainText } from './parts/plain-text';

const MarkdownBlocks = lazyPart(async () => (await import('./parts/markdown/markdown-blocks')).MarkdownBlocks);

/** An agent's Markdown, drawn by a chunk of its own; until that is there, and if it never comes, the text as written. */
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
