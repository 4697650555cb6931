import { spawnSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { createTree, type TemporaryTree } from '../../support/temporary-tree';

let tree: TemporaryTree | undefined;

afterEach(() => tree?.remove());

const lawful = {
  'prisma/schema/catalog.prisma': 'model Agent {\n}\nmodel CardRefreshState {\n}\n',
  'lib/platform/db/rows.ts': 'export const rows = (tx) => tx.$queryRaw<object[]>`SELECT 1`;\n',
  'lib/catalog/store/prisma.ts': "import { db } from '../../platform/db/db';\ndb().agent.count();\n",
  'lib/catalog/store/raw.ts':
    "import { row, text } from '../../platform/rows';\nrow({ id: text() }).query('ids', 'SELECT id FROM agent');\n",
};

/** The output of the check for a file beside valid ones. */
function findings(text: string): string {
  tree = createTree({ ...lawful, 'lib/catalog/store/planted.ts': text });
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/check-sql.mjs', tree.root], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(stdout === '' ? 0 : 1);
  return stdout;
}

test('the SQL check accepts a file in either style, and a comment about the other style', () => {
  expect(findings("// Not tx.$queryRaw.\nimport { execute } from '../../platform/db/sql';\n")).toBe('');
});

test.each([
  [
    'both styles in one file',
    "import { executeIn } from '../../platform/db/sql';\nawait tx.cardRefreshState\n  .update({});\n",
    'lib/catalog/store/planted.ts:2: Prisma in a file with raw SQL',
  ],
  ['a raw query that bypasses the helpers', 'await tx.$executeRaw`DELETE FROM agent`;\n', 'write queryIn or executeIn'],
  ['a query on the pool', "await pool().query('SELECT 1');\n", "write a row's query or execute"],
  ['a type argument', "await query<{ id: string }>('ids', 'SELECT id');\n", 'a type argument is a cast'],
  [
    'a cast of rows',
    "const ids = (await idRow.query('ids', sql(), [f(1)])) as Id[];\n",
    'declare the columns with row() instead of a cast',
  ],
])('the SQL check rejects %s', (_, text, finding) => {
  expect(findings(text)).toContain(finding);
});
