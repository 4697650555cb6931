// The directions of imports (docs/architecture.md). tests/architecture.test.ts plants a violation of every rule here.
const { ENDPOINTS, LAYERS, layerRules, rule } = require('./.dependency-cruiser.layers.cjs');

const DOMAINS = LAYERS.flat().join('|');
const LIB_FOLDERS = `${DOMAINS}|endpoints|http|node|pages|platform|protocol|texts|generated`;
const STORE = '^lib/[^/]+/(store\\.ts$|store/)';
/** The AP2 functions of the SDK, which lib shares. */
const SDK_AP2 = '^packages/sdk/src/ap2\\.ts$';
/** The functions of the SDK for MCP servers, which lib shares with the command line. */
const SDK_MCP = '^packages/sdk/src/mcp\\.ts$';
/** The checks of agents of the SDK, which the console shares with `parley test`. */
const SDK_TEST = '^packages/sdk/src/test\\.ts$';
const NPM = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'];

/** Signs mandates and receipts. No index.ts exports it, so that nothing reaches it through a domain. */
const PAYMENT_KEY = '^lib/tokens/keys/payment-signer\\.ts$';

/** Everything in a domain but its public files. */
const INSIDE_A_DOMAIN = `lib/(${DOMAINS})/(?!(index|limits|schema[a-z-]*)\\.ts$)`;

