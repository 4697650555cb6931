import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** The tables with rows of one owner, which are to move to the owner's database (docs/decisions/0051). */
const owned = new Set([
  'agent_task_day',
  'answer_feedback',
  'chain',
  'chain_approval',
  'chain_task',
  'client_task_id',
  'compacted_task',
  'context',
  'conversation',
  'conversation_branch',
  'conversation_index_cursor',
  'conversation_share',
  'conversation_text',
  'hub_run',
  'idempotency_key',
  'openai_lost_answer',
  'openai_turn',
  'pending_cancel',
  'push_config',
  'push_dead_letter',
  'retention_cursor',
  'task',
  'task_event',
  'task_http_exchange',
  'web_push_seen',
]);

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('generated'))
    .map((name) => path.join(folder, name));
}

const tables = new Set(
  readdirSync('prisma/schema').flatMap((name) =>
    [...readFileSync(path.join('prisma/schema', name), 'utf8').matchAll(/@@map\("(\w+)"\)/g)].map(([, table]) => table),
  ),
);

/** Returns the tables that a statement, or a part of one, reads or writes. */
function tablesOf(sql: string): string[] {
  const named = [...sql.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+(?:ONLY\s+)?"?([a-z_]+)"?/g)].map(
    ([, name]) => name,
  );
  const found = named.flatMap((name) => (name && tables.has(name) ? [name] : []));
  return sql.includes('allTasksSql') ? [...found, 'task'] : found;
}

test('no statement reads or writes both the tables of an owner and others', () => {
  const mixed: string[] = [];
  let statements = 0;
  for (const file of sources('lib')) {
    for (const [sql] of readFileSync(file, 'utf8').matchAll(/`[^`]*`|'[^'\n]*'/g)) {
      const used = tablesOf(sql);
      if (used.some((name) => owned.has(name))) statements += 1;
      if (used.some((name) => owned.has(name)) && used.some((name) => !owned.has(name))) {
        mixed.push(`${file}: ${sql}`);
      }
    }
  }
  expect(statements).toBeGreaterThan(150);
  expect(mixed).toEqual([]);
});
