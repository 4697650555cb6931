import type { Health, StandingView } from '@/lib/discovery/schema';
import type { BadgeTone } from '../ui/badge';

/** What each state of health is called and means. */
export const healthWords: Record<Health, { text: string; means: string; tone: BadgeTone }> = {
  healthy: { text: 'Healthy', means: 'It answered its last check.', tone: 'good' },
  degraded: { text: 'Has trouble', means: 'It failed its last check, or the last run of an example.', tone: 'warn' },
  down: { text: 'Down', means: 'It failed at least two checks in a row.', tone: 'danger' },
  unknown: { text: 'Not checked yet', means: 'Parley has not checked it so far.', tone: 'neutral' },
};

/** What each kind of probe is called in a sentence. */
export const probeWords: Record<NonNullable<StandingView['checked']>['by'], string> = {
  reach: 'a reachability check',
  run: 'a run of a skill’s example',
};

/** Seconds as people say them: `15 minutes`, `24 hours`. */
export function intervalText(seconds: number): string {
  const [count, unit] =
    seconds % 3600 === 0
      ? [seconds / 3600, 'hour']
      : seconds % 60 === 0
        ? [seconds / 60, 'minute']
        : [seconds, 'second'];
  return count === 1 ? unit : `${count} ${unit}s`;
}

/** A share as a percentage that never rounds a failure away. */
export function shareText(share: number): string {
  const percent = share * 100;
  if (percent === 100 || percent === 0) return `${percent} %`;
  return `${Math.min(99.9, Math.max(0.1, Math.round(percent * 10) / 10))} %`;
}

/** Milliseconds as people read them. */
export function durationText(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
