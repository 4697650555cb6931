/** What the program ends with; scripts rely on these numbers (README.md). */
export const EXIT = {
  ok: 0,
  /** Parley or the agent refused, or something went wrong. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** Nobody is signed in, or what they hold is not enough. */
  signedOut: 3,
  /** No such agent, task, app. */
  notFound: 4,
  /** Parley does not answer, or not now. */
  unavailable: 5,
  /** The agent ended the task as failed, rejected or cancelled. */
  taskFailed: 6,
  /** The agent waits for an answer, or the payment for the person's browser. */
  inputRequired: 7,
  /** The cart was not paid: refused, declined, or above the limit. */
  notPaid: 8,
  /** Ctrl-C; the task was cancelled. */
  interrupted: 130,
} as const;
