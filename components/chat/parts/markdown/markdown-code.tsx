import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ExtraProps } from 'react-markdown';
import { CodeBlock } from '../../../ui/code-block';

/** A block of code, to read and to copy exactly; long ones scroll in their own frame. */
export function MarkdownCode({ node }: ExtraProps): ReactNode {
  const t = useTranslations('parts.markdown');
  const code = node?.children[0];
  if (code?.type !== 'element') return null;
  const [text] = code.children;
  const source = text?.type === 'text' ? text.value : '';
  const label = languageOf(code.properties.className) ?? t('code');
  return <CodeBlock code={source.replace(/\n$/, '')} label={label} maxHeight="32rem" />;
}

/** The language that stands behind the fence, kept short: it is text of the agent inside our frame. */
function languageOf(className: unknown): string | null {
  const names = Array.isArray(className) ? className : [];
  const name = names.find((item) => typeof item === 'string' && item.startsWith('language-'));
  return typeof name === 'string' ? name.slice('language-'.length).slice(0, 30) : null;
}
