import { env } from './env';
import { processSingleton } from './singleton';

interface Failpoint {
  /** Where this process is to end; undefined for nowhere. */
  name: string | undefined;
  trigger: (name: string) => void;
}

/** Where this process ends on purpose: tests show by it that a crash between two steps does no harm. */
export function activeFailpoint(): Failpoint {
  return processSingleton('fault', () => ({
    name: env().FAULT_POINT,
    trigger: () => process.kill(process.pid, 'SIGKILL'),
  }));
}

/** A place between two steps, by name. Nothing happens here unless the variable FAULT_POINT names it. */
export function failpoint(name: string): void {
  const active = activeFailpoint();
  if (active.name === name) active.trigger(name);
}
