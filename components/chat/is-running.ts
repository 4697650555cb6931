import type { Phase } from './to-items';

/** True while the agent's run continues. */
export function isRunning(phase: Phase): boolean {
  return phase === 'working' || phase === 'stopping' || phase === 'needs-approval';
}
