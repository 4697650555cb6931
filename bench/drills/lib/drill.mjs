/**
 * Runs a drill: prints its guarantee and its figures, and sets the exit code to 1 when a check fails or `run` throws.
 *
 * @param {string} guarantee one sentence: what must hold
 * @param {(report: { figure: (name: string, value: string | number) => void, check: (statement: string, found: boolean | string | null) => void }) => Promise<void>} run
 *   `check` passes with true or null; any other value fails and says what was found instead
 */
export async function drill(guarantee, run) {
  const startedAt = performance.now();
  console.log(guarantee);
  let checks = 0;
  let broken = 0;
  const figure = (name, value) => console.log(`  ${name}: ${value}`);
  const check = (statement, found) => {
    checks += 1;
    if (found === true || found === null) return console.log(`  ok      ${statement}`);
    broken += 1;
    console.log(`  BROKEN  ${statement}${typeof found === 'string' ? `: ${found}` : ''}`);
  };
  try {
    await run({ figure, check });
    if (checks === 0) throw new Error('the drill checked nothing');
  } catch (error) {
    broken += 1;
    console.error(error);
  }
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(broken === 0 ? `  holds (${checks} checks, ${seconds} s)` : `  ${broken} broken (${seconds} s)`);
  process.exitCode = broken === 0 ? 0 : 1;
}

/**
 * How often the fault is injected: `fallback`, or `DRILL_ROUNDS`.
 *
 * @param {number} fallback
 * @returns {number}
 */
export function rounds(fallback) {
  return Number(process.env.DRILL_ROUNDS ?? fallback);
}
