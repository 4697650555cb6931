import { fileURLToPath } from 'node:url';
import createMdx from '@next/mdx';
import createNextIntl from 'next-intl/plugin';
import { aliasPageModules } from './scripts/page-modules.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

// Plugins are specified by name, because Turbopack passes them to its workers as text.
const remarkPlugins = [
  'remark-gfm',
  fileURLToPath(new URL('scripts/docs/remark-samples.mjs', import.meta.url)),
  fileURLToPath(new URL('scripts/docs/remark-anchors.mjs', import.meta.url)),
];

/** Earlier pages of the settings, which are now sections of a group. Links in emails and bookmarks still lead to them. */
const movedSettings = new Map([
  ['profile', '/settings/account#profile'],
  ['publisher', '/settings/account#publisher'],
  ['password', '/settings/security#password'],
  ['sessions', '/settings/security#sessions'],
  ['activity', '/settings/security#activity'],
  ['tokens', '/settings/connections#tokens'],
  ['apps', '/settings/connections#apps'],
  ['agents', '/settings/connections#agents'],
  ['receivers', '/settings/connections#webhooks'],
  ['searches', '/settings/notifications#searches'],
  ['spending', '/settings/payments#limits'],
  ['spending/new', '/settings/payments/automatic'],
]);

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // server.ts compresses responses, with Brotli too.
  compress: false,
  // A path with a trailing slash is the same page, because a redirect would lose the body of a form.
  skipTrailingSlashRedirect: true,
  // A lockfile in a parent folder must not make that folder the project.
  outputFileTracingRoot: root,
  turbopack: {
    root,
    resolveAlias: {
      ...aliasPageModules(),
      // Turbopack does not find the TypeScript sources for the SDK's own `.js` imports, which the bundled code does not
      // have.
      '@parley/agent/ap2': './packages/sdk/dist/ap2.js',
    },
  },
  // A page is loaded with its first request, because loading all pages takes half of the startup time and 100 MB.
  experimental: { preloadEntriesOnStart: false },
  redirects: () =>
    [...movedSettings].map(([from, to]) => ({ source: `/settings/${from}`, destination: to, permanent: true })),
  // `npm run verify` checks the types of all files, including those that pages do not import, so a start does not have
  // to wait for it.
  typescript: { ignoreBuildErrors: true },
};

// Texts are compiled with the pages, so that browsers need no parser for them.
const withTexts = createNextIntl({
  requestConfig: './components/texts/request.ts',
  experimental: {
    messages: {
      path: ['./lib/texts', './lib/generated/texts'],
      format: 'json',
      locales: 'infer',
      precompile: true,
    },
  },
});

export default withTexts(createMdx({ options: { remarkPlugins } })(config));