module.exports = {
  forbidden: [
    rule('no-cycles', { comment: 'two modules that import each other are one module', to: { circular: true } }),
    rule('no-unresolved-imports', {
      comment: 'an unresolved import escapes every other rule; build output is absent before the first build',
      to: { couldNotResolve: true, pathNot: '^\\.\\./dist/' },
    }),
    rule('every-lib-folder-is-listed', {
      comment: 'add the folder to LAYERS above, so that the rules apply to it',
      from: { path: `^lib/(?!(${LIB_FOLDERS})/)` },
      to: {},
    }),
    rule('lib-never-sees-ui', {
      comment: 'lib runs without pages, tests and entry points',
      from: { path: '^lib/' },
      to: {
        path: '^(app|components|examples|packages|scripts)/|^(server|middleware|next\\.config)\\.',
        pathNot: [SDK_AP2, SDK_MCP, SDK_TEST],
      },
    }),
    rule('ap2-has-one-implementation', {
      comment:
        'AP2 checks for both sides live in the SDK; only payments and protocol/ap2 use them (docs/decisions/0011)',
      from: { path: '^(lib|app|components|scripts)/', pathNot: '^lib/(protocol/ap2|payments)/' },
      to: { path: '^packages/', pathNot: [SDK_MCP, SDK_TEST] },
    }),
    rule('mcp-servers-are-called-in-one-place', {
      comment:
        'the transport, the listing and the calls of MCP servers share the code of the SDK (docs/decisions/0056)',
      from: {
        path: '^(lib|app|components|scripts)/',
        pathNot:
          '^lib/(platform/http-client/mcp-transport|catalog/cards/mcp-card|tasks/agent-client/send-mcp-request)\\.ts$',
      },
      to: { path: SDK_MCP },
    }),
    rule('agents-are-tested-in-one-place', {
      comment: 'the console runs the checks of `parley test` (docs/decisions/0064)',
      from: { path: '^(lib|app|components|scripts)/', pathNot: '^lib/console/run-checks\\.ts$' },
      to: { path: SDK_TEST },
    }),
    rule('browsers-verify-nothing', {
      comment: 'the server checks signatures; browser bundles do not contain that code',
      from: { path: '^components/' },
      to: { path: SDK_AP2, reachable: true },
    }),
    rule('nothing-imports-tests', {
      comment: 'tests import the program, never the reverse',
      from: { pathNot: '^tests/|^(vitest|playwright)\\.config\\.ts$' },
      to: { path: '^tests/' },
    }),
    rule('protocol-is-pure', {
      comment: 'protocol schemas and codecs do not depend on Parley',
      from: { path: '^lib/protocol/' },
      to: { path: '^lib/(?!protocol/)' },
    }),
    rule('protocol-needs-few-packages', {
      comment:
        'only parsers and codecs (zod, jsonc-parser, the A2A SDK, canonicalize), because it also runs in browsers',
      from: { path: '^lib/protocol/' },
      to: { dependencyTypes: [...NPM, 'core'], pathNot: 'node_modules/(zod|jsonc-parser|@a2a-js/sdk|canonicalize)/' },
    }),
    rule('platform-knows-no-domain', {
      comment: 'platform is below every domain',
      from: { path: '^lib/platform/' },
      to: { path: '^lib/(?!platform/|protocol/|generated/)' },
    }),
    rule('texts-are-data', {
      comment: 'languages, texts and their formats are below every domain',
      from: { path: '^lib/texts/' },
      to: { path: '^lib/(?!texts/|protocol/)' },
    }),
    rule('http-binds-four-domains', {
      comment: 'route wrappers need the caller, its token, its rate limit and the call log, through public files',
      from: { path: '^lib/http/' },
      to: {
        path: '^lib/(?!(http|platform|protocol)/|(identity|tokens|limits|observability)/(index|limits|schema[a-z-]*)\\.ts$)',
      },
    }),
    rule('domains-have-public-files', {
      comment: 'other folders import index.ts, limits.ts or schema*.ts of a domain',
      from: { path: '^lib/([^/]+)/' },
      to: { path: `^${INSIDE_A_DOMAIN}`, pathNot: `^lib/$1/|${PAYMENT_KEY}|${ENDPOINTS}` },
    }),
    rule('endpoints-are-listed-once', {
      comment: 'lib/endpoints lists the endpoints of all domains; nothing else imports them',
      from: { path: '^lib/', pathNot: `${ENDPOINTS}|^lib/(endpoints|node)/` },
      to: { path: ENDPOINTS },
    }),
    rule('payment-key-behind-signing', {
      comment: 'only lib/payments/ap2/sign-*.ts sign with the payment key, and only what they read from the database',
      from: { pathNot: '^lib/payments/ap2/sign-' },
      to: { path: PAYMENT_KEY },
    }),
    rule('agent-output-never-signs', {
      comment: 'code that processes agent output never reaches the payment key',
      from: {
        path: '^lib/(tasks|chat|protocol)/|^lib/payments/orders/on-agent-message\\.ts$',
        pathNot: ENDPOINTS,
      },
      to: { path: '^lib/payments/ap2/sign-', reachable: true },
    }),
    rule('app-uses-public-files', {
      comment: 'pages use public files, lib/pages/site.ts and lib/protocol',
      from: { path: '^app/' },
      to: {
        path: `^(lib/(endpoints|http|pages(?!/site\\.ts$)|platform|generated)/|${INSIDE_A_DOMAIN}|scripts/|examples/|packages/|server\\.)`,
      },
    }),
    rule('pages-share-the-server', {
      comment: 'only @/lib/<domain> and @/lib/pages/site are redirected to the copy of server.ts (lib/pages/index.ts)',
      from: { path: '^(app/|(middleware|mdx-components)\\.tsx?$)' },
      to: { path: '^lib/([^/]+/index|pages/site)\\.ts$', dependencyTypesNot: ['aliased'] },
    }),
    rule('programs-use-public-files', {
      comment: 'server.ts and scripts import public files only',
      from: { path: '^(server\\.ts$|scripts/)' },
      to: { path: `^(${INSIDE_A_DOMAIN}|app/|components/)` },
    }),
    rule('middleware-sees-the-site-only', {
      comment: 'middleware runs before every page: only lib/pages/site.ts and the list of languages',
      from: { path: '^middleware\\.ts$' },
      to: { path: '^(lib/(?!(pages/site|texts/languages)\\.ts$)|components/|app/)' },
    }),
    rule('components-see-schemas-only', {
      comment: 'React receives view types as props; no server code and no texts of emails reach the browser',
      from: { path: '^components/' },
      to: {
        path: '^(app/|scripts/|examples/|packages/|server\\.|lib/(?!protocol/|generated/texts/|texts/((languages|[^/]+/index)\\.ts|[^/]+/problems\\.json)$|platform/scopes\\.ts$|[^/]+/(limits|schema[a-z-]*)\\.ts$))',
      },
    }),
    rule('schema-is-client-safe', {
      comment: 'schema*.ts, limits.ts, scopes.ts and time.ts reach the browser, and so do their imports',
      from: { path: '^lib/[^/]+/(limits|scopes|time|schema[a-z-]*)\\.ts$' },
      to: { path: '^lib/(?!protocol/|platform/(scopes|time)\\.ts$|[^/]+/(limits|schema[a-z-]*)\\.ts$)' },
    }),
    rule('dialects-are-codec-private', {
      comment: 'dialects are imported through dialects/index.ts only',
      from: { pathNot: '^(lib/protocol/a2a/dialects|tests)/' },
      to: { path: '^lib/protocol/a2a/dialects/(?!index\\.ts$)' },
    }),
    rule('database-only-in-stores', {
      comment:
        'rows become domain values in store.ts or store/*.ts; lib/node/lifecycle.ts closes the pool at shutdown; benches use databases of their own',
      from: {
        pathNot: `${STORE}|^lib/(platform|generated)/|^tests/|^lib/node/lifecycle\\.ts$|^bench/|^scripts/[^/]+\\.mjs$|^prisma\\.config\\.ts$`,
      },
      to: {
        path: '^lib/(platform/db/(db|rows|sql)\\.ts$|generated/(?!docs\\.ts$|texts/))|node_modules/(@prisma|pg|prisma)/',
      },
    }),
    rule('stripe-behind-one-file', {
      comment:
        'lib/payments/charges/stripe.ts, stripe-client.ts, stripe-connect.ts and stripe-disputes.ts are the port to Stripe',
      from: { pathNot: '^lib/payments/charges/stripe(-client|-connect|-disputes)?\\.ts$|^tests/' },
      to: { path: '^stripe$|node_modules/stripe/' },
    }),
    rule('undici-behind-safe-fetch', {
      comment:
        'external URLs are fetched by lib/platform/http-client/safe-fetch.ts, which checks addresses; response-reader.ts reads the responses',
      from: { pathNot: '^lib/platform/http-client/(safe-fetch|response-reader)\\.ts$|^tests/' },
      to: { path: '^undici$|node_modules/undici/' },
    }),
    rule('examples-are-standalone', {
      comment: 'developers copy an example without the rest of Parley; they install the SDK and import it by name',
      from: { path: '^examples/' },
      to: {
        path: '^(lib|app|components|packages|scripts)/|^(server|middleware)\\.',
        pathNot: '^packages/sdk/src/(index|ap2|mcp|serve|test)\\.ts$',
      },
    }),
    rule('packages-are-standalone', {
      comment: 'the SDK and the CLI are installed without Parley',
      from: { path: '^packages/' },
      to: { path: '^(lib|app|components|examples|scripts)/|^(server|middleware)\\.' },
    }),
    rule('sdk-runs-anywhere', {
      comment: 'the SDK also runs on edge runtimes without Node',
      from: { path: '^packages/sdk/src/' },
      to: { dependencyTypes: ['core'] },
    }),
    rule('runtime-needs-no-dev-package', {
      comment: 'production code imports "dependencies" only',
      from: { path: '^(lib|app|components|examples/agents)/|^(server|middleware)\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    }),
    ...layerRules,
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '^lib/generated/'] },
    exclude: { path: '^(\\.next|dist|\\.data)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types', 'typings'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
    },
  },
};
