import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Packages for development whose code `npm run package` copies into programs (scripts/bundle.mjs). */
const BUNDLED = ['@prisma/client', 'mermaid'];

/** @typedef {{ folder: string, name: string, version: string, license: string, text: string | null }} Component */

/**
 * Lists the packages of other authors in the archive: those of traced files, and those that are bundled into pages and
 * programs, found as dependencies in the lockfile.
 *
 * @param {string[]} files
 * @returns {Component[]} by name and version
 */
export function listComponents(files) {
  const folders = new Set([...files.flatMap(packageOf), ...dependencies()]);
  const components = [...folders].filter((folder) => existsSync(`${folder}/package.json`)).map(describe);
  const unique = new Map(components.map((component) => [`${component.name}@${component.version}`, component]));
  return [...unique.values()].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function packageOf(file) {
  const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
  return folder && !folder.startsWith('.next/') ? [folder] : [];
}

/** The installed folders of all dependencies, nested ones included. */
function dependencies() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const seen = new Set();
  const queue = [...Object.keys(packages[''].dependencies), ...BUNDLED].map((name) => `node_modules/${name}`);
  for (const folder of queue) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    for (const name of Object.keys(packages[folder]?.dependencies ?? {})) {
      const found = resolve(packages, folder, name);
      if (found) queue.push(found);
    }
  }
  return seen;
}

/** Returns the folder in which Node finds `name` from a folder: the nearest `node_modules` upwards. */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const candidate = path.join(folder, 'node_modules', name);
    if (packages[candidate]) return candidate;
    if (folder === '') return null;
  }
}

function describe(folder) {
  const { name, version, license, licenses } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  return {
    ...{ folder, name, version },
    license: typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type ?? 'NOASSERTION'),
    text: file ? readFileSync(path.join(folder, file), 'utf8').trim() : null,
  };
}

/**
 * Returns the licenses of all components as one text, in which equal texts appear once.
 *
 * @param {Component[]} components
 * @returns {string}
 */
export function licensesOf(components) {
  const byText = new Map();
  for (const { name, version, license, text } of components) {
    const key = text ?? `License: ${license} (the package contains no license file)`;
    byText.set(key, [...(byText.get(key) ?? []), `${name} ${version}`]);
  }
  return [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`).join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * Returns a bill of materials in the CycloneDX 1.5 format.
 *
 * @param {Component[]} components
 * @param {{ version: string }} options of Parley
 * @returns {string}
 */
export function billOfMaterials(components, { version }) {
  const own = { type: 'application', name: 'parley', version, 'bom-ref': `parley@${version}` };
  const listed = components.map((component) => ({
    ...{ type: 'library', name: component.name, version: component.version },
    purl: `pkg:npm/${component.name.replace('@', '%40')}@${component.version}`,
    licenses: [{ expression: component.license }],
  }));
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: own },
    components: listed,
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}
