import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const rows = [...readFileSync('docs/architecture.md', 'utf8').matchAll(/^\| (.+?) \| `(.+?)` \| `(.+?)` \|$/gm)].map(
  ([, task, file, name]) => ({ task, file, name }),
);

test('the code map lists at least twenty tasks', () => {
  expect(rows.length).toBeGreaterThanOrEqual(20);
});

test.each(rows)('the code map finds the file for: $task', ({ file = '', name }) => {
  expect(readFileSync(file, 'utf8')).toContain(name);
});
