import type { Check } from '../check.js';
import { Skipped } from '../inputs.js';
import { objectOf, parseJson } from '../json-value.js';
import { call } from '../probe/conversation.js';
import { runInterfaces } from '../probe/observe.js';
import { type Finding, shorten } from '../report.js';
import { channelName, isUsable, type Subject } from '../subject.js';
import { noted } from './noted.js';

/** Codes of operations that an agent does not have: unknown method, and the refusals of A2A 1.0 section 5.4. */
const ABSENT = [-32601, -32003, -32004, -32007];
/** Reserved for examples (RFC 2606), so that nothing is ever delivered there. */
const PUSH_URL = 'https://parley-test.example/push';

const spokenNotes = noted('versions.spoken', {
  title: 'Each interface speaks the version and binding that the card declares',
  why: 'Callers use the first interface that they know.',
});

const spoken: Check = {
  ...spokenNotes,
  async run(subject) {
    const findings = await spokenNotes.run(subject);
    if (findings.length > 0) return findings;
    const silent = (await runInterfaces(subject)).filter(({ reply }) => !isUsable(reply) && !isAbsentPath(reply.error));
    return silent
      .filter(({ reply }) => reply.notes.length === 0)
      .map(({ channel, reply: { error, response } }) => ({
        found: shorten(
          error
            ? `error ${error.code ?? `HTTP ${error.status}`}: ${error.message}`
            : `HTTP ${response.status}: ${response.text}`,
        ),
        expected: `an answer in ${channelName(channel)}`,
        remedy: 'Serve the interface, or remove it from the card.',
        where: channel.target.url,
      }));
  },
};

const paths: Check = {
  id: 'versions.paths',
  title: 'Interfaces with HTTP+JSON have its paths',
  why: 'Callers get HTTP 404.',
  async run(subject) {
    const channels = await subject.channels();
    if (channels.every(({ target }) => target.binding !== 'HTTP+JSON'))
      throw new Skipped('The card declares no HTTP+JSON interface.');
    const [first] = channels;
    const { reply } = await subject.first();
    const others = isUsable(reply) ? await runInterfaces(subject) : [];
    return [{ channel: first, reply }, ...others]
      .filter(({ channel: { target }, reply: { error } }) => target.binding === 'HTTP+JSON' && isAbsentPath(error))
      .map(({ channel: { target } }) => ({
        found: 'HTTP 404',
        expected: `an answer at ${target.url.replace(/\/$/, '')}/message:send`,
        remedy: 'Serve the paths below the URL of the interface (A2A 1.0 section 11), or correct the URL.',
        where: target.url,
      }));
  },
};

function isAbsentPath(error: { status: number } | null): boolean {
  return error?.status === 404;
}

const push: Check = {
  id: 'capabilities.push',
  title: 'Push notifications exist if the card declares them',
  why: 'Callers wait for notifications instead of reading the task.',
  async run(subject) {
    const { pushNotifications } = await subject.capabilities();
    if (pushNotifications !== true) throw new Skipped('The card does not declare push notifications.');
    const channel = await subject.working();
    const { reply } = await subject.first();
    const where = 'configuration of push notifications';
    const taskId = reply.task?.id ?? crypto.randomUUID();
    const { error } = await call(channel, { op: 'set-push', taskId, url: PUSH_URL }, { where });
    return absence(error, { where, remedy: 'Implement it, or set pushNotifications to false.' });
  },
};

const extendedCard: Check = {
  id: 'capabilities.extended-card',
  title: 'The extended card exists if the card declares it',
  why: 'Callers miss the skills that only it has.',
  async run(subject) {
    const { extendedAgentCard } = await subject.capabilities();
    if (extendedAgentCard !== true) throw new Skipped('The card does not declare an extended card.');
    const channel = await subject.working();
    const where = 'read of the extended card';
    const { error, response } = await call(channel, { op: 'extended-card' }, { where });
    if (error?.status === 401 || error?.status === 403) throw new Skipped('The extended card requires a credential.');
    const remedy = 'Implement it, or do not declare it.';
    if (error) return absence({ ...error, code: error.code ?? -32601 }, { where, remedy });
    const value = objectOf(parseJson(response.text));
    if ('name' in objectOf('result' in value ? value.result : value)) return [];
    return [{ found: shorten(response.text), expected: 'a card with a name', remedy, where }];
  },
};

function absence(
  error: { code: number | null; status: number; message: string } | null,
  { where, remedy }: { where: string; remedy: string },
): Finding[] {
  const isAbsent =
    error !== null && (error.code === null ? [404, 405, 501].includes(error.status) : ABSENT.includes(error.code));
  if (!isAbsent) return [];
  const found = shorten(`error ${error.code ?? `HTTP ${error.status}`}: ${error.message}`);
  return [{ found, expected: 'the operation that the card declares', remedy, where }];
}

/** Returns true if the card says that the agent sells: an extension of AP2 with the role of a merchant, or without roles. */
export async function sells(subject: Subject): Promise<boolean> {
  const { extensions } = await subject.capabilities();
  return (
    Array.isArray(extensions) && extensions.some((extension) => /\/ap2(\/|$)/i.test(String(objectOf(extension).uri)))
  );
}

export const versionChecks: Check[] = [spoken, paths];
export const capabilityChecks: Check[] = [push, extendedCard];
