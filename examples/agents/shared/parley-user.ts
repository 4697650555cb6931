import type { User } from '@a2a-js/sdk/server';
import type { Caller } from '@parley/agent';

/** The authenticated caller in the form the A2A SDK passes to the agent. Tasks are isolated by `userName`. */
export class ParleyUser implements User {
  constructor(readonly caller: Caller) {}

  get isAuthenticated(): boolean {
    return true;
  }

  get userName(): string {
    return this.caller.subject;
  }
}
