import { chmodSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

// The CLI loads this file before it looks for its native engine, which would be a download.
const engine = fileURLToPath(new URL('./scripts/schema-engine.mjs', import.meta.url));
chmodSync(engine, 0o755);
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= engine;

export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
  // Prisma would drop the text and trigram indexes of the search tables at every migration, and knows neither bit strings
  // nor storage: hand-written SQL makes them.
  experimental: { externalTables: true },
  tables: {
    external: [
      'public.agent_search',
      'public.agent_search_word',
      'public.embedding_model',
      'public.embedding_due',
      'public.agent_embedding',
      'public.agent_embedding_bits',
      'public.embedding_list',
    ],
  },
});
