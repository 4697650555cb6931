// Generates the module diagram of docs/architecture.md from the actual imports.
//   node scripts/diagram.mjs           writes it
//   node scripts/diagram.mjs --check   fails if it is out of date
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { CliError, runMain } from './cli-output.mjs';

const PAGE = 'docs/architecture.md';
const [BEGIN, END] = ['<!-- diagram: written by scripts/diagram.mjs -->', '<!-- end of diagram -->'];
const SOURCES = ['server.ts', 'middleware.ts', 'app', 'components', 'lib'];

/** Returns the box of a file: a top-level folder, a domain of lib/, or an entry file. */
function boxOf(file) {
  const [top, second] = file.split('/');
  return top === 'lib' ? `lib/${second}` : top;
}

async function readEdges() {
  const { output } = await cruise(
    SOURCES.filter((source) => existsSync(source)),
    {
      tsPreCompilationDeps: true,
      doNotFollow: { path: ['node_modules', '^lib/generated/'] },
      tsConfig: { fileName: 'tsconfig.json' },
    },
    {},
    { tsConfig: extractTsConfig('tsconfig.json') },
  );
  if (output.modules.length === 0) throw new CliError('the import graph is empty: is TypeScript 6 installed?');
  const edges = new Set();
  for (const { source, dependencies } of output.modules) {
    for (const { resolved } of dependencies) {
      const [from, to] = [boxOf(source), boxOf(resolved)];
      if (SOURCES.includes(resolved.split('/')[0]) && from !== to) edges.add(`  ${label(from)} --> ${label(to)}`);
    }
  }
  return [...edges].sort();
}

function label(box) {
  return `${box.replaceAll(/[^a-z]/g, '_')}["${box}"]`;
}

async function draw() {
  const edges = await readEdges();
  return [BEGIN, '', '```mermaid', 'flowchart TD', ...edges, '```', '', END].join('\n');
}

await runMain(async () => {
  const page = readFileSync(PAGE, 'utf8');
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new CliError(`${PAGE} has no place for the diagram; expected ${BEGIN} … ${END}`);
  const renewed = page.slice(0, begin) + (await draw()) + page.slice(end + END.length);
  if (renewed === page) return;
  if (process.argv.includes('--check')) {
    throw new CliError(`the diagram in ${PAGE} is out of date; run: node scripts/diagram.mjs`);
  }
  writeFileSync(PAGE, renewed);
});
