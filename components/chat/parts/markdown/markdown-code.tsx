import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense } from 'react';
import type { ExtraProps } from 'react-markdown';
import { CodeBlock } from '../../../ui/code-block';
import { lazyPart } from '../../../ui/lazy-part';
import { PartBoundary } from '../part-boundary';
import { FormulaText } from './math';

// Most messages have no code of a known language and no diagram.
const HighlightedCode = lazyPart(async () => (await import('./highlighted-code')).HighlightedCode);
const DiagramBlock = lazyPart(async () => (await import('./diagram-block')).DiagramBlock);

/** A block of code, to read and to copy exactly; long ones scroll in their own frame. */
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
      <Drawn plain={block}>
        <DiagramBlock source={source} />
      </Drawn>
    );
  }
  return (
    <CodeBlock code={source} label={language} maxHeight="32rem">
      <Drawn plain={source}>
        <HighlightedCode code={source} language={language} />
      </Drawn>
    </CodeBlock>
  );
}

/** What a chunk of its own draws; until that is there, and if it never comes, the plain form. */
function Drawn({ plain, children }: { plain: ReactNode; children: ReactNode }): ReactNode {
  return (
    <PartBoundary fallback={plain}>
      <Suspense fallback={plain}>{children}</Suspense>
    </PartBoundary>
  );
}

/** The language that stands behind the fence, kept short: it is text of the agent inside our frame. */
function languageOf(className: unknown): string | null {
  const names = Array.isArray(className) ? className : [];
  const name = names.find((item) => typeof item === 'string' && item.startsWith('language-'));
  return typeof name === 'string' ? name.slice('language-'.length).slice(0, 30) : null;
}
