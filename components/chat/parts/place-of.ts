import type { PartPlace } from '../../payments/use-orders';

/** Where a part of the artifact with that key (`artifactKey`) came. */
export function placeOf(key: string, part: number): PartPlace {
  const gap = key.indexOf(' ');
  return { taskId: key.slice(0, gap), kind: 'artifact', id: key.slice(gap + 1), part };
}
