import { query } from './sql';

/** The tables of the whole database, partitioned ones as one, with a row that contains `text` in any column. */
export async function tablesWith(text: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    'test-tables',
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const statement = `SELECT 1 FROM "${name}" t WHERE position($1 IN t::text) > 0 LIMIT 1`;
    if ((await query(`test-traces-${name}`, statement, [text])).length > 0) found.push(name);
  }
  return found;
}
