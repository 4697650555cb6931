import { sampleOf, titleOf } from './samples.mjs';

/** Puts the text of samples into the code blocks of a page, and their title where the page's components find it. */
export default function remarkSamples() {
  return (tree) => {
    for (const node of tree.children) {
      if (node.type !== 'code') continue;
      const meta = node.meta ?? '';
      node.value = sampleOf(meta) ?? node.value;
      node.data = { hProperties: { title: titleOf(meta) } };
    }
  };
}
