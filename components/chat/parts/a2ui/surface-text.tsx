import type { ReactNode } from 'react';
import type { ViewNode } from '../../../../lib/protocol/a2ui/view/surface-view';
import { UntrustedText } from '../../../ui/display/untrusted-text';
import { Markdown } from '../markdown';

type TextNode = ViewNode & { kind: 'text' };

const styles: Record<TextNode['style'], string> = {
  h1: 'text-xl font-semibold',
  h2: 'text-lg font-semibold',
  h3: 'text-base font-semibold',
  h4: 'text-sm font-semibold',
  h5: 'text-sm font-medium',
  caption: 'text-xs text-muted',
  body: '',
};

/** Text that may contain Markdown, which the specification permits in simple form. */
const markup = /^#{1,6}\s|^\s*([-*+]|\d+[.)])\s|\*\S|_\S|`|\[.+\]\(/m;

/** A text of a surface. In the outline of the page, all its headings are one level below the message. */
export function SurfaceText({ node: { text, style } }: { node: TextNode }): ReactNode {
  if (text === '') return null;
  if ((style === 'body' || style === 'caption') && markup.test(text)) {
    return (
      <div className={styles[style]}>
        <Markdown text={text} />
      </div>
    );
  }
  const Element = style.startsWith('h') ? 'h3' : 'p';
  const plain = Element === 'h3' ? text.replace(/^#{1,6}\s+/, '').replaceAll('**', '') : text;
  return (
    <Element className={`break-words whitespace-pre-wrap ${styles[style]}`} dir="auto">
      <UntrustedText text={plain} />
    </Element>
  );
}
