import { onGap, subscribe, type Topic } from '../platform/bus';
import type { CallerActor } from '../platform/context';
import { errorFields, log } from '../platform/log';
import { isCallerActive } from './is-caller-active';
import { isCredentialActive } from './is-credential-active';
import { isRevoked } from './revoked-tokens';

/** What a delegation depends on is spread over people and agents; it is looked at whenever one of these changes. */
const farTopics: Topic[] = ['credential', 'user', 'agent', 'grant'];

/**
 * Calls `ended` once what the caller came with is good no more: their token by its own id, or the session, access token,
 * secret or delegation behind it; for one who came with a token also when the agent is there for them no more. That a token merely
 * expires is no end. Answers the way to stop watching.
 */
export function onCredentialChange(caller: CallerActor, ended: () => void): () => void {
  const check = async (): Promise<void> => {
    const now = new Date();
    if (!(await isGood(caller, now))) ended();
  };
  const look = (): void => {
    check().catch((error) => log.warn('tokens.check_failed', errorFields(error)));
  };
  const watched = watch(caller, look);
  if (caller.tokenId !== undefined) watched.push(subscribe('revoked', caller.tokenId, look));
  watched.push(onGap(look));
  // What ended between the check of the token and this watch was told to nobody here.
  look();
  return () => {
    for (const stop of watched) stop();
  };
}

/** A person in their own chat, who has no token, reads on what an agent said that is gone. */
async function isGood(caller: CallerActor, now: Date): Promise<boolean> {
  if (caller.tokenId === undefined) return (await isCredentialActive(caller.credentialId, now)) !== null;
  return !(await isRevoked(caller.tokenId, now)) && isCallerActive(caller, now);
}

function watch({ credentialId, principal, agentId }: CallerActor, look: () => void): (() => void)[] {
  if (credentialId.startsWith('dlg_')) return farTopics.map((topic) => subscribe(topic, '*', look));
  // An app is good while its owner is, whom its caller does not name.
  const people = credentialId.startsWith('sec_') ? '*' : principal;
  return [
    subscribe('credential', credentialId, look),
    subscribe('user', people, look),
    subscribe('agent', agentId, look),
  ];
}
