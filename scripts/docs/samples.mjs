import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Returns the content of a code block. `file=examples/sdk/express.ts` after the language inserts a file that the tests
 * run. `from="…" to="…"` limits it to the lines from the first that starts with `from` to the next that ends with `to`.
 *
 * @param {string} meta the info string after the language
 * @returns {string | null} null for a block with its own text
 * @throws {Error} if the file has no such lines
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
 * Returns the block's title: `title="…"`, or its file name.
 *
 * @param {string} meta
 * @returns {string}
 */
export function titleOf(meta) {
  return optionOf(meta, 'title') ?? optionOf(meta, 'file') ?? '';
}

/**
 * Returns a docs page as Markdown, with every sample inlined.
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
