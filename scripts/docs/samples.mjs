import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * What a code block of the docs shows. A block says after its language `file=examples/sdk/express.ts` to show a file that tests
 * run, and `from="…" to="…"` to show its lines from the first that begins so to the next that ends so.
 *
 * @param {string} meta what stands behind the language
 * @returns {string | null} null for a block that has its own text
 * @throws when the file has no such lines: docs that show nothing are not built
 */
export function sampleOf(meta) {
  const file = optionOf(meta, 'file');
  if (!file) return null;
  const lines = readFileSync(path.join(root, file), 'utf8').trimEnd().split('\n');
  const from = optionOf(meta, 'from');
  const to = optionOf(meta, 'to');
  const first = from ? lines.findIndex((line) => line.trimStart().startsWith(from)) : 0;
  const last = to ? lines.findIndex((line, at) => at >= first && line.endsWith(to)) : lines.length - 1;
  if (first < 0 || last < first) throw new Error(`docs: ${file} has no lines from "${from}" to "${to}"`);
  return lines.slice(first, last + 1).join('\n');
}

/**
 * What the block is called above its text: its `title="…"`, or the name of its file.
 *
 * @param {string} meta
 * @returns {string}
 */
export function titleOf(meta) {
  return optionOf(meta, 'title') ?? optionOf(meta, 'file') ?? '';
}

/**
 * A page of the docs as Markdown, every block with its text in it.
 *
 * @param {string} page
 * @returns {string}
 */
export function expandSamples(page) {
  return page.replace(/^```[^\n]*\n[\s\S]*?^```$/gm, (block) => {
    const [, language, meta, own] = /^```(\w*)([^\n]*)\n([\s\S]*)```$/.exec(block);
    return `\`\`\`${language}\n${sampleOf(meta) ?? own.trimEnd()}\n\`\`\``;
  });
}

function optionOf(meta, name) {
  const [, quoted, bare] = new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|(\\S+))`).exec(meta) ?? [];
  return quoted ?? bare;
}
