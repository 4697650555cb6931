import { onConnectionGap, subscribe, type Topic } from '../platform/bus';
import type { CallerActor } from '../platform/context';
import { errorFields, log } from '../platform/log';
import { isCallerActive } from './is-caller-active';
import { isCredentialActive } from './is-credential-active';
import { isRevoked } from './revoked-tokens';

/** What a delegation depends on is spread over people and agents; it is looked at whenever one of these changes. */
const delegationTopics: Topic[] = ['credential', 'user', 'agent', 'grant'];

/**
 * Calls `ended` once what the caller came with is good no more: their token by its own id, or the session, access token,
 * secret or delegation behind it; for one who came with a token also when the agent is there for them no more. That a token merely
 * expires is no end. Answers the way to stop watching.
 */
export function onCredentialChange(caller: CallerActor, onInvalid: () => void): () => void {
  const check = async (): Promise<void> => {
    const now = new Date();
    if (!(await isValid(caller, now))) onInvalid();
  };
  const recheck = (): void => {
    check().catch((error) => log.warn('tokens.check_failed', errorFields(error)));
  };
  const unsubscribes = watch(caller, recheck);
  if (caller.tokenId !== undefined) unsubscribes.push(subscribe('revoked', caller.tokenId, recheck));
  unsubscribes.push(onConnectionGap(recheck));
  // What ended between the check of the token and this watch was told to nobody here.
  recheck();
  return () => {
    for (const stop of unsubscribes) stop();
  };
}

/** A person in their own chat, who has no token, reads on what an agent said that is gone. */
async function isValid(caller: CallerActor, now: Date): Promise<boolean> {
  if (caller.tokenId === undefined) return (await isCredentialActive(caller.credentialId, now)) !== null;
  return !(await isRevoked(caller.tokenId, now)) && isCallerActive(caller, now);
}

function watch({ credentialId, principal, agentId }: CallerActor, recheck: () => void): (() => void)[] {
  if (credentialId.startsWith('dlg_')) return delegationTopics.map((topic) => subscribe(topic, '*', recheck));
  // An app is good while its owner is, whom its caller does not name.
  const userKey = credentialId.startsWith('sec_') ? '*' : principal;
  return [
    subscribe('credential', credentialId, recheck),
    subscribe('user', userKey, recheck),
    subscribe('agent', agentId, recheck),
  ];
}
