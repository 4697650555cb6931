import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXIT } from '@/packages/cli/src/exit-codes';
import { createProgram } from '@/packages/cli/src/program';

interface Example {
  file: string;
  code: string;
}

const page = readFileSync('packages/sdk/README.md', 'utf8');

function examplesOf(text: string): Example[] {
  return [...text.matchAll(/<!-- (\S+) -->\n```\w+\n([\s\S]*?)```/g)].map(([, file = '', code = '']) => ({
    file,
    code,
  }));
}

describe('the SDK’s page', () => {
  it('shows only code from files that tests run', () => {
    expect(examplesOf(page).length).toBe(page.match(/^```\w+/gm)?.length);
  });

  it.each(examplesOf(page))('shows the contents of $file', ({ file, code }) => {
    expect(readFileSync(file, 'utf8')).toContain(code);
  });
});

describe('the CLI’s page', () => {
  const text = readFileSync('packages/cli/README.md', 'utf8');
  const program = createProgram(async () => undefined, '0');
  const commands = program.commands.flatMap((command) =>
    command.commands.length > 0
      ? command.commands.map((sub) => ({ name: `${command.name()} ${sub.name()}`, sub }))
      : [{ name: command.name(), sub: command }],
  );

  it('lists every exit code', () => {
    const named = [...text.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
    expect(named).toEqual(Object.values(EXIT));
  });

  it.each(commands)('documents $name and its options', ({ name, sub }) => {
    expect(text).toContain(`\`${name}`);
    for (const { long } of sub.options) expect(text).toContain(long);
  });
});
