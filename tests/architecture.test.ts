import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTree, type TemporaryTree } from './support/temporary-tree';

const domains = [
  'observability',
  'status',
  'docs',
  'limits',
  'embeddings',
  'identity',
  'catalog',
  'tokens',
  'discovery',
  'hub',
  'payments',
  'tasks',
  'chat',
  'compat',
  'concierge',
  'console',
  'reviews',
  'probes',
  'hosts',
  'notifications',
  'moderation',
  'account',
];

/** A small tree that follows every rule. */
const lawful: Record<string, string> = {
  ...Object.fromEntries(
    domains.flatMap((domain) => [
      [`lib/${domain}/index.ts`, "export { act } from './act';\n"],
      [`lib/${domain}/act.ts`, "import { read } from './store';\nexport const act = read;\n"],
      [`lib/${domain}/schema.ts`, "import { z } from 'zod';\nexport const thing = z.string();\n"],
      [`lib/${domain}/store.ts`, "import { db } from '../platform/db/db';\nexport const read = db;\n"],
    ]),
  ),
  'lib/generated/prisma/client.ts': 'export const client = 1;\n',
  'lib/platform/db/db.ts': "import { client } from '../../generated/prisma/client';\nexport const db = client;\n",
  'lib/platform/runtime/env.ts': 'export const env = 1;\n',
  'lib/platform/http-client/safe-fetch.ts': "export { request } from 'undici';\n",
  'lib/protocol/a2a/dialects/index.ts': "export { v03 } from './v03';\n",
  'lib/protocol/a2a/dialects/v03.ts': "import { z } from 'zod';\nexport const v03 = z.string();\n",
  'lib/http/routes/json-route.ts': "export { act } from '../../identity';\n",
  'lib/tasks/runs/late.ts': 'export const late = 1;\n',
  'lib/tokens/oauth/late.ts': 'export const late = 1;\n',
  'lib/tasks/endpoints/index.ts': "export { act } from '../act';\nexport { act as search } from '../../discovery';\n",
  'lib/endpoints/table.ts':
    "export { act } from '../tasks';\nexport { act as wrap } from '../http/routes/json-route';\n",
  'lib/payments/charges/stripe.ts': 'export const stripe = 1;\n',
  'lib/payments/ap2/sign-mandates.ts': "export { signer } from '../../tokens/keys/payment-signer';\n",
  'lib/payments/through.ts': "export { signer } from './ap2/sign-mandates';\n",
  'lib/tokens/keys/payment-signer.ts': 'export const signer = 1;\n',
  'components/ui/card.tsx': "export { thing } from '@/lib/catalog/schema';\n",
  'components/docs/frame.tsx': "export { thing } from '../ui/card';\n",
  'app/page.tsx':
    "export { act } from '@/lib/chat';\nexport { act as site } from '@/lib/pages/site';\nexport { thing } from '@/components/ui/card';\n",
  'lib/pages/site.ts': "export { act } from '../endpoints/table';\n",
  'examples/agents/echo/main.ts': 'export const agent = 1;\n',
  'packages/sdk/src/index.ts': "export { sdk } from './inside';\n",
  'packages/sdk/src/inside.ts': 'export const sdk = 1;\n',
  'packages/sdk/src/ap2.ts': "export { sdk } from './inside';\n",
  'packages/sdk/src/mcp.ts': "export { sdk } from './inside';\n",
  'packages/sdk/src/test.ts': "export { sdk } from './inside';\n",
  'lib/protocol/ap2/check.ts': "export { sdk } from '../../../packages/sdk/src/ap2';\n",
  'examples/sdk/uses.ts': "export { sdk } from '../../packages/sdk/src/index';\n",
  'scripts/demo.ts': "export { act } from '@/lib/catalog';\n",
  'server.ts': "export { act } from './lib/endpoints/table';\nexport { env } from './lib/platform/runtime/env';\n",
  'tests/support/page.ts': 'export const page = 1;\n',
};

interface Plant {
  rule: string;
  file: string;
  text: string;
}

function plant(rule: string, file: string, target: string): Plant {
  return { rule, file, text: `import * as found from '${target}';\nexport const kept = found;\n` };
}

