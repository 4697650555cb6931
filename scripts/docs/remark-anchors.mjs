import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { headingsOf } from './translations.mjs';

/**
 * Passes the English headings to the headings of a translated page as their `id`, so that a link to a section works in
 * every language. Translated pages have the same headings as the original (scripts/check-docs.mjs).
 */
export default function remarkAnchors() {
  return (tree, file) => {
    const original = originalOf(file.path ?? '');
    if (!original) return;
    const originals = headingsOf(readFileSync(original, 'utf8'));
    const headings = tree.children.filter(({ type }) => type === 'heading');
    for (const [index, node] of headings.entries()) {
      node.data = { ...node.data, hProperties: { id: originals[index]?.heading } };
    }
  };
}

/** Returns the English page of a translated one, which is in a folder named by its language; null for other pages. */
function originalOf(page) {
  const folder = path.dirname(page);
  const original = path.join(folder, '..', path.basename(page));
  return path.basename(path.dirname(folder)) === 'site' && existsSync(original) ? original : null;
}
