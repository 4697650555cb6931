/** The exit code of a drill that was skipped, as in automake. */
const SKIPPED = 77;

let injected = 0;

/**
 * Runs a drill: prints its guarantee and its figures, and sets the exit code to 1 if a check fails or `run` throws.
 *
 * @param {string} guarantee one sentence: the property to prove
 * @param {(report: { figure: (name: string, value: string | number) => void, check: (statement: string, found: boolean
 *   | string | null) => void }) => Promise<void>} run
 *   `check` passes with true or null; any other value fails and describes the result instead
 */
export async function drill(guarantee, run) {
  const startedAt = performance.now();
  console.log(guarantee);
  let checks = 0;
  const broken = [];
  const figure = (name, value) => console.log(`  ${name}: ${value}`);
  const check = (statement, found) => {
    checks += 1;
    if (found === true || found === null) return console.log(`  ok      ${statement}`);
    broken.push(statement);
    console.log(`  BROKEN  ${statement}${typeof found === 'string' ? `: ${found}` : ''}`);
  };
  try {
    await run({ figure, check });
    if (checks === 0) throw new Error('the drill checked nothing');
  } catch (error) {
    broken.push(String(error));
    console.error(error);
  }
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(
    broken.length === 0 ? `  holds (${checks} checks, ${seconds} s)` : `  ${broken.length} broken (${seconds} s)`,
  );
  process.send?.({ rounds: injected, broken });
  process.exitCode = broken.length === 0 ? 0 : 1;
}

/**
 * Returns the number of times that the fault is injected: `DRILL_ROUNDS`, or `fallback` if it is not set.
 *
 * @param {number} fallback
 * @returns {number}
 */
export function rounds(fallback) {
  injected = Number(process.env.DRILL_ROUNDS ?? fallback);
  return injected;
}

/**
 * Exits the program as skipped unless its prerequisite is met. Must be called before anything is started.
 *
 * @param {boolean} isMet
 * @param {string} need the missing prerequisite and how to install it
 */
export function skipUnless(isMet, need) {
  if (isMet) return;
  console.log(`  skipped: ${need}`);
  process.send?.({ skipped: need });
  process.exit(SKIPPED);
}