const plants: Plant[] = [
  plant('no-cycles', 'lib/catalog/circle-a.ts', './circle-b'),
  plant('no-unresolved-imports', 'lib/catalog/lost.ts', './nowhere'),
  plant('every-lib-folder-is-listed', 'lib/unlisted/act.ts', '../platform/runtime/env'),
  plant('lib-never-sees-ui', 'lib/catalog/paints.ts', '@/components/ui/card'),
  plant('lib-never-sees-ui', 'lib/payments/digs.ts', '../../packages/sdk/src/inside'),
  plant('ap2-has-one-implementation', 'lib/catalog/verifies.ts', '../../packages/sdk/src/ap2'),
  plant('agents-are-tested-in-one-place', 'lib/catalog/tests.ts', '../../packages/sdk/src/test'),
  plant('mcp-servers-are-called-in-one-place', 'lib/catalog/calls.ts', '../../packages/sdk/src/mcp'),
  plant('browsers-verify-nothing', 'components/ui/heavy.tsx', '@/lib/protocol/ap2/check'),
  plant('nothing-imports-tests', 'app/tested.ts', '@/tests/support/page'),
  plant('protocol-is-pure', 'lib/protocol/impure.ts', '../platform/runtime/env'),
  plant('protocol-needs-few-packages', 'lib/protocol/on-disk.ts', 'node:fs'),
  plant('platform-knows-no-domain', 'lib/platform/knows.ts', '../catalog'),
  plant('texts-are-data', 'lib/texts/knows.ts', '../catalog'),
  plant('http-binds-four-domains', 'lib/http/binds.ts', '../catalog'),
  plant('domains-have-public-files', 'lib/tasks/climbs.ts', '../tokens/act'),
  plant('endpoints-are-listed-once', 'lib/tasks/lists.ts', './endpoints'),
  plant('payment-key-behind-signing', 'lib/payments/helps-itself.ts', '../tokens/keys/payment-signer'),
  plant('payment-key-behind-signing', 'lib/tasks/helps-itself.ts', '../tokens/keys/payment-signer'),
  plant('agent-output-never-signs', 'lib/tasks/signs.ts', '../payments/ap2/sign-mandates'),
  // An indirect import: ingested content reaches signing code.
  plant('agent-output-never-signs', 'lib/payments/orders/on-agent-message.ts', '../through'),
  plant('app-uses-public-files', 'app/climbs.ts', '@/lib/catalog/act'),
  plant('app-uses-public-files', 'app/digs.ts', '@/lib/platform/runtime/env'),
  plant('programs-use-public-files', 'scripts/climbs.ts', '../lib/catalog/act'),
  plant('app-uses-public-files', 'app/mounts.ts', '@/lib/endpoints/table'),
  plant('pages-share-the-server', 'app/copies.ts', '../lib/catalog'),
  plant('middleware-sees-the-site-only', 'middleware.ts', '@/lib/identity'),
  plant('components-see-schemas-only', 'components/ui/thinks.tsx', '@/lib/catalog'),
  plant('schema-is-client-safe', 'lib/tokens/schema.ts', '../platform/runtime/env'),
  plant('dialects-are-codec-private', 'lib/tasks/speaks.ts', '../protocol/a2a/dialects/v03'),
  plant('database-only-in-stores', 'lib/catalog/queries.ts', '../platform/db/db'),
  plant('database-only-in-stores', 'app/queries.ts', 'pg'),
  plant('stripe-behind-one-file', 'lib/payments/charge.ts', 'stripe'),
  plant('undici-behind-safe-fetch', 'lib/tasks/fetches.ts', 'undici'),
  plant('examples-are-standalone', 'examples/agents/echo/leans.ts', '../../../lib/catalog'),
  plant('examples-are-standalone', 'examples/sdk/digs.ts', '../../packages/sdk/src/inside'),
  plant('packages-are-standalone', 'packages/sdk/src/leans.ts', '../../../lib/catalog'),
  plant('sdk-runs-anywhere', 'packages/sdk/src/on-disk.ts', 'node:fs'),
  plant('runtime-needs-no-dev-package', 'lib/catalog/develops.ts', 'vitest'),
  plant('observability-imports-only-lower-domains', 'lib/observability/up.ts', '../limits'),
  plant('status-imports-only-lower-domains', 'lib/status/aside.ts', '../observability'),
  plant('docs-imports-only-lower-domains', 'lib/docs/aside.ts', '../status'),
  plant('limits-imports-only-lower-domains', 'lib/limits/up.ts', '../identity'),
  plant('embeddings-imports-only-lower-domains', 'lib/embeddings/aside.ts', '../limits'),
  plant('identity-imports-only-lower-domains', 'lib/identity/up.ts', '../catalog'),
  plant('catalog-imports-only-lower-domains', 'lib/catalog/up.ts', '../tokens'),
  plant('tokens-imports-only-lower-domains', 'lib/tokens/up.ts', '../hub'),
  plant('discovery-imports-only-lower-domains', 'lib/discovery/aside.ts', '../hub'),
  plant('hub-imports-only-lower-domains', 'lib/hub/aside.ts', '../payments'),
  plant('payments-imports-only-lower-domains', 'lib/payments/up.ts', '../tasks'),
  plant('tasks-imports-only-lower-domains', 'lib/tasks/up.ts', '../chat'),
  plant('chat-imports-only-lower-domains', 'lib/chat/aside.ts', '../console'),
  plant('compat-imports-only-lower-domains', 'lib/compat/aside.ts', '../chat'),
  plant('concierge-imports-only-lower-domains', 'lib/concierge/aside.ts', '../chat'),
  plant('console-imports-only-lower-domains', 'lib/console/up.ts', '../endpoints/table'),
  plant('hosts-imports-only-lower-domains', 'lib/hosts/aside.ts', '../chat'),
  plant('reviews-imports-only-lower-domains', 'lib/reviews/aside.ts', '../probes'),
  plant('probes-imports-only-lower-domains', 'lib/probes/aside.ts', '../reviews'),
  plant('moderation-imports-only-lower-domains', 'lib/moderation/up.ts', '../account'),
  plant('notifications-imports-only-lower-domains', 'lib/notifications/aside.ts', '../moderation'),
  plant('account-imports-only-lower-domains', 'lib/account/up.ts', '../endpoints/table'),
  ...domains.map((domain) => plant(`${domain}-folders-have-an-order`, `lib/${domain}/store/up.ts`, '../act')),
  plant('tasks-folders-have-an-order', 'lib/tasks/log/up.ts', '../runs/late'),
  plant('tasks-folders-have-an-order', 'lib/tasks/unlisted/late.ts', '../schema'),
  plant('tasks-folders-have-an-order', 'lib/tasks/record.ts', './store'),
  plant('tokens-folders-have-an-order', 'lib/tokens/oauth/clients/up.ts', '../late'),
  plant('component-texts-import-only-lower-folders', 'components/texts/up.ts', '../ui/card'),
  plant('component-ui-import-only-lower-folders', 'components/ui/display/up.tsx', '../../docs/frame'),
  plant('component-forms-import-only-lower-folders', 'components/forms/up.tsx', '../docs/frame'),
  plant('component-shell-import-only-lower-folders', 'components/shell/up.tsx', '../docs/frame'),
  plant('component-offers-import-only-lower-folders', 'components/payments/offers/up.tsx', '../../docs/frame'),
  plant('component-subjects-import-only-lower-folders', 'components/chat/state/aside.tsx', '../../market/listing/up'),
  plant('component-subjects-import-only-lower-folders', 'components/market/listing/up.tsx', '../../docs/frame'),
  plant('component-parts-import-only-lower-folders', 'components/chat/parts/chart/up.tsx', '../../../docs/frame'),
  plant('component-sections-import-only-lower-folders', 'components/chat/chains/up.tsx', '../../docs/frame'),
  plant('component-conversations-import-only-lower-folders', 'components/chat/list/up.tsx', '../../docs/frame'),
  plant('component-screens-import-only-lower-folders', 'components/market/home/aside.tsx', '../../docs/frame'),
  // The same import in other syntax.
  {
    rule: 'domains-have-public-files',
    file: 'lib/chat/later.ts',
    text: "export const late = () => import('../tokens/act');\n",
  },
  { rule: 'domains-have-public-files', file: 'lib/chat/alias.ts', text: "export { act } from '@/lib/tokens/act';\n" },
  {
    rule: 'domains-have-public-files',
    file: 'lib/chat/type.ts',
    text: "import type { act } from '../tokens/act';\nexport type Act = typeof act;\n",
  },
];

