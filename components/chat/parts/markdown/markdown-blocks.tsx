'use client';

import { memo, type ReactNode, useId, useMemo } from 'react';
import ReactMarkdown, { type Options } from 'react-markdown';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import { PartBoundary } from '../part-boundary';
import { PlainText } from '../plain-text';
import { closeOpenMarks } from './close-open-marks';
import { allowedElements, elements } from './elements';
import { FootnoteList, FootnoteScope } from './footnote-list';
import { noteReferences, takeNotes, withNotes } from './footnotes';
import { isDrawable } from './is-drawable';
import { mathSyntax } from './math-syntax';
import { plainSyntax } from './plain-syntax';
import { safeHref } from './safe-href';
import { definitionsOf, splitBlocks, withDefinitions } from './split-blocks';
import { textRules } from './text-rules';

export interface MarkdownProps {
  text: string;
  /** More text is to come: the end is shown as if it were complete. */
  streaming?: boolean;
}

const plugins: Options['remarkPlugins'] = [
  // Only two tildes strike through (GFM allows one): `~5 to ~10` means about.
  [remarkGfm, { singleTilde: false }],
  plainSyntax,
  mathSyntax,
  noteReferences,
  textRules,
  // Agents write for chats, where a line break is a line break.
  remarkBreaks,
];

/** Longer texts are shown as written: drawing them would hold up the page for seconds. */
const MOST_CHARACTERS = 200_000;

/** An agent's Markdown. It runs nothing and fetches nothing; while it grows only its last block is drawn again. */
export function MarkdownBlocks({ text, streaming = false }: MarkdownProps): ReactNode {
  const { blocks, footnotes, numbers } = useMemo(() => takeNotes(splitBlocks(text)), [text]);
  const definitions = useMemo(() => definitionsOf(blocks), [blocks]);
  const scope = useId();
  if (text.length > MOST_CHARACTERS) return <PlainText text={text} />;
  const withAll = (block: string) => withNotes(withDefinitions(block, definitions), numbers);
  let start = 0;
  return (
    <FootnoteScope value={scope}>
      <div className="space-y-3 break-words [font-variant-ligatures:none]">
        {blocks.map((block, place) => {
          const source = streaming && place === blocks.length - 1 ? closeOpenMarks(block) : block;
          const key = start;
          start += block.length;
          return <Block key={key} source={withAll(source)} written={block} />;
        })}
        {footnotes.length > 0 ? (
          <FootnoteList
            draw={(note) =>
              splitBlocks(note).map((block) => <Block key={block} source={withAll(block)} written={block} />)
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
  /** The block as the agent wrote it, for when it cannot be drawn. */
  written: string;
}

const Block = memo(function Block({ source, written }: BlockProps): ReactNode {
  const plain = <PlainText text={written} />;
  if (!isDrawable(source)) return plain;
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
