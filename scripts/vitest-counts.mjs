// A reporter of Vitest for scripts/test.mjs: writes the counts of a run as JSON to the file in VITEST_COUNTS_FILE.
import { writeFileSync } from 'node:fs';

/** Unlike the JSON reporter, it also reports the error that failed the hook of a `describe`. */
export default class VitestCounts {
  onTestRunEnd(modules) {
    const tests = modules.flatMap(({ children }) => [...children.allTests()]);
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    const outside = modules.flatMap((module) => [module, ...module.children.allSuites()]).flatMap(failureOf);
    const failed = tests.filter((test) => test.result().state === 'failed');
    const counts = {
      passed: count('passed'),
      failed: failed.length + outside.length,
      skipped: count('skipped'),
      failures: [...failed.map(toLine), ...outside],
      retried: tests.filter((test) => test.diagnostic()?.flaky).map(toLine),
    };
    writeFileSync(process.env.VITEST_COUNTS_FILE, JSON.stringify(counts));
  }
}

/** Returns the error that failed an import or a hook, one line per file or suite. */
function failureOf(entity) {
  const [error] = entity.errors();
  return error ? [`${entity.fullName ?? entity.moduleId}: ${firstLine(error.message)}`] : [];
}

/** A test that passed on retry still has the errors of its first attempt. */
function toLine(test) {
  return `${test.fullName}: ${firstLine(test.result().errors?.[0]?.message)}`;
}

function firstLine(message = '') {
  return message.split('\n', 1)[0];
}
