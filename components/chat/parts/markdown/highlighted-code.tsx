'use client';

import { common, createLowlight } from 'lowlight';
import { type ReactNode, useMemo } from 'react';

const lowlight = createLowlight(common);

/** Longer code is shown without colors: coloring it would hold up the page. */
const MOST_CHARACTERS = 30_000;

type Nodes = ReturnType<typeof lowlight.highlight>['children'];

export interface HighlightedCodeProps {
  code: string;
  /** What the agent called the language; of a language that is not known the code is shown as it is. */
  language: string;
}

/** Code with the colors of its language. The text is the same, character for character, and takes the same space. */
export function HighlightedCode({ code, language }: HighlightedCodeProps): ReactNode {
  const nodes = useMemo(() => {
    const name = language.toLowerCase();
    if (code.length > MOST_CHARACTERS || !lowlight.registered(name)) return null;
    return lowlight.highlight(name, code).children;
  }, [code, language]);
  return nodes ? draw(nodes) : code;
}

function draw(nodes: Nodes): ReactNode {
  return nodes.map((node, at) => {
    if (node.type === 'text') return node.value;
    if (node.type !== 'element') return null;
    const { className } = node.properties;
    const key = `${at}`;
    return (
      <span className={Array.isArray(className) ? className.join(' ') : undefined} key={key}>
        {draw(node.children)}
      </span>
    );
  });
}
