import { isDisconnected } from './peer.js';

/**
 * Receives the error of an operation that is not awaited, and the failed operation: "Canceling another agent’s task".
 */
export type OnError = (error: unknown, what: string) => void;

/** Prints to the standard error output. */
export const printError: OnError = (error, what) => console.error(`${what} failed:`, error);

/** For `catch`: reports the error, except for a closed connection, which is part of the worker’s state. */
export function reportTo(onError: OnError, what: string): (error: unknown) => void {
  return (error) => {
    if (!isDisconnected(error)) onError(error, what);
  };
}
