// Which way imports run (docs/architecture.md). tests/architecture.test.ts plants a violation of every rule here.

/** From the ground up: a domain imports those of earlier rows only; domains of one row never import each other. */
const ROWS = [
  ['observability', 'status', 'docs'],
  ['limits'],
  ['identity'],
  ['catalog'],
  ['tokens'],
  ['discovery', 'hub', 'payments'],
  ['gateway'],
  ['chat', 'console', 'reviews', 'probes'],
  ['moderation'],
  ['account'],
];
const DOMAINS = ROWS.flat().join('|');
const LIB_FOLDERS = `${DOMAINS}|endpoints|http|platform|protocol|generated`;
const STORE = '^lib/[^/]+/(store\\.ts$|store/)';
/** The SDK's functions for AP2, which lib uses too. */
const SDK_AP2 = '^packages/sdk/src/ap2\\.ts$';
const NPM = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'];

/** What signs mandates and receipts; it stands behind no door, so that no door leads to it. */
const PAYMENT_KEY = '^lib/tokens/payment-signer\\.ts$';

/** What people outside lib/ may see of a domain. */
const INSIDE_A_DOMAIN = `lib/(${DOMAINS})/(?!(index|limits|schema[a-z-]*)\\.ts$)`;

function rule(name, { comment, from = {}, to }) {
  return { name, comment, severity: 'error', from, to };
}

function upwardRule(domain, row) {
  const siblings = ROWS[row].filter((name) => name !== domain);
  const above = [...siblings, ...ROWS.slice(row + 1).flat(), 'http', 'endpoints'];
  return rule(`${domain}-imports-only-lower-domains`, {
    comment: `${domain} may not import ${above.join(', ')}; pass what you need from above as a parameter`,
    from: { path: `^lib/${domain}/` },
    to: { path: `^lib/(${above.join('|')})/` },
  });
}

