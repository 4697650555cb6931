import { env } from './env';
import { shared } from './registry';

interface Fault {
  /** Where this process is to end; undefined for nowhere. */
  at: string | undefined;
  strike: (name: string) => void;
}

/** Where this process ends on purpose: tests show by it that a crash between two steps does no harm. */
export function plannedFault(): Fault {
  return shared('fault', () => ({ at: env().FAULT_POINT, strike: () => process.kill(process.pid, 'SIGKILL') }));
}

/** A place between two steps, by name. Nothing happens here unless the variable FAULT_POINT names it. */
export function faultPoint(name: string): void {
  const fault = plannedFault();
  if (fault.at === name) fault.strike(name);
}
