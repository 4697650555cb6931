import type { ReactNode } from 'react';
import { withIndex } from '../../ui/display/untrusted-text';

/**
 * An agent's text with the simplest Markdown: paragraphs, lists, headings, bold, code. Anything else, also HTML, links
 * and images, is shown unchanged. Rendered on the server, so that it needs no script and cannot move.
 */
export function ExampleText({ text }: { text: string }): ReactNode {
  return (
    <div className="space-y-2 [overflow-wrap:anywhere]" dir="auto">
      {withIndex(blocksOf(text)).map(({ item, index }) => (
        <Block block={item} key={index} />
      ))}
    </div>
  );
}

interface TextBlock {
  kind: 'text' | 'list' | 'code';
  lines: string[];
}

const bullet = /^\s{0,3}(?:[-*•]|\d{1,3}[.)])\s+/;

/** Splits a text at blank lines, lists and code fences. */
function blocksOf(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let isCode = false;
  let isOpen = false;
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('```')) {
      isCode = !isCode;
      isOpen = isCode;
      if (isCode) blocks.push({ kind: 'code', lines: [] });
      continue;
    }
    if (!isCode && line.trim() === '') {
      isOpen = false;
      continue;
    }
    const kind = isCode || line.startsWith('|') ? 'code' : bullet.test(line) ? 'list' : 'text';
    const last = blocks.at(-1);
    if (isOpen && last?.kind === kind) last.lines.push(line);
    else blocks.push({ kind, lines: [line] });
    isOpen = true;
  }
  return blocks;
}

function Block({ block: { kind, lines } }: { block: TextBlock }): ReactNode {
  if (kind === 'code') {
    return <pre className="overflow-x-auto font-mono text-xs whitespace-pre-wrap">{lines.join('\n')}</pre>;
  }
  if (kind === 'list') {
    return (
      <ul className="list-disc space-y-0.5 ps-5">
        {withIndex(lines).map(({ item, index }) => (
          <li key={index}>{inline(item.replace(bullet, ''))}</li>
        ))}
      </ul>
    );
  }
  return (
    <p className="whitespace-pre-line">{inline(lines.map((line) => line.replace(/^#{1,6}\s+/, '')).join('\n'))}</p>
  );
}

/** `**bold**` and `code` as elements; everything else is text. */
function inline(text: string): ReactNode {
  return withIndex(text.split(/(\*\*[^*\n]{1,500}\*\*|`[^`\n]{1,500}`)/)).map(({ item, index }) => {
    if (item.startsWith('**') && item.endsWith('**') && item.length > 4) {
      return <strong key={index}>{item.slice(2, -2)}</strong>;
    }
    if (item.startsWith('`') && item.endsWith('`') && item.length > 2) {
      return (
        <code className="font-mono text-[0.92em]" key={index}>
          {item.slice(1, -1)}
        </code>
      );
    }
    return item;
  });
}
