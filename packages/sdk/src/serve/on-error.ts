import { isDisconnected } from './peer.js';

/** Receives an error that nobody awaits, and what failed: "Canceling another agent’s task". */
export type OnError = (error: unknown, what: string) => void;

/** Prints to the standard error output. */
export const printError: OnError = (error, what) => console.error(`${what} failed:`, error);

/** For `catch`: reports the error, unless it is that the connection ended, which the worker’s state shows. */
export function reportTo(onError: OnError, what: string): (error: unknown) => void {
  return (error) => {
    if (!isDisconnected(error)) onError(error, what);
  };
}
