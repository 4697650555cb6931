/** Exit codes; scripts depend on these numbers (README.md). */
export const EXIT = {
  ok: 0,
  /** Refused by Parley or the agent, or any other error. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** Not signed in, or with insufficient permissions. */
  signedOut: 3,
  /** An agent, task or app that does not exist. */
  notFound: 4,
  /** Parley is unreachable or unavailable. */
  unavailable: 5,
  /** The agent ended the task as failed, rejected or canceled. */
  taskFailed: 6,
  /** The agent waits for an answer, or the payment waits for the user's browser. */
  inputRequired: 7,
  /** The cart was not paid: refused, declined, or above the limit. */
  notPaid: 8,
  /** Ctrl-C; the task was canceled. */
  interrupted: 130,
} as const;
