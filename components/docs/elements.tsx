import type { MDXComponents } from 'mdx/types';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ComponentProps, isValidElement, type ReactNode } from 'react';
import { anchorOf, placeholderOrigin } from '@/lib/docs/schema';
import { CodeBlock } from '../ui/display/code-block';
import { scrollRegion } from '../ui/display/scroll-region';

/** Languages of untitled blocks; their names are not translated. */
const languages: Record<string, string> = {
  json: 'JSON',
  ts: 'TypeScript',
  js: 'JavaScript',
  py: 'Python',
};

/** Returns the renderers of the docs' Markdown. `origin` is the origin of this deployment, which samples use. */
export function docsElements(origin: string): MDXComponents {
  return {
    ...plainElements,
    code: ({ children }) => (
      <code className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-[0.875em] break-words">
        {typeof children === 'string' ? atOrigin(children, origin) : children}
      </code>
    ),
    pre: ({ children }) => <Block origin={origin}>{children}</Block>,
  };
}

const plainElements: MDXComponents = {
  h1: ({ children }) => <h1 className="text-2xl font-semibold">{children}</h1>,
  h2: ({ id, children }) => (
    <Heading level="h2" original={id}>
      {children}
    </Heading>
  ),
  h3: ({ id, children }) => (
    <Heading level="h3" original={id}>
      {children}
    </Heading>
  ),
  p: ({ children }) => <p className="mt-4 max-w-prose">{children}</p>,
  ul: ({ children }) => <ul className="mt-4 max-w-prose list-disc space-y-2 ps-5 marker:text-muted">{children}</ul>,
  ol: ({ children }) => <ol className="mt-4 max-w-prose list-decimal space-y-2 ps-5 marker:text-muted">{children}</ol>,
  a: DocsLink,
  table: Table,
  th: ({ children }) => <th className="bg-sunken px-4 py-2 text-start align-bottom font-medium">{children}</th>,
  td: ({ children }) => <td className="border-t border-line px-4 py-2 text-start align-top">{children}</td>,
};

function Table({ children }: { children?: ReactNode }): ReactNode {
  const t = useTranslations('docs.elements');
  return (
    <div {...scrollRegion(t('table'))} className="mt-5 overflow-x-auto rounded-lg border border-line">
      <table className="w-full text-sm">{children}</table>
    </div>
  );
}

interface HeadingProps {
  level: 'h2' | 'h3';
  /** The English heading of a translated one, which determines the anchor. */
  original: string | undefined;
  children?: ReactNode;
}

function Heading({ level: Level, original, children }: HeadingProps): ReactNode {
  const style = Level === 'h2' ? 'mt-10 text-xl' : 'mt-8 text-lg';
  return (
    <Level className={`${style} font-semibold`} id={anchorOf(original ?? textOf(children))}>
      {children}
    </Level>
  );
}

function DocsLink({ href = '', children }: ComponentProps<'a'>): ReactNode {
  if (href.startsWith('/') && !/\.(json|txt)$|well-known/.test(href)) {
    return (
      <Link className="text-link" href={href} prefetch={false}>
        {children}
      </Link>
    );
  }
  return (
    <a className="text-link" href={href}>
      {children}
    </a>
  );
}

function Block({ origin, children }: { origin: string; children?: ReactNode }): ReactNode {
  const t = useTranslations('docs.elements');
  if (!isValidElement<{ className?: string; title?: string; children?: ReactNode }>(children)) return null;
  const { className = '', title, children: text } = children.props;
  const language = className.replace('language-', '');
  const label = title || (language === 'sh' ? t('terminal') : languages[language]) || t('text');
  return <CodeBlock className="mt-5" code={atOrigin(textOf(text), origin).trimEnd()} label={label} />;
}

/** Replaces the origin in samples by that of this deployment, so that they run as copied. */
function atOrigin(text: string, origin: string): string {
  return text.replaceAll(placeholderOrigin, origin);
}

function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : '';
}
