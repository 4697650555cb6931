import type { User } from '@a2a-js/sdk/server';
import type { Caller } from '@parley/agent';

/** The authenticated caller in the shape the A2A SDK passes on to the agent's logic. Tasks are kept apart by `userName`. */
export class ParleyUser implements User {
  constructor(readonly caller: Caller) {}

  get isAuthenticated(): boolean {
    return true;
  }

  get userName(): string {
    return this.caller.subject;
  }
}
