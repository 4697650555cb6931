import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CaseSummary, DecisionResult, Queue, Receipt } from '@/lib/moderation/schema';
import * as agent03 from '../fakes/a2a03';
import type { ScriptedAgent } from '../fakes/scripted-agent';
import { connectTo, message03, type Person, rpc, send } from '../support/fixtures';
import type { Parley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

/** Requests of this user's browser to a Parley. */
export function asBrowser(parley: Pick<Parley, 'url' | 'dataDir'>, person: Pick<Person, 'cookie'> | null) {
  return (route: string, call: { method?: string; body?: unknown; headers?: Record<string, string> } = {}) =>
    send(`${parley.url}${route}`, { ...call, cookie: person?.cookie, origin: parley.url });
}

/** Makes the user a moderator of a Parley with this address in `ADMIN_EMAILS`. */
export async function promote(parley: Pick<Parley, 'url' | 'dataDir'>, person: Person, email: string): Promise<void> {
  await query('be-moderator', 'UPDATE "user" SET email = $2 WHERE id = $1', [person.userId, email]);
  await query('tell-moderator', `SELECT pg_notify('parley', $1)`, [`* user ${person.userId}`]);
  await waitFor(async () => (await asBrowser(parley, person)('/api/moderation/cases')).status === 200, {
    what: 'the moderator',
  });
}

/** The agent answers everything immediately with a finished task. */
export function finishesAtOnce(agent: ScriptedAgent): void {
  agent.answer(({ result, end }) => {
    result(agent03.status('t', 'completed', 'Done'));
    end();
  });
}

/** The user completes one task with the agent. */
export async function use(parley: Pick<Parley, 'url' | 'dataDir'>, person: Person, slug: string): Promise<void> {
  const connection = await connectTo(parley.url, person, slug);
  const { body } = await rpc(connection, 'message/send', { ...message03('hello'), configuration: { blocking: true } });
  const { state } = (body.result as { status: { state: string } }).status;
  if (state !== 'completed') throw new Error(`the task is ${state}`);
}

/** Texts of the emails sent to an address, earliest first. */
export function mailsTo(parley: Pick<Parley, 'url' | 'dataDir'>, email: string): string[] {
  const outbox = path.join(parley.dataDir, 'outbox');
  const files = readdirSync(outbox).sort();
  const mails = files.map((file) => readFileSync(path.join(outbox, file), 'utf8'));
  return mails.filter((mail) => mail.includes(`To: ${email}\r\n`));
}

/** The actions of a moderator through the API. */
export class Moderator {
  private readonly call: ReturnType<typeof asBrowser>;

  constructor(parley: Pick<Parley, 'url' | 'dataDir'>, person: Pick<Person, 'cookie'>) {
    this.call = asBrowser(parley, person);
  }

  async queue(state = 'open'): Promise<CaseSummary[]> {
    const response = await this.call(`/api/moderation/cases?state=${state}`);
    if (response.status !== 200) throw new Error(`queue: ${response.status} ${await response.text()}`);
    return ((await response.json()) as Queue).items;
  }

  async caseOf(title: string, state = 'open'): Promise<CaseSummary> {
    const found = (await this.queue(state)).find((one) => one.title === title);
    if (!found) throw new Error(`no case of ${title} is ${state}`);
    return found;
  }

  async decide(decision: { ids: string[]; decision: string; reason?: string; statement?: string }) {
    const response = await this.call('/api/moderation/decisions', { body: decision });
    if (response.status !== 200) throw new Error(`decide: ${response.status} ${await response.text()}`);
    return ((await response.json()) as DecisionResult).items;
  }
}

/** Submits a report and returns the receipt. */
export async function report(
  parley: Pick<Parley, 'url' | 'dataDir'>,
  person: Pick<Person, 'cookie'> | null,
  body: { kind: string; id: string; reason: string; details?: string },
): Promise<Receipt> {
  const response = await asBrowser(parley, person)('/api/reports', { body });
  if (response.status !== 201) throw new Error(`report: ${response.status} ${await response.text()}`);
  return (await response.json()) as Receipt;
}
