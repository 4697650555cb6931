'use client';

import { common, createLowlight } from 'lowlight';
import { type ReactNode, useMemo } from 'react';

const lowlight = createLowlight(common);

/** Maximum characters of highlighted code. Longer code is not highlighted, for performance. */
const MAX_CHARACTERS = 30_000;

type Nodes = ReturnType<typeof lowlight.highlight>['children'];

export interface HighlightedCodeProps {
  code: string;
  /** The agent's name of the language. Code in an unknown language is displayed without highlighting. */
  language: string;
}

/** Highlighted code. The text is identical and takes the same space. */
export function HighlightedCode({ code, language }: HighlightedCodeProps): ReactNode {
  const nodes = useMemo(() => {
    const name = language.toLowerCase();
    if (code.length > MAX_CHARACTERS || !lowlight.registered(name)) return null;
    return lowlight.highlight(name, code).children;
  }, [code, language]);
  return nodes ? renderNodes(nodes) : code;
}

function renderNodes(nodes: Nodes): ReactNode {
  return nodes.map((node, index) => {
    if (node.type === 'text') return node.value;
    if (node.type !== 'element') return null;
    const { className } = node.properties;
    const key = `${index}`;
    return (
      <span className={Array.isArray(className) ? className.join(' ') : undefined} key={key}>
        {renderNodes(node.children)}
      </span>
    );
  });
}