interface Cruise {
  modules: { source: string; dependencies: unknown[] }[];
  summary: { totalCruised: number; violations: { from: string; rule: { name: string; severity: string } }[] };
}

const trees = ['app', 'components', 'examples', 'lib', 'packages', 'scripts', 'tests', 'middleware.ts', 'server.ts'];

function cruise(root: string): Cruise {
  const program = path.resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const existing = trees.filter((place) => existsSync(path.join(root, place)));
  const run = spawnSync(process.execPath, [program, '--output-type', 'json', ...existing], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return JSON.parse(run.stdout) as Cruise;
}

describe('import rules', () => {
  const trees: TemporaryTree[] = [];
  let clean: Cruise;
  let planted: Cruise;

  beforeAll(() => {
    const back = { 'lib/catalog/circle-b.ts': "export { kept } from './circle-a';\n" };
    const unlawful = Object.fromEntries(plants.map(({ file, text }) => [file, text]));
    trees.push(createTree(lawful), createTree({ ...lawful, ...back, ...unlawful }));
    [clean, planted] = trees.map(({ root }) => cruise(root)) as [Cruise, Cruise];
  }, 120_000);
  afterAll(() => {
    for (const tree of trees) tree.remove();
  });

  test('accept a valid tree', () => {
    expect(clean.summary.violations).toEqual([]);
    expect(clean.modules.map(({ source }) => source)).toEqual(expect.arrayContaining(Object.keys(lawful)));
  });

  test.each(plants)('$rule catches $file', ({ rule, file }) => {
    const caught = planted.summary.violations.filter(({ from }) => from === file);
    expect(caught.map((violation) => violation.rule)).toContainEqual({ severity: 'error', name: rule });
  });

  test('each report a planted violation as an error', () => {
    const { forbidden } = createRequire(import.meta.url)(path.resolve('.dependency-cruiser.cjs')) as {
      forbidden: { name: string; severity: string }[];
    };
    const names = new Set(forbidden.map(({ name }) => name));
    expect([...names].sort()).toEqual([...new Set(plants.map(({ rule }) => rule))].sort());
    expect(forbidden.filter(({ severity }) => severity !== 'error')).toEqual([]);
  });

  test('accept the source tree of Parley, including TypeScript', { timeout: 120_000 }, () => {
    const { modules, summary } = cruise('.');
    expect(summary.totalCruised).toBeGreaterThan(100);
    expect(modules.find(({ source }) => source === 'lib/endpoints/table.ts')?.dependencies.length).toBeGreaterThan(3);
    expect(summary.violations.map(({ from, rule }) => `${rule.name}: ${from}`)).toEqual([]);
  });
});

interface BiomeReport {
  diagnostics: { category: string; severity: string; location: { path: string | { file: string } } }[];
}

function lint(root: string): BiomeReport {
  const program = path.resolve('node_modules/@biomejs/biome/bin/biome');
  const run = spawnSync(process.execPath, [program, 'lint', '--reporter=json', '--max-diagnostics=200'], {
    cwd: root,
    encoding: 'utf8',
  });
  return JSON.parse(run.stdout) as BiomeReport;
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, at) => `export const line${at} = ${at};\n`).join('');
}

