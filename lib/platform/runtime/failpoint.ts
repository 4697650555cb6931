import { env } from './env';
import { once } from './once';

interface Failpoint {
  /** The active failpoint; undefined for none. */
  name: string | undefined;
  trigger: (name: string) => void;
}

/**
 * The failpoint at which this process kills itself; tests use it to prove that a crash between two steps is harmless.
 */
export const activeFailpoint = once(
  (): Failpoint => ({
    name: env().FAULT_POINT,
    trigger: () => process.kill(process.pid, 'SIGKILL'),
  }),
);

/** A named point between two steps. Does nothing unless it is the value of FAULT_POINT. */
export function failpoint(name: string): void {
  const active = activeFailpoint();
  if (active.name === name) active.trigger(name);
}
