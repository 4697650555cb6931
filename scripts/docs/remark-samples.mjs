import { sampleOf, titleOf } from './samples.mjs';

/** Inserts sample files into a page's code blocks, and passes their titles as an attribute. */
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
