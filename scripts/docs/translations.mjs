import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the translations of the docs: a folder for each language with the translated pages and `contents.json`, which
 * has the names of the sections and the titles and summaries of the pages.
 *
 * @param {string} folder the folder of the English pages
 * @returns {{ language: string, sections: Record<string, string>, pages: { slug: string, title: string, summary: string }[] }[]}
 */
export function readTranslations(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ language: name, ...readJson(path.join(folder, name, 'contents.json')) }));
}

/**
 * Returns the differences between the English docs and their translations, one line each: missing names, titles and
 * pages, and pages whose structure is not that of the original. The latter usually means that the original has changed.
 *
 * @param {string} folder the folder of the English pages
 * @returns {string[]} empty if all translations are up to date
 */
export function checkTranslations(folder) {
  const contents = readJson(path.join(folder, 'contents.json'));
  return readTranslations(folder).flatMap((translation) => checkLanguage(folder, contents, translation));
}

function checkLanguage(folder, contents, { language, sections, pages }) {
  const home = path.join(folder, language);
  const listed = new Set(pages.map(({ slug }) => slug));
  const files = readdirSync(home).filter((name) => name.endsWith('.mdx'));
  const written = new Set(contents.flatMap((section) => section.pages.map(({ slug }) => slug)));
  const names = contents.map(({ section }) => section);
  return [
    ...names.filter((name) => !sections[name]).map((name) => `${home}/contents.json: the section "${name}" is missing`),
    ...Object.keys(sections)
      .filter((name) => !names.includes(name))
      .map((name) => `${home}/contents.json: there is no section "${name}"`),
    ...files
      .filter((file) => !listed.has(file.replace('.mdx', '')))
      .map((file) => `${home}/${file}: its title is missing in contents.json`),
    ...pages
      .filter(({ slug }) => written.has(slug))
      .flatMap(({ slug, title }) => checkPage(folder, { language, slug, title })),
  ];
}

function checkPage(folder, { language, slug, title }) {
  const file = path.join(folder, language, `${slug}.mdx`);
  if (!existsSync(file)) return [`${file} is missing`];
  const translation = readFileSync(file, 'utf8');
  const found = compareTranslation(readFileSync(path.join(folder, `${slug}.mdx`), 'utf8'), translation);
  if (!translation.startsWith(`# ${title}\n`)) found.unshift('the heading is not the title in contents.json');
  return found.map((difference) => `${file}: ${difference}`);
}

/**
 * Compares the structure of a page with that of its translation, section by section: headings, code blocks except their
 * comments, link targets, components, code in the text, numbers, list items and table rows.
 *
 * @param {string} original
 * @param {string} translation
 * @returns {string[]} the differences, empty if there are none
 */
export function compareTranslation(original, translation) {
  const [wanted, found] = [sectionsOf(original), sectionsOf(translation)];
  const levels = (sections) => sections.map(({ level }) => '#'.repeat(level)).join(' ');
  if (levels(wanted) !== levels(found)) return [`headings: found ${levels(found)}; expected ${levels(wanted)}`];
  return wanted.flatMap((section, index) =>
    Object.keys(section.contents).flatMap((kind) => {
      const difference = differenceOf(section.contents[kind], found[index].contents[kind]);
      return difference ? [`"${section.heading}": ${kind}: ${difference}`] : [];
    }),
  );
}

function differenceOf(wanted, found) {
  const missing = without(wanted, found);
  const added = without(found, wanted);
  if (missing.length === 0 && added.length === 0) return '';
  const quoted = (values) => values.map((value) => JSON.stringify(value)).join(', ') || 'nothing';
  return `found ${quoted(added)}; expected ${quoted(missing)}`;
}

/** Returns the values of a list that another list does not have as often. */
function without(values, others) {
  const left = [...others];
  return values.filter((value) => {
    const at = left.indexOf(value);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/**
 * Returns the headings of a page, outside code, with their levels.
 *
 * @param {string} page
 * @returns {{ level: number, heading: string }[]}
 */
export function headingsOf(page) {
  return sectionsOf(page).map(({ level, heading }) => ({ level, heading }));
}

function sectionsOf(page) {
  const blocks = [];
  const withoutBlocks = page.replace(/^( *)```[\s\S]*?^\1```$/gm, (block) => `\ue000${blocks.push(block) - 1}\ue000`);
  return withoutBlocks.split(/^(?=#+ )/m).map((section) => {
    const [, marks = '', heading = ''] = /^(#+) (.*)$/m.exec(section) ?? [];
    const ownBlocks = [...section.matchAll(/\ue000(\d+)\ue000/g)].map(([, index]) => withoutComments(blocks[index]));
    return { level: marks.length, heading, contents: contentsOf(section, ownBlocks) };
  });
}

function contentsOf(section, blocks) {
  const all = (pattern, text = section) => [...text.matchAll(pattern)].map(([whole, group]) => group ?? whole);
  const prose = section.replace(/`[^`\n]*`|\]\([^)\s]*\)|\ue000\d+\ue000/g, '');
  return {
    'code blocks': blocks,
    links: all(/\]\(([^)\s]+)\)/g),
    components: all(/<([A-Z][\w.]*)/g),
    code: all(/`[^`\n]+`/g),
    numbers: all(/\d+(?:[.,]\d+)*/g, withoutSeparators(prose)),
    'list items': all(/^ *(?:[-*]|\d+\.) /gm),
    'table rows': all(/^\|/gm),
  };
}

/** Returns a code block without lines and ends of lines that are comments. */
function withoutComments(block) {
  return block.replace(/^\s*(?:#|\/\/) .*\n/gm, '').replace(/\s(?:#|\/\/) .*$/gm, '');
}

/** Returns the text with numbers as `200000`: English has a comma between the digits, German a period, Spanish a space. */
function withoutSeparators(text) {
  return text.replace(/(?<=\b\d{1,3})[.,\u00a0\u202f ](?=\d{3}\b)/g, '');
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
