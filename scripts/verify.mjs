// npm run verify: format, lint and size caps, types, import rules, dead code, docs. No database, under a minute.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { runMain, seconds } from './cli-output.mjs';
import { prepare } from './setup.mjs';

const CRUISED = ['app', 'components', 'lib', 'examples', 'packages', 'scripts', 'tests', 'server.ts', 'middleware.ts'];

const CHECKS = [
  {
    name: 'format and lint',
    program: '@biomejs/biome/bin/biome',
    args: ['ci', `--colors=${process.stdout.isTTY ? 'force' : 'off'}`, '--error-on-warnings', '--max-diagnostics=100'],
  },
  { name: 'texts of the pages', script: 'scripts/verify-messages.mjs', args: [] },
  { name: 'types', program: 'typescript/bin/tsc', args: ['--noEmit'] },
  {
    name: 'import rules',
    program: 'dependency-cruiser/bin/dependency-cruise.mjs',
    args: ['--output-type', 'err-long', ...CRUISED.filter((target) => existsSync(target))],
    // With an unsupported TypeScript version the cruiser reads nothing and reports success.
    passed: (output) => !/\b0 modules/.test(output),
  },
  { name: 'dead code', program: 'knip/bin/knip.js', args: ['--no-progress', '--treat-config-hints-as-errors'] },
  { name: 'SQL style', script: 'scripts/check-sql.mjs', args: [] },
  { name: 'migrations', script: 'scripts/check-migrations.mjs', args: [] },
  { name: 'words in comments and texts', script: 'scripts/check-words.mjs', args: [] },
  { name: 'documents', script: 'scripts/check-docs.mjs', args: [] },
  { name: 'diagram', script: 'scripts/diagram.mjs', args: ['--check'] },
];

function runCheck({ name, program, script, args, passed = () => true }) {
  const startedAt = performance.now();
  const file = script ?? `node_modules/${program}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const ok = status === 0 && passed(stdout);
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds(startedAt)})`);
  if (!ok) console.log(`${stdout}${stderr}`.trimEnd());
  return ok;
}

await runMain(async () => {
  const startedAt = performance.now();
  await prepare({ tests: true });
  // The types of pages and assets (next-env.d.ts) are generated, not committed.
  spawnSync(process.execPath, ['node_modules/next/dist/bin/next', 'typegen'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const results = CHECKS.map(runCheck);
  const failed = results.filter((ok) => !ok).length;
  console.log(
    failed === 0
      ? `verified (${seconds(startedAt)})`
      : `${failed} of ${CHECKS.length} checks failed (${seconds(startedAt)})`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
});
