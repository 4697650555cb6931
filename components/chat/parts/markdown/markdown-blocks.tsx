'use client';

import { memo, type ReactNode, useId, useMemo } from 'react';
import ReactMarkdown, { type Options } from 'react-markdown';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import { PartBoundary, PlainText } from '../part-boundary';
import { closeOpenMarks } from './close-open-marks';
import { allowedElements, elements } from './elements';
import { extractFootnotes, FootnoteList, FootnoteScope, footnoteReferences, withFootnotes } from './footnotes';
import { mathSyntax } from './math-syntax';
import { safeHref } from './safe-href';
import { definitionsOf, splitBlocks, withDefinitions } from './split-blocks';
import { plainSyntax, textRules } from './text-rules';

export interface MarkdownProps {
  text: string;
  /** True if more text follows, in which case the end is rendered as if it were complete. */
  streaming?: boolean;
}

const plugins: Options['remarkPlugins'] = [
  // Only double tildes strike through, because `~5 to ~10` means about. GFM also permits single ones.
  [remarkGfm, { singleTilde: false }],
  plainSyntax,
  mathSyntax,
  footnoteReferences,
  textRules,
  // Agents write chat text, in which a line break is a line break.
  remarkBreaks,
];

/**
 * Maximum characters of rendered Markdown. Longer texts are displayed as plain text, because rendering them would block
 * the page for seconds.
 */
const MAX_CHARACTERS = 200_000;

/** An agent's Markdown. Executes and fetches nothing. While it grows, only its last block is rendered again. */
export function MarkdownBlocks({ text, streaming = false }: MarkdownProps): ReactNode {
  const { blocks, footnotes, numbers } = useMemo(() => extractFootnotes(splitBlocks(text)), [text]);
  const definitions = useMemo(() => definitionsOf(blocks), [blocks]);
  const scope = useId();
  if (text.length > MAX_CHARACTERS) return <PlainText text={text} />;
  const withAll = (block: string) => withFootnotes(withDefinitions(block, definitions), numbers);
  let start = 0;
  return (
    <FootnoteScope value={scope}>
      <div className="space-y-3 break-words [font-variant-ligatures:none]">
        {blocks.map((block, index) => {
          const source = streaming && index === blocks.length - 1 ? closeOpenMarks(block) : block;
          const key = start;
          start += block.length;
          return <Block key={key} source={withAll(source)} fallbackText={block} />;
        })}
        {footnotes.length > 0 ? (
          <FootnoteList
            render={(note) =>
              splitBlocks(note).map((block) => <Block key={block} source={withAll(block)} fallbackText={block} />)
            }
            footnotes={footnotes}
          />
        ) : null}
      </div>
    </FootnoteScope>
  );
}

interface BlockProps {
  source: string;
  /** The block's source, which is displayed if it cannot be rendered. */
  fallbackText: string;
}

const Block = memo(function Block({ source, fallbackText }: BlockProps): ReactNode {
  const plain = <PlainText text={fallbackText} />;
  if (!isRenderable(source)) return plain;
  return (
    <PartBoundary fallback={plain}>
      <ReactMarkdown
        allowedElements={allowedElements}
        components={elements}
        remarkPlugins={plugins}
        unwrapDisallowed
        urlTransform={safeHref}
      >
        {source}
      </ReactMarkdown>
    </PartBoundary>
  );
});

/**
 * Maximum characters, lines and marks of a block. Parsing time is quadratic in them; within these limits, it takes a
 * fraction of a second.
 */
const MAX_BLOCK_CHARACTERS = 50_000;
const MAX_MARKS = 3_000;
const MAX_NESTED = 30;

const nested = new RegExp(`^(?:[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${MAX_NESTED}}`, 'm');

/** Returns false for a Markdown block that could keep a browser busy, which is displayed as plain text. */
export function isRenderable(block: string): boolean {
  if (nested.test(block)) return false;
  if (isFence(block)) return true;
  return block.length <= MAX_BLOCK_CHARACTERS && countMarks(block) <= MAX_MARKS;
}

/** Returns true for one fence from the first line to the last, because code is parsed in linear time. */
function isFence(block: string): boolean {
  const fences = [...block.matchAll(/^ {0,3}(?:`{3}|~{3}).*$/gm)];
  const [first, last] = [fences[0], fences[1]];
  if (first?.index !== 0 || fences.length > 2) return false;
  return !last || block.slice(last.index + last[0].length).trim() === '';
}

function countMarks(block: string): number {
  let count = 0;
  for (const _mark of block.matchAll(/[*_~`$]+|\[|\\\(/g)) count++;
  return count;
}
