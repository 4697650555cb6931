/** Repetitions of a model or load test: few for a change, many in the nightly tier. */
export function runsOf({ daily, nightly }: { daily: number; nightly: number }): number {
  return process.env.TIER === 'nightly' ? nightly : daily;
}
