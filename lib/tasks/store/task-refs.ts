import type { TaskRef } from './records';

/** SQL for the tasks of {@link refValues}, the first two parameters: rows with `principal` and `id`. */
export const refsSql = 'unnest($1::text[], $2::uuid[]) AS r(principal, id)';

/** Returns the principals of tasks, each once. */
export function principalsOf(tasks: readonly TaskRef[]): string[] {
  return [...new Set(tasks.map(({ principal }) => principal))];
}

/** Returns the parameters of {@link refsSql} for the tasks of these principals, or for all tasks. */
export function refValues(tasks: readonly TaskRef[], principals?: readonly string[]): [string[], string[]] {
  const wanted = principals && new Set(principals);
  const some = wanted ? tasks.filter(({ principal }) => wanted.has(principal)) : tasks;
  return [some.map(({ principal }) => principal), some.map(({ id }) => id)];
}