module.exports = {
  forbidden: [
    rule('no-cycles', { comment: 'two modules that need each other are one module', to: { circular: true } }),
    rule('no-unresolved-imports', {
      comment:
        'an import that leads nowhere hides what it would break; what is built is not there before the first build',
      to: { couldNotResolve: true, pathNot: '^\\.\\./dist/' },
    }),
    rule('every-lib-folder-is-listed', {
      comment: 'add the folder to ROWS above, so that the rules apply to it',
      from: { path: `^lib/(?!(${LIB_FOLDERS})/)` },
      to: {},
    }),
    rule('lib-never-sees-ui', {
      comment: 'lib runs without pages, tests and start-up',
      from: { path: '^lib/' },
      to: {
        path: '^(app|components|examples|packages|scripts)/|^(server|instrumentation|middleware|next\\.config)\\.',
        pathNot: SDK_AP2,
      },
    }),
    rule('ap2-stands-once', {
      comment:
        'what AP2 asks of both sides stands in the SDK; only payments and their wire use it (docs/decisions/0011)',
      from: { path: '^(lib|app|components|scripts)/', pathNot: '^lib/(protocol/ap2|payments)/' },
      to: { path: '^packages/' },
    }),
    rule('browsers-verify-nothing', {
      comment: 'signatures are checked by the server; what the browser loads does not carry the code for it',
      from: { path: '^components/' },
      to: { path: SDK_AP2, reachable: true },
    }),
    rule('nothing-imports-tests', {
      comment: 'tests import the program, never the other way round',
      from: { pathNot: '^tests/|^(vitest|playwright)\\.config\\.ts$' },
      to: { path: '^tests/' },
    }),
    rule('protocol-is-pure', {
      comment: 'wire schemas and translators know nothing of ours',
      from: { path: '^lib/protocol/' },
      to: { path: '^lib/(?!protocol/)' },
    }),
    rule('protocol-needs-few-packages', {
      comment: 'only parsers and codecs (zod, jsonc-parser, the A2A SDK, canonicalize); it runs in a browser too',
      from: { path: '^lib/protocol/' },
      to: { dependencyTypes: [...NPM, 'core'], pathNot: 'node_modules/(zod|jsonc-parser|@a2a-js/sdk|canonicalize)/' },
    }),
    rule('platform-knows-no-domain', {
      comment: 'the ground carries every domain and knows none',
      from: { path: '^lib/platform/' },
      to: { path: '^lib/(?!platform/|protocol/|generated/)' },
    }),
    rule('http-binds-four-domains', {
      comment: 'wrappers need who calls, with which token, how often, and a record of it: through the doors',
      from: { path: '^lib/http/' },
      to: {
        path: '^lib/(?!(http|platform|protocol)/|(identity|tokens|limits|observability)/(index|limits|schema[a-z-]*)\\.ts$)',
      },
    }),
    rule('one-door-per-domain', {
      comment: 'others import index.ts or schema.ts of a domain',
      from: { path: '^lib/([^/]+)/' },
      to: { path: `^${INSIDE_A_DOMAIN}`, pathNot: `^lib/$1/|${PAYMENT_KEY}` },
    }),
    rule('payment-key-behind-signing', {
      comment: 'what the key for payments signs is read from the database, in lib/payments/signing alone',
      from: { pathNot: '^lib/payments/signing/' },
      to: { path: PAYMENT_KEY },
    }),
    rule('agent-output-never-signs', {
      comment: 'nothing that hears or reads what an agent says leads to the key for payments',
      from: { path: '^lib/(gateway|chat|protocol)/|^lib/payments/ingest/' },
      to: { path: '^lib/payments/signing/', reachable: true },
    }),
    rule('app-uses-doors', {
      comment: 'pages and mounts use doors, schemas, lib/http, lib/endpoints and lib/protocol',
      from: { path: '^app/' },
      to: { path: `^(lib/(platform|generated)/|${INSIDE_A_DOMAIN}|scripts/|examples/|packages/|server\\.)` },
    }),
    rule('programs-use-doors', {
      comment: 'server.ts, instrumentation.ts and scripts put the parts together through their doors',
      from: { path: '^((server|instrumentation)\\.ts$|scripts/)' },
      to: { path: `^(${INSIDE_A_DOMAIN}|app/|components/)` },
    }),
    rule('middleware-is-edge-thin', {
      comment: 'it runs before every page: only lib/http/guard/middleware-helpers.ts',
      from: { path: '^middleware\\.ts$' },
      to: { path: '^(lib/(?!http/guard/middleware-helpers\\.ts$)|components/|app/)' },
    }),
    rule('components-see-schemas-only', {
      comment: 'React gets view types as props; no server code reaches the browser',
      from: { path: '^components/' },
      to: {
        path: '^(app/|scripts/|examples/|packages/|server\\.|lib/(?!protocol/|generated/texts/|[^/]+/(limits|schema[a-z-]*)\\.ts$))',
      },
    }),
    rule('schema-is-client-safe', {
      comment: 'schema.ts reaches the browser, so what it imports does too',
      from: { path: '^lib/[^/]+/(limits|schema[a-z-]*)\\.ts$' },
      to: { path: '^lib/(?!protocol/|[^/]+/(limits|schema[a-z-]*)\\.ts$)' },
    }),
    rule('dialects-are-codec-private', {
      comment: 'a dialect is reached through dialects/index.ts only',
      from: { pathNot: '^(lib/protocol/a2a/dialects|tests)/' },
      to: { path: '^lib/protocol/a2a/dialects/(?!index\\.ts$)' },
    }),
    rule('database-only-in-stores', {
      comment:
        'rows become domain values in store.ts or store/*.ts; lib/endpoints/lifecycle.ts closes the pool at the end',
      from: {
        pathNot: `${STORE}|^lib/(platform|generated)/|^tests/|^lib/endpoints/lifecycle\\.ts$|^scripts/[^/]+\\.mjs$|^prisma\\.config\\.ts$`,
      },
      to: { path: '^lib/(platform/(db|sql)\\.ts$|generated/(?!docs\\.ts$|texts/))|node_modules/(@prisma|pg|prisma)/' },
    }),
    rule('stripe-behind-one-file', {
      comment: 'lib/payments/charges/stripe.ts is the port to Stripe',
      from: { pathNot: '^lib/payments/charges/stripe\\.ts$|^tests/' },
      to: { path: '^stripe$|node_modules/stripe/' },
    }),
    rule('undici-behind-safe-fetch', {
      comment:
        'foreign URLs are called by lib/platform/safe-fetch.ts, which knows which addresses are allowed, and received beside it',
      from: { pathNot: '^lib/platform/(safe-fetch|response-reader)\\.ts$|^tests/' },
      to: { path: '^undici$|node_modules/undici/' },
    }),
    rule('examples-stand-alone', {
      comment: 'a developer copies an example without the rest of Parley; the SDK they install, and import by its name',
      from: { path: '^examples/' },
      to: {
        path: '^(lib|app|components|packages|scripts)/|^(server|middleware)\\.',
        pathNot: '^packages/sdk/src/(index|ap2)\\.ts$',
      },
    }),
    rule('packages-stand-alone', {
      comment: 'the SDK and the CLI are installed without Parley',
      from: { path: '^packages/' },
      to: { path: '^(lib|app|components|examples|scripts)/|^(server|middleware)\\.' },
    }),
    rule('sdk-runs-anywhere', {
      comment: 'the SDK runs on the edge too, where Node is not',
      from: { path: '^packages/sdk/src/' },
      to: { dependencyTypes: ['core'] },
    }),
    rule('runtime-needs-no-dev-package', {
      comment: 'what runs in production stands under "dependencies"',
      from: { path: '^(lib|app|components|examples/agents)/|^(server|instrumentation|middleware)\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    }),
    ...ROWS.flatMap((row, index) => row.map((domain) => upwardRule(domain, index))),
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
