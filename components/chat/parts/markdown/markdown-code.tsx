'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense } from 'react';
import type { ExtraProps } from 'react-markdown';
import { CodeBlock } from '../../../ui/display/code-block';
import { lazyComponent } from '../../../ui/overlays/lazy';
import { PartBoundary } from '../part-boundary';
import type { MathProps } from './math-formula';

// Most messages have no highlighted code and no diagram.
const HighlightedCode = lazyComponent(async () => (await import('./highlighted-code')).HighlightedCode);
const DiagramBlock = lazyComponent(async () => (await import('./diagram-block')).DiagramBlock);

/** A code block with exact copy; long ones scroll. */
export function MarkdownCode({ node }: ExtraProps): ReactNode {
  const t = useTranslations('parts.markdown');
  const code = node?.children[0];
  if (code?.type !== 'element') return null;
  const [text] = code.children;
  const source = (text?.type === 'text' ? text.value : '').replace(/\n$/, '');
  const language = languageOf(code.properties.className);
  if (language === 'math') return <FormulaText display tex={source} />;
  const block = <CodeBlock code={source} label={language ?? t('code')} maxHeight="32rem" />;
  if (language === null) return block;
  if (language === 'mermaid') {
    return (
      <LazyContent plain={block}>
        <DiagramBlock source={source} />
      </LazyContent>
    );
  }
  return (
    <CodeBlock code={source} label={language} maxHeight="32rem">
      <LazyContent plain={source}>
        <HighlightedCode code={source} language={language} />
      </LazyContent>
    </CodeBlock>
  );
}

/** Content that a lazy chunk renders. Plain until that is loaded, or if it fails to load. */
function LazyContent({ plain, children }: { plain: ReactNode; children: ReactNode }): ReactNode {
  return (
    <PartBoundary fallback={plain}>
      <Suspense fallback={plain}>{children}</Suspense>
    </PartBoundary>
  );
}

/** Returns the fence's language, shortened, because it is agent text inside our UI. */
function languageOf(className: unknown): string | null {
  const names = Array.isArray(className) ? className : [];
  const name = names.find((item) => typeof item === 'string' && item.startsWith('language-'));
  return typeof name === 'string' ? name.slice('language-'.length).slice(0, 30) : null;
}

const MathFormula = lazyComponent(async () => (await import('./math-formula')).MathFormula);

/** A formula. Its source until its chunk is loaded, or if it fails to load. */
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
