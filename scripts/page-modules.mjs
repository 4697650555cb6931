import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';

const FOLDER = 'lib/generated/page-modules';

/**
 * Redirects the server modules that pages import to the modules that `lib/pages/index.ts` publishes: each is replaced
 * by a file that returns the published one. A build evaluates pages in processes without these modules.
 *
 * @returns {Record<string, string>} Turbopack's aliases
 */
export function aliasPageModules() {
  mkdirSync(FOLDER, { recursive: true });
  const domains = readdirSync('lib').filter((name) => existsSync(`lib/${name}/index.ts`) && name !== 'pages');
  return Object.fromEntries(
    [...domains, 'pages/site'].map((name) => {
      const file = `${FOLDER}/${name.replace('/', '-')}.cjs`;
      writeFileSync(file, sourceOf(name));
      return [`@/lib/${name}`, `./${file}`];
    }),
  );
}

function sourceOf(name) {
  return `const modules = globalThis[Symbol.for('parley.modules')];
if (modules && !modules['${name}']) throw new Error('lib/pages/index.ts does not publish ${name}');
module.exports = modules?.['${name}'] ?? {};
`;
}
