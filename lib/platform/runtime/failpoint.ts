import { env } from './env';
import { once } from './once';

interface Failpoint {
  /** The active failpoint; undefined if there is none. */
  name: string | undefined;
  trigger: (name: string) => void;
}

/**
 * The failpoint at which this process kills itself. With it, tests prove that a crash between two steps is harmless.
 */
export const activeFailpoint = once(
  (): Failpoint => ({
    name: env().FAULT_POINT,
    trigger: () => process.kill(process.pid, 'SIGKILL'),
  }),
);

/** Marks a point between two steps. Does nothing unless its name is the value of FAULT_POINT. */
export function failpoint(name: string): void {
  const active = activeFailpoint();
  if (active.name === name) active.trigger(name);
}