function longFunction(count: number): string {
  const body = Array.from({ length: count }, (_, at) => `  count += ${at};\n`).join('');
  return `export let count = 0;\nexport function long(): void {\n${body}}\n`;
}

const over = [
  { rule: 'style/noExcessiveLinesPerFile', file: 'lib/catalog/long.ts', text: lines(251) },
  { rule: 'style/noExcessiveLinesPerFile', file: 'components/long.tsx', text: lines(201) },
  { rule: 'complexity/noExcessiveLinesPerFunction', file: 'lib/catalog/deep.ts', text: longFunction(61) },
  {
    rule: 'complexity/useMaxParams',
    file: 'lib/catalog/wide.ts',
    text: 'export const wide = (a: number, b: number, c: number, d: number): number => a + b + c + d;\n',
  },
  { rule: 'style/noProcessEnv', file: 'lib/catalog/secret.ts', text: 'export const secret = process.env.SECRET;\n' },
  {
    rule: 'style/noRestrictedGlobals',
    file: 'lib/catalog/fetches.ts',
    text: "export const page = (): Promise<Response> => fetch('https://example.test');\n",
  },
  { rule: 'style/noDefaultExport', file: 'lib/catalog/nameless.ts', text: 'export default 1;\n' },
  { rule: 'suspicious/noExplicitAny', file: 'lib/catalog/loose.ts', text: 'export const loose: any = 1;\n' },
  {
    rule: 'nursery/noFloatingPromises',
    file: 'lib/catalog/floats.ts',
    text: 'async function work(): Promise<void> {}\nexport function start(): void {\n  work();\n}\n',
  },
];
const atTheCap = {
  'lib/tokens/long.ts': lines(250),
  'components/full.tsx': lines(200),
  'lib/tokens/deep.ts': longFunction(60),
};

