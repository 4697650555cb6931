/** Repetitions of a model or load test: few for a change, many in the nightly tier and when it runs by itself. */
export function runsOf({ daily, nightly }: { daily: number; nightly: number }): number {
  return process.env.TIER === 'daily' ? daily : nightly;
}
