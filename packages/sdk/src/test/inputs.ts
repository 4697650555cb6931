/** Says why a check, or an observation that it needs, does not apply. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** Names and texts with which to make an agent do what a check needs. Without them, the examples of its card are used. */
export interface TestTexts {
  /** A message that the agent answers. */
  message?: string;
  /** A message on which the agent works long enough to be canceled. */
  slow?: string;
  /** A message that the agent answers with a question, and the answer to it. */
  question?: string;
  answer?: string;
  /** A message that leads to a cart. */
  cart?: string;
}