describe('lint rules', () => {
  let tree: TemporaryTree;
  let found: { rule: string; file: string; severity: string }[];

  beforeAll(() => {
    tree = createTree({ ...atTheCap, ...Object.fromEntries(over.map(({ file, text }) => [file, text])) });
    found = lint(tree.root).diagnostics.map(({ category, severity, location }) => ({
      rule: category.replace(/^lint\//, ''),
      file: typeof location.path === 'string' ? location.path : location.path.file,
      severity,
    }));
  });
  afterAll(() => tree.remove());

  test.each(over)('$rule catches $file', ({ rule, file }) => {
    expect(found).toContainEqual({ rule, file, severity: 'error' });
  });

  test('accept files that reach the limits', () => {
    expect(found.filter(({ file }) => file in atTheCap)).toEqual([]);
  });
});

describe('the source tree', () => {
  const hidden = new Set(['node_modules', '.git', '.next', '.data', 'dist', 'generated', 'fixtures', 'test-results']);
  const readable = /\.(ts|tsx|mjs|cjs|js|css)$/;

  function sources(folder: string): string[] {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !hidden.has(name))
      .flatMap((entry) => {
        const place = path.join(folder, entry.name);
        return entry.isDirectory() ? sources(place) : readable.test(entry.name) ? [place] : [];
      });
  }

  test.each(['lib', 'components'])('has at most 15 files in each folder of %s', (root) => {
    const folders = sources(root).map((file) => path.dirname(file));
    expect(folders.length).toBeGreaterThan(100);
    const full = folders.filter((folder) => folders.filter((other) => other === folder).length > 15);
    expect([...new Set(full)]).toEqual([]);
  });

  test('has no two files of the same name in one domain, except for the three codecs', () => {
    const named = sources('lib')
      .filter((file) => !/\/(index|endpoints)\.ts$|\/dialects\/v\d\d\//.test(file))
      .map((file) => `${file.split(path.sep)[1]} ${path.basename(file)}`);
    expect(named.filter((name, at) => named.indexOf(name) !== at)).toEqual([]);
  });

  /** Small files with one importer, and the reason why they cannot be part of it. */
  const smallFiles: Record<string, string> = {
    'components/shell/theme/set-theme.ts': 'a server action cannot be in the file of a client component',
    'components/shell/translated-problems.tsx': 'only pages in other languages than English load it',
    'lib/texts/de/index.ts': 'a language is a folder of its own',
    'lib/texts/es/index.ts': 'a language is a folder of its own',
  };

  test('has no file under 25 lines with exactly one importer', () => {
    const program = ['app', 'components', 'lib', 'scripts'].flatMap(sources).concat('middleware.ts', 'server.ts');
    const known = new Set(program);
    const importers = new Map<string, Set<string>>();
    for (const file of program) {
      for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import)[\s(]*'((?:@\/|\.)[^']*)'/g)) {
        const base = target.startsWith('@/') ? target.slice(2) : path.join(path.dirname(file), target);
        const found = ['', '.ts', '.tsx', '/index.ts'].map((end) => base + end).find((name) => known.has(name));
        if (found) importers.set(found, (importers.get(found) ?? new Set()).add(file));
      }
    }
    expect(importers.size).toBeGreaterThan(500);
    const small = [...importers]
      .filter(([file, by]) => /^(lib|components)\//.test(file) && by.size === 1)
      .filter(([file]) => readFileSync(file, 'utf8').trimEnd().split('\n').length < 25)
      .map(([file]) => file);
    expect(small.sort()).toEqual(Object.keys(smallFiles));
  });

  test('disables no rule in a comment and forces no type', () => {
    // Assembled here, so that this file does not contain the searched text.
    const escapes = [
      'biome-' + 'ignore',
      'eslint-' + 'disable',
      '@ts-' + 'ignore',
      '@ts-' + 'nocheck',
      '@ts-' + 'expect-error',
    ];
    const pattern = new RegExp([...escapes, 'as unknown ' + 'as '].join('|'));
    const files = sources('.');
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => pattern.test(readFileSync(file, 'utf8')))).toEqual([]);
  });
});
